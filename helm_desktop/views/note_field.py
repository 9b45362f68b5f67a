"""Where a note on a step is typed, while everything else goes on."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop import format
from helm_desktop.actions import places
from helm_desktop.theme import set_look
from helm_desktop.widgets import handle_key

WIDE = 320
LINES = 3


class NoteEdit(QPlainTextEdit):
    """Enter is done, Shift+Enter begins another line, Tab leaves it."""

    done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setPlaceholderText("Note")
        self.setFixedHeight(self.fontMetrics().lineSpacing() * LINES + 22)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.NOTE, {"save": self.done.emit, "new_line": None}):
            super().keyPressEvent(event)  # which begins the new line


class NoteField(QFrame):
    """Lies over its window until the note is kept, deleted or given up."""

    keep_requested = Signal(int, str)  # step, text; empty: the note goes

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.step: int | None = None
        self._before = ""
        set_look(self, "card")
        self.setFixedWidth(WIDE)
        self.title = QLabel()
        set_look(self.title, "quiet")
        self.edit = NoteEdit()
        self.said = QLabel()
        self.said.setWordWrap(True)
        set_look(self.said, "bad")
        self.delete, self.cancel, self.keep = (
            QPushButton("Delete"),
            QPushButton("Cancel"),
            QPushButton("Save"),
        )
        set_look(self.keep, "primary")
        self._place()
        self.edit.done.connect(self._keep)
        self.edit.textChanged.connect(self._typed)
        self.keep.clicked.connect(self._keep)
        self.cancel.clicked.connect(self.give_up)
        self.delete.clicked.connect(self._delete)
        self.hide()

    def _place(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.delete)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.edit)
        column.addWidget(self.said)
        column.addLayout(buttons)

    def open(self, step: int, text: str, place: QPoint) -> None:
        """For the note on a step, beside a place of the window."""
        self.step, self._before = step, text
        words = f"Note on step {format.step(step)}"
        self.title.setText(words)
        self.edit.setAccessibleName(words)
        self.delete.setAccessibleName(f"Delete the note on step {format.step(step)}")
        self.delete.setVisible(bool(text))
        self.edit.setPlainText(text)
        self.edit.selectAll()
        self.say("")
        self._typed()
        self._move_to(place)
        self.show()
        self.raise_()
        self.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def take_draft(self) -> tuple[int, str] | None:
        """Closes; the step and what was typed for it, when that is another text than before."""
        step, text = self.step, self.text
        self.give_up()
        return (step, text) if step is not None and text and text != self._before else None

    @property
    def text(self) -> str:
        """What is typed."""
        return self.edit.toPlainText().strip()

    def say(self, sentence: str) -> None:
        """Why the note could not be kept."""
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))
        self.setEnabled(True)
        self.adjustSize()

    def give_up(self) -> None:
        """Closes; what was typed is forgotten."""
        self.step = None
        self.setEnabled(True)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.FORM, {"leave": self.give_up}):
            super().keyPressEvent(event)

    def _move_to(self, place: QPoint) -> None:
        self.adjustSize()
        room = self.parentWidget()
        if room is None:
            return
        x = min(max(8, place.x() - self.width() // 2), max(8, room.width() - self.width() - 8))
        y = place.y() + 12
        if y + self.height() > room.height() - 8:
            y = max(8, place.y() - self.height() - 12)
        self.move(x, y)

    def _typed(self) -> None:
        self.keep.setEnabled(bool(self.text) and self.text != self._before)

    def _keep(self) -> None:
        if self.step is None:
            return
        if not self.text or self.text == self._before:
            self.give_up()
            return
        self.keep_requested.emit(self.step, self.text)

    def _delete(self) -> None:
        if self.step is not None:
            self.keep_requested.emit(self.step, "")
