"""What a rule does when it fires: which of them, and what each needs to know."""

from __future__ import annotations

import json

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from helm_desktop.model.controls import ControlsModel
from helm_desktop.model.rule_draft import BEEP, CALL, NOTIFY, RUN, SEND, RuleDraft
from helm_desktop.views.watch.choices import Choices
from helm_desktop.views.watch.rows import TextField, labelled
from helm_sdk.protocol.kinds import InvalidValue, check

_ACTIONS = ((NOTIFY, "notify"), (BEEP, "beep"), (SEND, "send a control"), (RUN, "run"), (CALL, "webhook"))


class ActionFields(QWidget):
    """Choices, and below them the fields of those that are chosen."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls: ControlsModel | None = None
        self.then = Choices(_ACTIONS, "Then", several=True)
        self.control = QComboBox()
        self.control.setAccessibleName("Control to send")
        self.input = TextField("Its input as JSON", '{"lr": "1e-4"}')
        self.budget, self.cool_down = TextField("At most"), TextField("Rest after each", "60 s")
        self.budget.set_unit("an hour")
        self.command = TextField("Program to run", "notify-send helm")
        self.url = TextField("Address to call", "https://…")
        self._sending = [
            labelled("Control", self.control),
            labelled("Input", self.input),
            labelled("At most", self.budget),
            labelled("Rest", self.cool_down),
        ]
        self._running, self._calling = labelled("Run", self.command), labelled("Call", self.url)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(labelled("Then", self.then))
        for row in (*self._sending, self._running, self._calling):
            column.addWidget(row)
        self.then.changed.connect(self._chosen)
        self.control.activated.connect(self._control_chosen)
        for field in self._texts():
            field.textEdited.connect(self.changed)
        self._show_rows()

    def set_controls(self, controls: ControlsModel) -> None:
        """The controls that can be sent; a run without any offers none."""
        self._controls = controls
        names = [control.name for control in controls.controls]
        self.control.clear()
        self.control.addItems(names)
        self.then.buttons[SEND].setVisible(bool(names))

    def show_draft(self, draft: RuleDraft) -> None:
        """Shows what a draft says."""
        self.then.set_values(draft.then)
        if draft.control and self.control.findText(draft.control) < 0:
            self.control.addItem(draft.control)
        self.control.setCurrentText(draft.control or self.control.itemText(0))
        texts = (draft.input, draft.budget, draft.cool_down, draft.command, draft.url)
        for field, text in zip(self._texts(), texts, strict=True):
            field.setText(text)
        if not draft.control:
            self._suggest()
        self._show_rows()

    def fill(self, draft: RuleDraft) -> None:
        """Puts what stands in the fields into a draft."""
        draft.then = self.then.values
        draft.control, draft.input = self.control.currentText(), self.input.text()
        draft.budget, draft.cool_down = self.budget.text(), self.cool_down.text()
        draft.command, draft.url = self.command.text(), self.url.text()

    def show_wrong(self, wrong: dict[str, str]) -> None:
        """Marks the fields that cannot be used; an input that the control refuses is one."""
        names = ("input", "budget", "cool_down", "command", "url")
        if SEND in self.then.values and "input" not in wrong and (said := self._refused()):
            wrong["input"] = said
        for name, field in zip(names, self._texts(), strict=True):
            field.set_invalid(wrong.get(name, ""))

    def _refused(self) -> str:
        """Why the control would refuse the input now. It may have changed when the rule fires."""
        control = self._controls.control(self.control.currentText()) if self._controls is not None else None
        try:
            if control is not None:
                check(control.node, json.loads(self.input.text() or "null"))
        except (InvalidValue, ValueError) as error:
            return error.sentence if isinstance(error, InvalidValue) else str(error)
        return ""

    def _texts(self) -> tuple[TextField, ...]:
        return self.input, self.budget, self.cool_down, self.command, self.url

    def _chosen(self) -> None:
        self._show_rows()
        self.changed.emit()

    def _control_chosen(self) -> None:
        self._suggest()
        self.changed.emit()

    def _suggest(self) -> None:
        """The value that holds now is a beginning that the control accepts."""
        control = self._controls.control(self.control.currentText()) if self._controls is not None else None
        value = None if control is None else control.current.value
        self.input.setText(json.dumps({} if value is None else value, ensure_ascii=False))

    def _show_rows(self) -> None:
        chosen = self.then.values
        for row in self._sending:
            row.setVisible(SEND in chosen)
        self._running.setVisible(RUN in chosen)
        self._calling.setVisible(CALL in chosen)
