"""The card of one control."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from helm_desktop.model.controls.control import Control, weights_in
from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.labels import value_text
from helm_desktop.model.controls.schedule_labels import each_override_label
from helm_desktop.theme import set_look
from helm_desktop.views.controls.card_labels import now_line, since_line, state_line, value_line
from helm_desktop.views.controls.changes import ChangeEntryLines, ChangeList
from helm_desktop.views.controls.decisions import CommandButtons
from helm_desktop.views.controls.editor import ValueEditor, order_tabs
from helm_desktop.views.controls.factory import make_editor
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.header import CardHeader, quiet_label
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.mixture_lines import MixtureLines
from helm_desktop.views.controls.terms import SendOptions
from helm_desktop.widgets import FlowLayout, MarkGlyph, SegmentedControl, Step, StepTrack
from helm_sdk.protocol.kinds import MISSING, InvalidValue, check
from helm_sdk.protocol.messages import Command


class ControlCard(QFrame):
    """Shows a control; opened, it has the form. What somebody types is never overwritten by what arrives."""

    send_requested = Signal(object)  # Command

    def __init__(self, model: ControlsModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.name = name
        control = self._control()
        self.made_from = control.capability
        self._mixture = control.mixture
        self._seen: tuple[int, str] | None = None  # the change that the form was filled from
        self._dirty = False
        set_look(self, "card")
        self.setAccessibleName(f"Control {name}")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.decisions = CommandButtons(name)
        self.header = CardHeader(name, control.button, control.capability.help)
        self.line, self.track = quiet_label(), StepTrack()
        self.mark = MarkGlyph("checkpoint")
        self.lines = MixtureLines(control.mixture[1].components) if control.mixture else None
        self.body = QWidget()
        self.editor: ValueEditor | None = None
        self.terms, self.send = SendOptions(name), QPushButton("Send")
        self.reason, self.rules = self.terms.reason, quiet_label()
        self.previous, self.history = QPushButton("Send the previous value"), QPushButton("History")
        self.copy, self.complaint = QPushButton("Copy as shell command"), quiet_label()
        self.entries, self.changes = ChangeEntryLines(), ChangeList(model, name)
        self.process: SegmentedControl | None = None
        self._lay_out()
        self._connect()
        self.set_open(self._mixture is not None)
        self.refresh()

    @property
    def is_open(self) -> bool:
        """Whether the form is in sight."""
        return not self.body.isHidden()

    def set_open(self, on: bool) -> None:
        """Show or hide the form; it is made when it is first shown."""
        if on and self.editor is None and self._control().takes_input:
            self._make_editor()
        self.body.setVisible(on)
        self.refresh()

    def value(self) -> Any:
        """Return what Send would send."""
        if self.header.button is not None and (self.editor is None or not self.is_open):
            return {}
        value = self.editor.value() if self.editor is not None else None
        if self._mixture is not None and self._mixture[0]:
            return {self._mixture[0]: value}
        return None if value is MISSING else value

    def problem(self) -> str:
        """Return why Send is disabled, in one sentence; empty when it is not."""
        control = self._control()
        if control.blocked:
            return control.blocked
        if isinstance(self.editor, RecordForm):
            message = self.editor.validate()
        else:
            message = self.editor.problem() if self.editor is not None else ""
        if message:
            return message
        if self.editor is not None and self.is_open and self.editor.value() is MISSING:
            return f"{self.name} is empty"
        if self.is_open and (message := self.terms.problem()):
            return message
        value = self.value()
        try:
            check(control.node, value)
        except InvalidValue as error:
            return error.sentence
        return self._model.approval_need(self.name, value).refused

    def refresh(self) -> None:
        """Show what the model knows now; a draft stays as it is."""
        control = self._control()
        self.header.show_value(value_line(control))
        self._refresh_rules(control)
        self.line.setText(state_line(control))
        self.line.setToolTip(each_override_label(control.rate_overrides))
        self.line.setVisible(bool(self.line.text()))
        self.mark.setVisible(bool(control.note.mark) and not control.unavailable)
        self.track.set_steps([Step(station.text, station.stage) for station in self._model.track(self.name)])
        self._refresh_waiting(control)
        self.track.setToolTip(since_line(control))
        self.track.setVisible(bool(self.track.steps))
        self._refresh_mixture(control)
        if self.is_open:
            self._fill(control)
            self._refresh_body(control)
        self._refresh_send()

    def _control(self) -> Control:
        control = self._model.control(self.name)
        assert control is not None
        return control

    # Building --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(7, 6, 7, 9)  # the header reaches out for its ring of focus
        whole.setSpacing(1)
        column = QVBoxLayout()
        column.setContentsMargins(5, 0, 5, 0)
        column.setSpacing(4)
        note = QHBoxLayout()
        note.setSpacing(4)
        note.addWidget(self.mark)
        note.addWidget(self.line, 1)
        whole.addWidget(self.header)
        whole.addLayout(column)
        column.addLayout(note)
        if self.lines is not None:
            column.addWidget(self.lines)
        column.addWidget(self.track)
        column.addWidget(self.decisions)
        column.addWidget(self.body)
        self._inside = QVBoxLayout(self.body)
        self._inside.setContentsMargins(0, 4, 0, 2)
        self._inside.setSpacing(8)
        set_look(self.send, "primary")
        self.send.setAccessibleName(f"Send {self.name}")
        self.changes.hide()
        for widget in (self.terms, self.rules, self.complaint, self.entries, *self._buttons(), self.changes):
            self._inside.addWidget(widget)

    def _buttons(self) -> tuple[QWidget, QWidget]:
        """Return what acts, Send at the right; below it what looks back or aside."""
        acts, links = QWidget(), QWidget()
        self.acts = QHBoxLayout(acts)
        self.acts.setContentsMargins(0, 0, 0, 0)
        self.acts.setSpacing(8)
        self.acts.addStretch(1)
        self.acts.addWidget(self.send)
        flow = FlowLayout(links, gap=14, line_gap=2)
        if self._mixture is None:
            self.acts.insertWidget(0, self.previous)
        for button in (self.previous, self.history, self.terms.link, self.copy):
            if button is not self.previous or self._mixture is not None:
                set_look(button, "link")
                flow.addWidget(button)
        self.send.setVisible(self.header.button is None)
        return acts, links

    def _connect(self) -> None:
        self.header.toggled.connect(self._toggle)
        self.send.clicked.connect(self._send)
        self.terms.send_requested.connect(self._send)
        self.terms.changed.connect(self._refresh_send)
        self.previous.clicked.connect(self._send_previous)
        self.history.clicked.connect(self._toggle_history)
        self.copy.clicked.connect(self._copy)
        self.changes.again_requested.connect(self._again)
        self.changes.copy_requested.connect(self._copy_text)
        if self.header.button is not None:
            self.header.button.clicked.connect(self._send)

    def _make_editor(self) -> None:
        control = self._control()
        node = self._mixture[1] if self._mixture is not None else control.node
        self.editor = make_editor(node, self.name)
        self.editor.edited.connect(self._edited)
        self._inside.insertWidget(0, self.editor)
        order_tabs(self.header, self.editor, self.reason)  # it is made last and stands first
        if isinstance(self.editor, MixtureEditor):
            self.editor.points_changed.connect(self.refresh)
            for number, button in enumerate((self.editor.even, self.editor.reset)):
                self.acts.insertWidget(number, button)
        if len(control.processes) > 1:
            options = [("all", "all"), *((process, process) for process in control.processes)]
            self.process = SegmentedControl(options, name="Process")
            self.process.set_value("all")
            self._inside.insertWidget(1, self.process)

    # Keeping up ------------------------------------------------------------------------------

    def _fill(self, control: Control) -> None:
        change = control.current.change
        seen = (control.current.revision, change.id if change is not None else "")
        if self.editor is None or isinstance(self.editor, MixtureEditor) or self._dirty or seen == self._seen:
            return
        self._seen = seen
        value = control.current.value
        fits = value is not None and not self._model.problem_of(self.name, value)
        self.editor.set_value(value if fits else MISSING)

    def _refresh_mixture(self, control: Control) -> None:
        if self._mixture is None or self.lines is None:
            return
        field = self._mixture[0]
        now = weights_in(control.current.value, field)
        points = self.editor.points if isinstance(self.editor, MixtureEditor) else 10
        sampled = self._model.sampled(self.name, points)
        if isinstance(self.editor, MixtureEditor):
            self.editor.set_now(now, now_line(control))
            self.editor.set_sampled(sampled)
        change = control.current.change
        before = weights_in(change.applied.body.old, field) if change and change.applied else {}
        self.lines.show_shares(now, before, sampled)
        self.lines.setVisible(not self.is_open)
        self.line.setVisible(bool(self.line.text()) and (bool(control.unavailable) or not self.is_open))

    def _refresh_waiting(self, control: Control) -> None:
        """What can be done about the request that waits: an older one too, when the newest is done."""
        record = self._model.commands.waiting(self.name) if control.sent is None else None
        not_here = self._model.approvals.cannot_approve(record) if record is not None else ""
        newest = control.latest is not None and record is not None and control.latest.id == record.id
        older = value_text(control.node, record.input) or "an earlier change" if record is not None else ""
        self.decisions.show_record(record, not_here, "" if newest else f"Still pending: {older}")
        self.terms.show_record(record)

    def _refresh_rules(self, control: Control) -> None:
        """Who has to approve what would be sent."""
        ruling = self._model.approval_need(self.name, control.current.value)
        words = "needs approval" if ruling.needs else "not allowed" if ruling.approval == "refused" else ""
        self.header.show_rule(words, ruling.refused or ruling.reason)
        self.rules.setText(ruling.text())
        self.rules.setVisible(bool(self.rules.text()) and not control.blocked)
        set_look(self.rules, "warn" if ruling.approval != "none" else "small")

    def _refresh_body(self, control: Control) -> None:
        records = self._model.commands.of(self.name)
        self.history.setText(f"History {len(records)}")
        self.history.setVisible(bool(records))
        before = self._model.previous_value(self.name)
        self.previous.setVisible(before is not None and not control.blocked)
        refused = self._model.approval_need(self.name, before).refused if before is not None else ""
        self.previous.setEnabled(not refused)
        self.previous.setToolTip(refused or value_text(control.node, before))
        self.entries.show_entries(self._model.entries(records[0]) if records and not control.sent else [])
        self.entries.setVisible(bool(self.entries.shown) and self._mixture is None)
        if not self.changes.isHidden():
            self.changes.refresh()

    def _refresh_send(self) -> None:
        control = self._control()
        message = self.problem() if self.is_open or self.header.button is not None else control.blocked
        in_form = isinstance(self.editor, RecordForm) and self.editor.complains
        unchanged = isinstance(self.editor, MixtureEditor) and not self.editor.draft.changed
        self.send.setEnabled(not message and not unchanged)
        set_look(self.complaint, "bad" if self._dirty else "small")  # nothing is wrong with an untouched form
        self.send.setToolTip(message or ("Nothing is drafted: drag a divider first" if unchanged else ""))
        self.complaint.setText(message)
        self.complaint.setVisible(bool(message) and not in_form and not control.blocked)
        if self.header.button is not None:
            self.header.button.setEnabled(not message)
            self.header.button.setToolTip(message)
        self.copy.setEnabled(not message)

    # The user's hand -------------------------------------------------------------------------

    def _toggle(self) -> None:
        self.set_open(not self.is_open)

    def _edited(self) -> None:
        self._dirty = True
        self._refresh_send()

    def _send(self) -> None:
        if not self.problem() and (self.send.isEnabled() or self.header.button is not None):
            self._dispatch(self.value())

    def _send_previous(self) -> None:
        value = self._model.previous_value(self.name)
        if value is not None:
            self._dispatch(value)

    def _dispatch(self, value: Any) -> None:
        command = self._composed(value)
        self.terms.clear()
        self._dirty = False
        self.send_requested.emit(command)

    def _again(self, value: Any) -> None:
        if self.editor is not None:
            inner = value.get(self._mixture[0]) if self._mixture and self._mixture[0] else value
            self.editor.set_value(inner)
            self._edited()

    def _toggle_history(self) -> None:
        self.changes.setVisible(self.changes.isHidden())
        self.refresh()

    def _copy(self) -> None:
        self._copy_text(self._model.shell_command(self._composed(self.value())))

    def _composed(self, value: Any) -> Command:
        process = str(self.process.value) if self.process is not None else ""
        return self._model.compose(self.name, value, process=process, **self.terms.options())

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
