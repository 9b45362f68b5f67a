"""The command palette: a search field with the entries that match below it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.model.palette import PaletteEntry, PaletteModel
from helm_desktop.theme import figure_font, set_look, text_font, theme_of
from helm_desktop.widgets import handle_key

WIDTH, ROWS, ROW_HEIGHT, KIND_WIDTH = 640, 12, 30, 74
PAGE = ROWS - 1
TOP = 44  # below the field of the menu bar that opens it
_Index = QModelIndex | QPersistentModelIndex


class EntryDelegate(QStyledItemDelegate):
    """Paints one entry: its kind, its name, and a note at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the size of a row; every row has the same height."""
        return QSize(120, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry = index.data(PaletteModel.EntryRole)
        if not isinstance(entry, PaletteEntry):
            return
        theme, rect = theme_of(), QRect(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.line if state & QStyle.StateFlag.State_Selected else theme.card))
            painter.drawRoundedRect(rect, 6, 6)
        middle = Qt.AlignmentFlag.AlignVCenter
        inside = rect.adjusted(10, 0, -10, 0)
        painter.setFont(figure_font())
        painter.setPen(QColor(theme.quiet))
        note = painter.fontMetrics().elidedText(
            entry.note, Qt.TextElideMode.ElideRight, max(0, inside.width() // 2 - KIND_WIDTH)
        )
        note_width = painter.fontMetrics().horizontalAdvance(note)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, note)
        painter.setFont(text_font(12))
        painter.drawText(inside, middle, entry.kind)
        painter.setFont(text_font())
        painter.setPen(QColor(theme.text))
        area = inside.adjusted(KIND_WIDTH, 0, -note_width - 12 if note_width else 0, 0)
        text = QFontMetrics(painter.font()).elidedText(entry.text, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, middle, text)
        painter.restore()


class PaletteField(QLineEdit):
    """The search field. It emits the keys that move the selection, and that it has lost the focus."""

    moved = Signal(int)  # by how many rows; negative moves up
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {"up": -1, "down": 1, "page_up": -PAGE, "page_down": PAGE}
        handlers = {to: partial(self.moved.emit, rows) for to, rows in moves.items()}
        if not handle_key(event, places.PALETTE, handlers | {"leave": self.left.emit}):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()


class Palette(QFrame):
    """The palette over the window; it gives the focus back when it closes."""

    chosen = Signal(object)  # a PaletteEntry

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        set_look(self, "popup")
        self.setAccessibleName("Command palette")
        self._window = window
        self._before: QWidget | None = None
        self.model = PaletteModel(self)
        self.field, self.list, self.nothing = PaletteField(), QListView(), QLabel()
        self.field.setPlaceholderText("Search metrics, runs, commands, controls, settings")
        self.field.setAccessibleName("Search everything")
        self.list.setModel(self.model)
        self.list.setItemDelegate(EntryDelegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("What was found")
        set_look(self.nothing, "quiet")
        self.nothing.setContentsMargins(10, 6, 10, 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for widget in (self.field, self.nothing, self.list):
            column.addWidget(widget)
        self.hide()
        self.field.textChanged.connect(self._narrow)
        self.field.returnPressed.connect(self._choose)
        self.field.moved.connect(self._move)
        self.field.left.connect(self.dismiss)
        self.list.clicked.connect(self._clicked)
        window.installEventFilter(self)

    def open(self, entries: Sequence[PaletteEntry]) -> None:
        """Open the palette with all entries and an empty field."""
        if not self.isVisible():
            self._before = self._window.focusWidget()
        self.model.set_entries(entries)
        self.field.clear()
        self._narrow("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Close the palette and give the focus back to the widget that had it before."""
        if self.isHidden():
            return
        before, self._before = self._before, None
        had = self.field.hasFocus()
        self.hide()
        if had and before is not None and before.isVisible():
            before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the palette in the middle of the window when that is resized."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._position()
        return False

    def _narrow(self, text: str) -> None:
        self.model.narrow(text)
        self.list.setCurrentIndex(self.model.index(0))
        self.nothing.setText(f"Nothing matches “{text.strip()}”. Try fewer letters.")
        self.nothing.setVisible(not self.model.found)
        self.list.setVisible(bool(self.model.found))
        self._position()

    def _position(self) -> None:
        rows = min(len(self.model.found), ROWS)
        self.list.setFixedHeight(rows * ROW_HEIGHT)
        width = min(WIDTH, self._window.width() - 32)
        self.setGeometry((self._window.width() - width) // 2, TOP, width, self.sizeHint().height())

    def _move(self, rows: int) -> None:
        last = len(self.model.found) - 1
        row = min(max(self.list.currentIndex().row() + rows, 0), last)
        self.list.setCurrentIndex(self.model.index(row))

    def _clicked(self, index: QModelIndex) -> None:
        self.list.setCurrentIndex(index)
        self._choose()

    def _choose(self) -> None:
        entry = self.list.currentIndex().data(PaletteModel.EntryRole)
        if isinstance(entry, PaletteEntry):
            self.dismiss()
            self.chosen.emit(entry)
