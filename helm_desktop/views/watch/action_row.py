"""One action of a rule: what kind it is, what it needs to know, and a button that takes it out."""

from __future__ import annotations

import json

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.controls.control import Control
from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.rules.action_draft import CAPTURE, KINDS, ActionDraft
from helm_desktop.theme import set_look
from helm_desktop.views.watch.form_rows import TextField, labelled, small_label
from helm_sdk.protocol.kinds import InvalidValue, check

_TITLES = dict(KINDS)
_HINTS = {
    "notify": "In the window, and as a notification of the desktop's.",
    "run": "What happened is in its environment as HELM_RULE_METRIC, HELM_RULE_STEP and so on.",
    "webhook": "A POST of JSON with the run, the metric, its step and value.",
}


class ActionRow(QFrame):
    """Shows a draft and writes what is typed back into it."""

    changed = Signal()
    gone = Signal(object)  # the row

    def __init__(
        self, draft: ActionDraft, controls: ControlsModel | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        set_look(self, "inset")
        self.draft = draft
        self._controls = controls
        self.fields: dict[str, TextField] = {}
        self.beep, self.control = QCheckBox("and beep"), QComboBox(self)
        self.control.hide()
        self.remove = QPushButton("×")
        self.control.setAccessibleName("Control to send")
        title = _TITLES[draft.kind]
        self.setAccessibleName(f"Action: {title}")
        self.remove.setAccessibleName(f"Remove the action: {title}")
        self.remove.setFixedWidth(22)
        set_look(self.remove, "flat")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 6, 6, 8)
        self._column.setSpacing(6)
        self._head(title)
        build = {"notify": self._notify, "run": self._run, "webhook": self._call}
        build.get(draft.kind, self._send)()
        self.remove.clicked.connect(self._remove)

    def show_wrong(self) -> None:
        """Marks the fields that cannot be used, by what the draft says."""
        for name, field in self.fields.items():
            field.set_invalid(self.draft.wrong.get(name, "") if field.text().strip() else "")

    def judge_input(self) -> None:
        """Say beside the input why the control would refuse it now; it may take it when the rule fires."""
        control = self._chosen()
        if control is None or self.draft.wrong:
            return
        try:
            check(control.node, json.loads(self.draft.input or "null"))
        except (InvalidValue, ValueError) as error:
            message = error.sentence if isinstance(error, InvalidValue) else str(error)
            self.fields["input"].set_invalid(message)

    # Building ----------------------------------------------------------------------------------

    def _head(self, title: str) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(QLabel(f"{title[:1].upper()}{title[1:]}"))
        line.addWidget(self.beep)
        line.addStretch(1)
        line.addWidget(self.remove)
        self._column.addLayout(line)
        self.beep.setVisible(self.draft.kind == "notify")
        if hint := _HINTS.get(self.draft.kind):
            self.remove.setToolTip("Remove this action")
            self.setToolTip(hint)

    def _notify(self) -> None:
        self.beep.setChecked(self.draft.beep)
        self.beep.clicked.connect(self._beeps)

    def _run(self) -> None:
        self._field("command", "Program", "Program to run", "notify-send helm")
        self._field("timeout", "At most", "End it after", "30 s")

    def _call(self) -> None:
        self._field("url", "Address", "Address to call", "https://…")
        self._field("timeout", "At most", "Give it up after", "10 s")

    def _send(self) -> None:
        draft = self.draft
        if draft.kind == "send":
            names = [control.name for control in self._offered()]
            if draft.control and draft.control not in names:
                names.append(draft.control)  # of a run that declares it; this one does not
            self.control.show()
            self.control.addItems(names)
            self.control.setCurrentText(draft.control or (names[0] if names else ""))
            self._column.addWidget(labelled("Control", self.control))
            self.control.activated.connect(self._control_chosen)
        fresh = not draft.control
        draft.control = CAPTURE if draft.kind == CAPTURE else self.control.currentText()
        if fresh:
            draft.input = self._suggested()
        what = "What to capture, as JSON" if draft.kind == CAPTURE else "Its input as JSON"
        self._field("input", "What" if draft.kind == CAPTURE else "Input", what, '{"lr": "1e-4"}')
        self._field("budget", "At most", "How many times at most", "3").set_unit("times")
        self._field("per", "In", "In how long", "1 h")
        self._field("cool_down", "Rest", "Rest after each", "60 s")
        self._field("reason", "Reason", "Reason that the run keeps with it", "rule, metric and value")
        if self._processes() > 1 or draft.process:
            self._field("process", "Process", "Process to send to, or all", "the first that declares it")

    def _field(self, name: str, label: str, title: str, hint: str) -> TextField:
        field = self.fields[name] = TextField(title, hint)
        field.setText(str(getattr(self.draft, name)))
        field.setToolTip(title)
        field.setProperty("part", name)
        field.textEdited.connect(self._typed)
        self._column.addWidget(labelled(label, field))
        return field

    # What is there -----------------------------------------------------------------------------

    def _offered(self) -> list[Control]:
        return [own for own in self._controls.controls if own.name != CAPTURE] if self._controls else []

    def _chosen(self) -> Control | None:
        named = self.draft.kind in ("send", CAPTURE)
        return self._controls.control(self.draft.control) if named and self._controls is not None else None

    def _processes(self) -> int:
        control = self._chosen()
        return len(control.processes) if control is not None else 0

    def _suggested(self) -> str:
        """Return the value to begin with: the current one, where the control accepts it."""
        control = self._chosen()
        value = None if control is None else control.current.value
        return json.dumps({} if value is None else value, ensure_ascii=False)

    # The user's hand ---------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        setattr(self.draft, str(self.sender().property("part")), text)
        self.changed.emit()

    def _beeps(self, on: bool) -> None:
        self.draft.beep = on
        self.changed.emit()

    def _control_chosen(self) -> None:
        self.draft.control = self.control.currentText()
        self.draft.input = self._suggested()
        self.fields["input"].setText(self.draft.input)
        self.changed.emit()

    def _remove(self) -> None:
        self.gone.emit(self)


def none_yet() -> QLabel:
    """Return the text for a rule that only marks."""
    return small_label("Nothing: what fires is marked ▲ and listed in Activity.")
