"""The controls of a run for their cards: their values, what the run used, and the commands to them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.model.controls.approval_policy import ApprovalPolicy
from helm_desktop.model.controls.card_notes import CardNote, CardNotes
from helm_desktop.model.controls.command_log import CommandLog
from helm_desktop.model.controls.control import Control, UsedValue
from helm_desktop.model.controls.declared_controls import DeclaredControls
from helm_desktop.model.controls.labels import ChangeEntry, CommandStage, entries
from helm_desktop.model.controls.mixture_sampled import SAMPLED_POINTS, Tail, sampled_shares
from helm_desktop.model.controls.safe_point_rate import SafePointRates
from helm_desktop.model.controls.sent_commands import SentCommands
from helm_desktop.model.controls.shell_command import shell_command
from helm_desktop.model.controls.track import command_track
from helm_desktop.model.rules.approvers import ApprovalNeed
from helm_sdk.protocol.commands import RECEIVED
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.kinds import InvalidValue, check
from helm_sdk.protocol.messages import Command, ControlState, Event, Heartbeat, RateOverride
from helm_sdk.protocol.peer import RunState


class ControlsModel(QObject):
    """The controls of a run by name. Changes within one turn of the event loop are one signal a control.

    tail: returns the last points of a stream; None where streams are not shown.
    """

    controls_changed = Signal()  # the list of controls
    control_changed = Signal(str)  # the name of the control

    def __init__(self, parent: QObject | None = None, *, tail: Tail | None = None) -> None:
        super().__init__(parent)
        self.run = "latest"  # the argument by which helmctl finds the run
        self.commands = CommandLog()
        self.approvals = ApprovalPolicy(self.commands, self)
        self.approvals.changed.connect(self._mark_all_stale)
        self._declared = DeclaredControls()
        self._sent = SentCommands()
        self._notes = CardNotes()
        self._rates = SafePointRates()
        self._tail = tail
        self._overrides: tuple[RateOverride, ...] = ()
        self._used: dict[str, UsedValue] = {}  # the newest point of each stream
        self._paused = False
        self._ended = False
        self._stale: set[str] = set()  # names of controls that have to be refreshed
        self._unreported: set[str] = set()  # names that changed since the last signals
        self._clock = QTimer(self, singleShot=True, interval=0)
        self._clock.timeout.connect(self.flush)

    @property
    def controls(self) -> list[Control]:
        """All controls, in the order of their declaration."""
        self._refresh_stale()
        return list(self._declared)

    def control(self, name: str) -> Control | None:
        """Return the control of this name, or None."""
        self._refresh_stale()
        return self._declared.get(name)

    # Updates of the run ----------------------------------------------------------------------

    def apply_catalogue(self, process: str, revision: int, body: Any) -> None:
        """Read the "capabilities" catalogue of a process; raise msgspec.ValidationError for a bad one."""
        self.set_catalogue(msgspec.convert(body, tuple[ControlState, ...]), process)

    def set_catalogue(self, states: Iterable[ControlState], process: str = "") -> None:
        """Set the controls that a process declares now."""
        declared = tuple(states)
        for state in declared:
            self.commands.declare(state.capability, process)
        changed = self._declared.set(process, declared)
        self._mark_all_stale()
        if changed:
            self.controls_changed.emit()

    def apply_event(self, process: str, event: Event, attempt: int = 1) -> None:
        """Apply a command event; other events change nothing."""
        record = self.commands.add(event, process, attempt)
        if record is not None:
            if event.body.get("state") == RECEIVED:
                self.approvals.count(record)
            self._mark_stale(record.capability)

    def begin_attempt(self, process: str, attempt: int) -> None:
        """Begin the next attempt of a process: values that were set in it before no longer hold."""
        self.commands.begin_attempt(process, attempt)
        self._mark_all_stale()

    def set_run_state(self, state: RunState) -> None:
        """Set the state of the run: at its end open commands fail, and nothing more can be sent."""
        if state.ended != self._ended:
            self._ended = state.ended
            self.commands.set_ended(state.ended)
            self._mark_all_stale()

    def on_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the safe points of a heartbeat, and whether the run is paused."""
        self._rates.on_heartbeat(heartbeat)
        if heartbeat.paused != self._paused:
            self._paused = heartbeat.paused
            self._mark_all_stale()
        self._mark_stale(*(own.name for own in self._declared if own.latest and own.latest.open))

    def on_points(self) -> None:
        """Read the new points of the streams that cards show."""
        if self._tail is None:
            return
        for control in self._declared:
            if control.capability.reads:
                steps, values = self._tail(control.capability.reads, 1, None)
                if len(steps):
                    self.set_stream_value(control.capability.reads, int(steps[-1]), float(values[-1]))
        self._mark_stale(*(own.name for own in self._declared if own.mixture is not None))

    def set_stream_value(self, name: str, step: int, value: float) -> None:
        """Set the newest point of a stream; the controls that read it show it as the value that ran."""
        self._used[name] = UsedValue(value, step)
        self._mark_stale(*(own.name for own in self._declared.readers(name)))

    def set_rate_overrides(self, overrides: Sequence[RateOverride]) -> None:
        """Set the overrides of all rates; the control that sets one of these rates shows them."""
        self._overrides = tuple(overrides)
        for control in self._declared:
            if self._overrides_of(control) != control.rate_overrides:
                self._mark_stale(control.name)

    def set_note(self, name: str, text: str, mark: str = "") -> None:
        """Set the note on the card of a control, and the kind of its mark."""
        if self._notes.set(name, CardNote(text, mark)):
            self._mark_stale(name)

    # Commands to the run ---------------------------------------------------------------------

    def compose(self, name: str, value: Any, reason: str = "", process: str = "", **more: Any) -> Command:
        """Return a new command with an id, without sending it. `more`: further fields of Command."""
        return Command(
            id=str(uuid.uuid4()),
            capability=name,
            input=value,
            version=self._declared[name].capability.version,
            process=process,
            reason=reason,
            **more,
        )

    def on_sent(self, command: Command) -> None:
        """Show a command as requested as soon as it is sent."""
        if self._declared.get(command.capability) is not None:
            self._sent.add(command)
            self._mark_stale(command.capability)
            self.flush()

    def on_refused(self, command_id: str, message: str) -> None:
        """Show why a command was not received; `message` is one sentence."""
        self._mark_stale(self._sent.refuse(command_id, message))

    def problem_of(self, name: str, value: Any) -> str:
        """Return why the schema of the control refuses a value, in one sentence; empty when it does not."""
        try:
            check(self._declared[name].node, value)
        except InvalidValue as error:
            return error.sentence
        return ""

    def approval_need(self, name: str, value: Any) -> ApprovalNeed:
        """Return who has to approve a value, or why the policy of the run refuses it."""
        return self.approvals.need(self._declared[name].capability, value)

    def shell_command(self, command: Command) -> str:
        """Return the shell command with `helmctl send` that sends the same command."""
        return shell_command(self.run, command)

    # For the cards ---------------------------------------------------------------------------

    def track(self, name: str) -> list[CommandStage]:
        """Return the stages of the newest command to a control; empty without one."""
        return command_track(self._refreshed(name), self._rates, paused=self._paused)

    def entries(self, record: CommandRecord) -> list[ChangeEntry]:
        """Return the states of one command, each as a line."""
        control = self._declared.get(record.capability)
        return entries(record, control.node if control is not None else None)

    def previous_value(self, name: str) -> Any:
        """Return the value to send to undo the last applied change; None when there is none."""
        control = self._refreshed(name)
        change = control.current.change
        if change is None or change.applied is None:
            return None
        earlier = self.commands.inputs_before(change)[:1]
        for value in (change.applied.body.old, *earlier, control.capability.starting):
            if value is not None and not self.problem_of(name, value):
                return value
        return None

    def sampled(self, name: str, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
        """Return the share of each mixture component that the run sampled since the last applied change."""
        control = self.control(name)
        return {} if control is None or self._tail is None else sampled_shares(control, self._tail, points)

    # Refresh and signals ---------------------------------------------------------------------

    def flush(self) -> None:
        """Emit the signals of changed controls now and not at the next turn of the event loop."""
        self._clock.stop()
        self._refresh_stale()
        changed, self._unreported = self._unreported, set()
        for name in [name for name in self._declared.names if name in changed]:
            self.control_changed.emit(name)

    def _mark_all_stale(self) -> None:
        self._mark_stale(*self._declared.names)

    def _mark_stale(self, *names: str) -> None:
        known = set(self._declared.names) & set(names)
        self._stale |= known
        self._unreported |= known
        if known and not self._clock.isActive():
            self._clock.start()

    def _refresh_stale(self) -> None:
        stale, self._stale = self._stale, set()
        for name in stale:
            control = self._declared.get(name)
            if control is not None:
                self._refresh(control)

    def _refreshed(self, name: str) -> Control:
        self._refresh_stale()
        return self._declared[name]

    def _refresh(self, control: Control) -> None:
        name, reads = control.name, control.capability.reads
        control.run_ended = self._ended
        control.current = self.commands.current(control.capability)
        control.latest = next(iter(self.commands.of(name)), None)
        sent = self._sent.of(name)
        if sent is not None and self.commands.knows(sent.command.id):
            self._sent.remove(name)
        control.sent = self._sent.of(name)
        control.ran = self._used.get(reads)
        control.rate_overrides = self._overrides_of(control)
        control.note = self._notes.of(name)

    def _overrides_of(self, control: Control) -> tuple[RateOverride, ...]:
        streams = {override.stream for override in self._overrides}
        return self._overrides if control.capability.reads in streams else ()
