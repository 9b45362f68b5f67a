"""The field for a note on a step; the rest of the window stays usable while it is open."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop import format
from helm_desktop.actions import places
from helm_desktop.theme import set_look
from helm_desktop.widgets import handle_key

WIDTH = 320
LINES = 3


class NoteEdit(QPlainTextEdit):
    """The text of a note. Enter saves it, Shift+Enter begins another line, Tab moves the focus."""

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
    """A card over the window, open until the note is saved, deleted or discarded."""

    save_requested = Signal(int, str)  # the step and the text; an empty text deletes the note

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.step: int | None = None
        self._before = ""
        set_look(self, "card")
        self.setFixedWidth(WIDTH)
        self.title = QLabel()
        set_look(self.title, "quiet")
        self.edit = NoteEdit()
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        set_look(self.problem, "bad")
        self.delete, self.cancel, self.save = (
            QPushButton("Delete"),
            QPushButton("Cancel"),
            QPushButton("Save"),
        )
        set_look(self.save, "primary")
        self._lay_out()
        self.edit.done.connect(self._request_save)
        self.edit.textChanged.connect(self._typed)
        self.save.clicked.connect(self._request_save)
        self.cancel.clicked.connect(self.discard)
        self.delete.clicked.connect(self._delete)
        self.hide()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.delete)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.edit)
        column.addWidget(self.problem)
        column.addLayout(buttons)

    def open(self, step: int, text: str, place: QPoint) -> None:
        """Open the field with the text of the note on a step; `place` is a point of the window."""
        self.step, self._before = step, text
        title = f"Note on step {format.step(step)}"
        self.title.setText(title)
        self.edit.setAccessibleName(title)
        self.delete.setAccessibleName(f"Delete the note on step {format.step(step)}")
        self.delete.setVisible(bool(text))
        self.edit.setPlainText(text)
        self.edit.selectAll()
        self.show_problem("")
        self._typed()
        self._move_to(place)
        self.show()
        self.raise_()
        self.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_and_return_draft(self) -> tuple[int, str] | None:
        """Close the field, and return the step and its text when that was changed; None when it was not."""
        step, text = self.step, self.text
        self.discard()
        return (step, text) if step is not None and text and text != self._before else None

    @property
    def text(self) -> str:
        """The text that is typed, without surrounding space."""
        return self.edit.toPlainText().strip()

    def show_problem(self, sentence: str) -> None:
        """Show why the note could not be saved; an empty sentence hides the message."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.setEnabled(True)
        self.adjustSize()

    def discard(self) -> None:
        """Close the field and discard what was typed."""
        self.step = None
        self.setEnabled(True)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.FORM, {"leave": self.discard}):
            super().keyPressEvent(event)

    def _move_to(self, place: QPoint) -> None:
        self.adjustSize()
        parent = self.parentWidget()
        if parent is None:
            return
        x = min(max(8, place.x() - self.width() // 2), max(8, parent.width() - self.width() - 8))
        y = place.y() + 12
        if y + self.height() > parent.height() - 8:
            y = max(8, place.y() - self.height() - 12)
        self.move(x, y)

    def _typed(self) -> None:
        self.save.setEnabled(bool(self.text) and self.text != self._before)

    def _request_save(self) -> None:
        if self.step is None:
            return
        if not self.text or self.text == self._before:
            self.discard()
            return
        self.save_requested.emit(self.step, self.text)

    def _delete(self) -> None:
        if self.step is not None:
            self.save_requested.emit(self.step, "")
