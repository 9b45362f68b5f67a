"""The Activity page: what happened in the open run, with a search, a filter and a button to copy it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.model.run.activity import COMMAND_KEY, ActivityEntry, ActivityModel
from helm_desktop.model.run.activity_filter import FILTERS, ActivityFilter, as_markdown
from helm_desktop.model.run.notes import noted_step
from helm_desktop.theme import Theme, figure_font, set_look, text_font, theme_of
from helm_desktop.widgets import EmptyState, SearchField, handle_key
from helm_desktop.widgets.mark_glyph import mark_colour, paint_mark

ROW_HEIGHT = 24
STEP_WIDTH = 52
_GLYPH = {"change": "change", "checkpoint": "checkpoint", "rule": "rule", "note": "note"}


class ActivityDelegate(QStyledItemDelegate):
    """Paints one row: its step, its mark and its text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a row; every row has the same height."""
        return QSize(120, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ActivityModel.EntryRole)
        if not isinstance(row, ActivityEntry):
            return
        theme = theme_of()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(rect, 6, 6)
        if row.step is not None:
            painter.setFont(figure_font())
            painter.setPen(QColor(theme.quiet))
            painter.drawText(rect.adjusted(0, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, f"{row.step:,}")
        self._glyph(painter, theme, row, QPointF(rect.left() + STEP_WIDTH + 6, rect.center().y() + 1))
        painter.setFont(text_font())
        painter.setPen(QColor(theme.text))
        area = rect.adjusted(STEP_WIDTH + 20, 0, -4, 0)
        line = " ".join(row.text.split())  # a note may have several lines
        text = QFontMetrics(painter.font()).elidedText(line, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _glyph(self, painter: QPainter, theme: Theme, row: ActivityEntry, centre: QPointF) -> None:
        kind = _GLYPH.get(row.kind, "joined")
        colour = theme.bad if row.bad else mark_colour(theme, kind)
        paint_mark(painter, kind, centre, 10, QColor(colour))


class ActivityList(QListView):
    """The list of rows. Its signals request to edit or delete a row, or to open its menu."""

    edit_requested = Signal(QModelIndex)
    delete_requested = Signal(QModelIndex)
    menu_requested = Signal(QModelIndex, QPoint)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex()
        handlers = {
            "edit": partial(self.edit_requested.emit, at) if at.isValid() else None,
            "delete": partial(self.delete_requested.emit, at) if at.isValid() else None,
        }
        if not handle_key(event, places.ACTIVITY, handlers):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.menu_requested.emit(index, event.globalPos())


class ActivityView(QWidget):
    """The list with its search and filter, or a message while nothing has happened yet."""

    step_requested = Signal(int)
    note_requested = Signal(int, QPoint)  # the step whose note is edited, and a point of the screen
    note_removed = Signal(int)
    shell_requested = Signal(str)  # the id of a change that is copied as a shell command
    notified = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ActivityList()
        self.rows.menu_requested.connect(self._open_menu)
        self.rows.delete_requested.connect(self._remove)
        self.rows.edit_requested.connect(self._edit)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setUniformItemSizes(True)
        self.rows.setMouseTracking(True)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setItemDelegate(ActivityDelegate(self.rows))
        self.rows.setAccessibleName("Activity")
        self.rows.activated.connect(self._activated)
        self.rows.clicked.connect(self._activated)
        self._empty = EmptyState(
            "Nothing has happened yet",
            "Changes, checkpoints, captures and joining processes are listed here as they come.",
        )
        self._stack = QStackedLayout(self)
        holder = QWidget()
        self._fill_empty_page(holder)
        self._stack.addWidget(holder)
        self._stack.addWidget(self._list_page())
        self._filter = ActivityFilter(self)
        self.rows.setModel(self._filter)
        self.search.textChanged.connect(self._narrow)
        self.kinds.currentIndexChanged.connect(self._narrow)
        self.copy.clicked.connect(self._copy)
        self._filter.rowsInserted.connect(self._show_no_match)
        self._filter.rowsRemoved.connect(self._show_no_match)
        self._model: ActivityModel | None = None

    def _list_page(self) -> QWidget:
        self.search = SearchField("Search", "Search activity")
        self.kinds, self.copy = QComboBox(), QPushButton("Copy")
        self.kinds.setAccessibleName("Which kinds are shown")
        for name in FILTERS:
            self.kinds.addItem(name)
        set_look(self.copy, "flat")
        self.copy.setToolTip("Copy what is shown as Markdown")
        self.nothing = QLabel("No activity matches. Search for less, or choose another kind.")
        self.nothing.setWordWrap(True)
        set_look(self.nothing, "small")
        self.nothing.hide()
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        top.addWidget(self.kinds)
        top.addWidget(self.copy)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.nothing)
        column.addWidget(self.rows, 1)
        return page

    def _fill_empty_page(self, holder: QWidget) -> None:
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty)
        column.addStretch(1)

    def set_model(self, model: ActivityModel | None) -> None:
        """Show the activity of another run; None shows no activity."""
        if self._model is not None:
            self._model.rowsInserted.disconnect(self._switch)
            self._model.rowsRemoved.disconnect(self._switch)
        self._model = model
        if model is not None:
            self._filter.setSourceModel(model)
        if model is not None:
            model.rowsInserted.connect(self._switch)
            model.rowsRemoved.connect(self._switch)
        self._switch()

    def lines(self) -> list[str]:
        """Return the step and the text of every row that is shown, newest first."""
        happenings = self._filter.entries()
        return [row.text if row.step is None else f"{row.step} {row.text}" for row in happenings]

    def _narrow(self) -> None:
        self._filter.narrow(self.search.text(), self.kinds.currentText())
        self._show_no_match()

    def _show_no_match(self) -> None:
        self.nothing.setVisible(self._filter.rowCount() == 0)

    def _copy(self) -> None:
        rows = self._filter.entries()
        QGuiApplication.clipboard().setText(as_markdown(rows))
        self.notified.emit("Copied 1 line" if len(rows) == 1 else f"Copied {len(rows):,} lines")

    def _switch(self) -> None:
        filled = self._model is not None and self._model.rowCount() > 0
        self._stack.setCurrentIndex(1 if filled else 0)

    def _activated(self, index: QModelIndex) -> None:
        row = index.data(ActivityModel.EntryRole)
        if isinstance(row, ActivityEntry) and row.step is not None:
            self.step_requested.emit(row.step)

    # Notes on steps ------------------------------------------------------------------------------

    def _open_menu(self, index: QModelIndex, place: QPoint) -> None:
        row = index.data(ActivityModel.EntryRole)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(row, ActivityEntry) and row.step is not None:
            menu.addAction(f"Go to step {row.step:,}").triggered.connect(partial(self._activated, index))
        if _note_step(index) is not None:
            menu.addAction("Edit the note…\tE").triggered.connect(partial(self._edit, index))
            menu.addAction("Delete the note\tDel").triggered.connect(partial(self._remove, index))
        if command := _command_id(index):
            copy = menu.addAction("Copy as shell command")
            copy.triggered.connect(partial(self.shell_requested.emit, command))
        menu.addAction("Copy the line").triggered.connect(partial(self._copy_line, index))
        menu.popup(place)

    def _copy_line(self, index: QModelIndex) -> None:
        row = index.data(ActivityModel.EntryRole)
        if isinstance(row, ActivityEntry):
            QGuiApplication.clipboard().setText(row.text)
            self.notified.emit("Copied 1 line")

    def _edit(self, index: QModelIndex) -> None:
        step = _note_step(index)
        if step is not None:
            place = self.rows.visualRect(index).center()
            self.note_requested.emit(step, self.rows.viewport().mapToGlobal(place))

    def _remove(self, index: QModelIndex) -> None:
        step = _note_step(index)
        if step is not None:
            self.note_removed.emit(step)


def _command_id(index: QModelIndex) -> str:
    """Return the id of the command that a row is about; empty for other rows."""
    row = index.data(ActivityModel.EntryRole)
    return (
        row.key.removeprefix(COMMAND_KEY) if isinstance(row, ActivityEntry) and row.kind == "change" else ""
    )


def _note_step(index: QModelIndex) -> int | None:
    """Return the step of a row that is a note by a person; None for other rows."""
    row = index.data(ActivityModel.EntryRole)
    return noted_step(row) if isinstance(row, ActivityEntry) else None
