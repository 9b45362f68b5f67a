"""The command palette: a field, and below it what fits."""

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
    """Paints what kind of thing it is, its name, and a note at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the same height for every row."""
        return QSize(120, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
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
        taken = painter.fontMetrics().horizontalAdvance(note)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, note)
        painter.setFont(text_font(12))
        painter.drawText(inside, middle, entry.kind)
        painter.setFont(text_font())
        painter.setPen(QColor(theme.text))
        room = inside.adjusted(KIND_WIDTH, 0, -taken - 12 if taken else 0, 0)
        text = QFontMetrics(painter.font()).elidedText(entry.text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle, text)
        painter.restore()


class PaletteField(QLineEdit):
    """Hands the keys that move on, and says when it is left."""

    moved = Signal(int)  # rows, up below 0
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
    """Lies over the window while it is open, and gives the focus back where it was."""

    chosen = Signal(object)  # Entry

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
        self.field.left.connect(self.close_up)
        self.list.clicked.connect(self._clicked)
        window.installEventFilter(self)

    def open(self, entries: Sequence[PaletteEntry]) -> None:
        """Show all that there is; what was typed before is gone."""
        if not self.isVisible():
            self._before = self._window.focusWidget()
        self.model.set_entries(entries)
        self.field.clear()
        self._narrow("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_up(self) -> None:
        """Away, and the focus where it was."""
        if self.isHidden():
            return
        before, self._before = self._before, None
        had = self.field.hasFocus()
        self.hide()
        if had and before is not None and before.isVisible():
            before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stays in the middle of a window that is resized."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._position()
        return False

    def _narrow(self, text: str) -> None:
        self.model.narrow(text)
        self.list.setCurrentIndex(self.model.index(0))
        self.nothing.setText(f"Nothing is called “{text.strip()}”. Try fewer letters.")
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
            self.close_up()
            self.chosen.emit(entry)
