"""The fields in which the values of one keyframe are typed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.theme import set_look
from helm_desktop.widgets import NumberField, handle_key

_STEP_PX, _AXIS_PX, _VALUE_PX = 104, 150, 108  # widths


class KeyframeFields(QFrame):
    """Fields beside a keyframe's handle. A value applies as it is typed; a wrong one is explained below."""

    def __init__(self, model: DraftModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.index = 0
        set_look(self, "raised")
        self.step, self.value = NumberField("Step", unit="step"), NumberField("Value")
        self.value.setFixedWidth(_VALUE_PX)
        self.delete = QPushButton("Delete")
        self.delete.setAccessibleName("Delete this keyframe")
        self.done = QPushButton("Done")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        set_look(self.problem, "bad")
        self.problem.hide()
        row = QHBoxLayout()
        row.setSpacing(6)
        for widget in (self.step, self.value, self.delete, self.done):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.problem)
        for field in (self.step, self.value):
            field.typed.connect(self._typed)
            field.returnPressed.connect(self.finish)
        self.done.clicked.connect(self.finish)
        self.delete.clicked.connect(self._delete)
        self.hide()

    def show_at(self, index: int, place: QPoint, typed: str = "") -> None:
        """Open for a keyframe, near a point of the parent. `typed` replaces the value of the keyframe."""
        draft, parent = self._model.draft, self.parentWidget()
        if draft is None or parent is None:
            return
        self.index = index
        self.step.set_unit(draft.axis)
        self.step.setFixedWidth(_STEP_PX if draft.axis == STEP else _AXIS_PX)
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
        self.value.cursorBackward(True, len(self.value.text()))  # so that the first digits are in view
        if typed:
            self.value.insert(typed)
            self._typed()

    def finish(self) -> None:
        """Close the fields; a value that could not be applied is discarded."""
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
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self._model.set_typing(sentence)
        self.adjustSize()

    def _delete(self) -> None:
        self._model.remove(self.index)
        self.finish()
