"""The values of one keyframe, typed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.theme import set_look
from helm_desktop.widgets import NumberField, handle_key

_STEP, _AXIS, _VALUE = 104, 150, 108


class KeyframeFields(QFrame):
    """Beside its handle. What is typed counts at once; what cannot be stays there with a sentence."""

    def __init__(self, model: DraftModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.index = 0
        set_look(self, "raised")
        self.step, self.value = NumberField("Step", unit="step"), NumberField("Value")
        self.value.setFixedWidth(_VALUE)
        self.delete = QPushButton("Delete")
        self.delete.setAccessibleName("Delete this keyframe")
        self.done = QPushButton("Done")
        self.said = QLabel()
        self.said.setWordWrap(True)
        set_look(self.said, "bad")
        self.said.hide()
        row = QHBoxLayout()
        row.setSpacing(6)
        for widget in (self.step, self.value, self.delete, self.done):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.said)
        for field in (self.step, self.value):
            field.typed.connect(self._typed)
            field.returnPressed.connect(self.finish)
        self.done.clicked.connect(self.finish)
        self.delete.clicked.connect(self._delete)
        self.hide()

    def show_at(self, index: int, place: QPoint, typed: str = "") -> None:
        """Open for a keyframe near a place of the parent; with what was typed in place of its value."""
        draft, parent = self._model.draft, self.parentWidget()
        if draft is None or parent is None:
            return
        self.index = index
        self.step.set_unit(draft.axis)
        self.step.setFixedWidth(_STEP if draft.axis == STEP else _AXIS)
        self.step.setText(str(draft.keyframes[index].at))
        self.value.setText(str(draft.keyframes[index].value))
        self.delete.setEnabled(len(draft.keyframes) > 1 and not draft.passed(index))
        self._show_problem("")
        self.adjustSize()
        x = min(max(4, place.x() - self.width() // 2), max(4, parent.width() - self.width() - 4))
        y = place.y() + 14
        if y + self.height() > parent.height() - 4:
            y = max(4, place.y() - self.height() - 14)
        self.move(x, y)
        self.show()
        self.raise_()
        self.value.setFocus(Qt.FocusReason.PopupFocusReason)
        self.value.setCursorPosition(len(self.value.text()))
        self.value.cursorBackward(True, len(self.value.text()))  # so that its first figures are seen
        if typed:
            self.value.insert(typed)
            self._typed()

    def finish(self) -> None:
        """Closes; what could not be taken is forgotten."""
        self._show_problem("")
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.FORM, {"leave": self.finish}):
            super().keyPressEvent(event)

    def _typed(self) -> None:
        self._show_problem(self._model.type(self.index, self.step.text(), self.value.text()))

    def _show_problem(self, sentence: str) -> None:
        about_step = not sentence.startswith("value")
        self.step.set_invalid(sentence if about_step else "")
        self.value.set_invalid("" if about_step else sentence)
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))
        self._model.set_typing(sentence)
        self.adjustSize()

    def _delete(self) -> None:
        self._model.remove(self.index)
        self.finish()
