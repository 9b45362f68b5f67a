"""Every metric of the open run with its last value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.format import number
from helm_desktop.theme import figure_font, set_look, text_font, theme_of
from helm_desktop.widgets import EmptyState, SearchField

if TYPE_CHECKING:
    from helm_desktop.model.session import Session

_Index = QModelIndex | QPersistentModelIndex


class MetricsModel(QAbstractListModel):
    """Names in the order they came; last values are read when they are painted."""

    ValueRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._names: list[str] = []

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        self.beginResetModel()
        self._session = session
        self._names = session.streams if session is not None else []
        self.endResetModel()

    def grow(self) -> None:
        """Streams that have come since."""
        names = self._session.streams if self._session is not None else []
        if len(names) > len(self._names):
            self.beginInsertRows(QModelIndex(), len(self._names), len(names) - 1)
            self._names = names
            self.endInsertRows()

    def values_changed(self) -> None:
        """Last values are to be painted anew."""
        if self._names:
            self.dataChanged.emit(self.index(0), self.index(len(self._names) - 1), [self.ValueRole])

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self._names)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The name, or the last value under ValueRole."""
        if not index.isValid() or self._session is None:
            return None
        name = self._names[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return name
        if role in (self.ValueRole, Qt.ItemDataRole.AccessibleTextRole):
            series = self._session.store.series.get(name)
            words = number(series.last_value) if series is not None and series.count else ""
            return words if role == self.ValueRole else f"{name} {words}"
        return None


class MetricDelegate(QStyledItemDelegate):
    """Name at the left, value at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Every row is as high."""
        return QSize(120, 24)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draws one row."""
        theme = theme_of()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(rect, 6, 6)
        value = str(index.data(MetricsModel.ValueRole) or "")
        painter.setFont(figure_font())
        painter.setPen(QColor(theme.text))
        room = rect.adjusted(4, 0, -4, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, value)
        room.setRight(room.right() - QFontMetrics(painter.font()).horizontalAdvance(value) - 8)
        painter.setFont(text_font())
        painter.setPen(QColor(theme.quiet))
        metrics = QFontMetrics(painter.font())
        shown = metrics.elidedText(str(index.data() or ""), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


class MetricsView(QWidget):
    """A search field over the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self.model = MetricsModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.search = SearchField("Search metrics", "Search metrics")
        self._list = QListView()
        self._list.setModel(self._proxy)
        self._list.setItemDelegate(MetricDelegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setMouseTracking(True)
        self._list.setAccessibleName("Metrics")
        self._empty = EmptyState(
            "No metrics yet", "Each name that the script logs is listed here with its last value."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._none = QLabel()
        self._none.setWordWrap(True)
        set_look(self._none, "quiet")
        self._none.hide()
        for widget in (self.search, self._none, self._empty, self._list):
            column.addWidget(widget)
        self.search.textChanged.connect(self._search)
        self._switch()

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        if self._session is not None:
            self._session.streams_changed.disconnect(self._grow)
            self._session.points_arrived.disconnect(self._refresh)
        self._session = session
        self.model.set_session(session)
        if session is not None:
            session.streams_changed.connect(self._grow)
            session.points_arrived.connect(self._refresh)
        self._switch()

    def _search(self, text: str) -> None:
        self._proxy.setFilterFixedString(text.strip())
        self._none.setText(f"No metric matches “{text.strip()}”. Clear the field to see all.")
        self._none.setVisible(self.model.rowCount() > 0 and self._proxy.rowCount() == 0)

    def _grow(self) -> None:
        self.model.grow()
        self._switch()

    def _refresh(self) -> None:
        if self._list.isVisible():
            self.model.values_changed()

    def _switch(self) -> None:
        filled = self.model.rowCount() > 0
        self._empty.setVisible(not filled)
        self._list.setVisible(filled)
        self.search.setVisible(filled)
