"""The controls of a run for their cards: what each is set to, what ran, and what was asked for."""

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
    """One Control a name, put together from the parts. Several changes within one turn of the event loop
    are one signal a control. `tail` reads the last points of a stream."""

    controls_changed = Signal()  # which controls there are
    control_changed = Signal(str)  # one of them

    def __init__(self, parent: QObject | None = None, *, tail: Tail | None = None) -> None:
        super().__init__(parent)
        self.run = "latest"  # how helmctl finds the run
        self.commands = CommandLog()
        self.approvals = ApprovalPolicy(self.commands, self)
        self.approvals.changed.connect(self._touch_all)
        self._declared = DeclaredControls()
        self._sent = SentCommands()
        self._notes = CardNotes()
        self._rates = SafePointRates()
        self._tail = tail
        self._overrides: tuple[RateOverride, ...] = ()
        self._used: dict[str, UsedValue] = {}  # the newest point by stream
        self._paused = False
        self._ended = False
        self._stale: set[str] = set()  # to be put together anew
        self._unreported: set[str] = set()  # changed since control_changed was last emitted
        self._clock = QTimer(self, singleShot=True, interval=0)
        self._clock.timeout.connect(self.flush)

    @property
    def controls(self) -> list[Control]:
        """Every control, as declared."""
        self._refresh_stale()
        return list(self._declared)

    def control(self, name: str) -> Control | None:
        """Return the control of that name."""
        self._refresh_stale()
        return self._declared.get(name)

    # What comes in ---------------------------------------------------------------------------

    def apply_catalogue(self, process: str, revision: int, body: Any) -> None:
        """Read the "capabilities" catalogue of a process; msgspec.ValidationError when it cannot be read."""
        self.set_catalogue(msgspec.convert(body, tuple[ControlState, ...]), process)

    def set_catalogue(self, states: Iterable[ControlState], process: str = "") -> None:
        """Set what a process declares now."""
        declared = tuple(states)
        for state in declared:
            self.commands.declare(state.capability, process)
        changed = self._declared.set(process, declared)
        self._touch_all()
        if changed:
            self.controls_changed.emit()

    def apply_event(self, process: str, event: Event, attempt: int = 1) -> None:
        """Fold one event in; those of other kinds change nothing."""
        record = self.commands.add(event, process, attempt)
        if record is not None:
            if event.body.get("state") == RECEIVED:
                self.approvals.count(record)
            self._touch(record.capability)

    def begin_attempt(self, process: str, attempt: int) -> None:
        """Let a process start again: values given to it before no longer hold."""
        self.commands.begin_attempt(process, attempt)
        self._touch_all()

    def set_run_state(self, state: RunState) -> None:
        """Set the state of the run: once it has ended nothing can be sent, and what was open has failed."""
        if state.ended != self._ended:
            self._ended = state.ended
            self.commands.set_ended(state.ended)
            self._touch_all()

    def heard(self, heartbeat: Heartbeat) -> None:
        """Take a heartbeat: while a run is paused only the trainer's safe point is served."""
        self._rates.on_heartbeat(heartbeat)
        if heartbeat.paused != self._paused:
            self._paused = heartbeat.paused
            self._touch_all()
        self._touch(*(own.name for own in self._declared if own.latest and own.latest.open))

    def points_arrived(self) -> None:
        """Read the streams that cards show: they have new points."""
        if self._tail is None:
            return
        for control in self._declared:
            if control.capability.reads:
                steps, values = self._tail(control.capability.reads, 1, None)
                if len(steps):
                    self.set_stream_value(control.capability.reads, int(steps[-1]), float(values[-1]))
        self._touch(*(own.name for own in self._declared if own.mixture is not None))

    def set_stream_value(self, name: str, step: int, value: float) -> None:
        """Set the newest point of a stream; controls that read it show it as what ran."""
        self._used[name] = UsedValue(value, step)
        self._touch(*(own.name for own in self._declared.readers(name)))

    def set_rate_overrides(self, overrides: Sequence[RateOverride]) -> None:
        """Set how rates follow from their schedules now; the control that sets the first of them says so."""
        self._overrides = tuple(overrides)
        for control in self._declared:
            if self._overrides_of(control) != control.rate_overrides:
                self._touch(control.name)

    def set_note(self, name: str, text: str, mark: str = "") -> None:
        """Set a line of a control's card, such as the last checkpoint and its age, with a kind of mark."""
        if self._notes.set(name, CardNote(text, mark)):
            self._touch(name)

    # What goes out ---------------------------------------------------------------------------

    def compose(self, name: str, value: Any, reason: str = "", process: str = "", **more: Any) -> Command:
        """Return a new command with an id of its own; nothing is sent. `more`: expiry, what it supersedes."""
        return Command(
            id=str(uuid.uuid4()),
            capability=name,
            input=value,
            version=self._declared[name].capability.version,
            process=process,
            reason=reason,
            **more,
        )

    def sent(self, command: Command) -> None:
        """Show a command as requested from the moment it leaves."""
        if self._declared.get(command.capability) is not None:
            self._sent.add(command)
            self._touch(command.capability)
            self.flush()

    def refused(self, command_id: str, message: str) -> None:
        """Show why a command could not even be received, in one sentence."""
        self._touch(self._sent.refuse(command_id, message))

    def complaint(self, name: str, value: Any) -> str:
        """Return why the run's own check would refuse a value; empty when it would not."""
        try:
            check(self._declared[name].node, value)
        except InvalidValue as error:
            return error.sentence
        return ""

    def ruling(self, name: str, value: Any) -> ApprovalNeed:
        """Return who would have to approve a value, or why the run's policy refuses it."""
        return self.approvals.need(self._declared[name].capability, value)

    def shell_command(self, command: Command) -> str:
        """Return the `helmctl send` that does the same."""
        return shell_command(self.run, command)

    # What the cards read ---------------------------------------------------------------------

    def track(self, name: str) -> list[CommandStage]:
        """Return the stages of a control's newest command; none while nobody asked for anything."""
        return command_track(self._fresh(name), self._rates, paused=self._paused)

    def entries(self, record: CommandRecord) -> list[ChangeEntry]:
        """Return the lines of one command."""
        control = self._declared.get(record.capability)
        return entries(record, control.node if control is not None else None)

    def previous_value(self, name: str) -> Any:
        """Return what to send to undo the last applied change; None when there is nothing to go back to."""
        control = self._fresh(name)
        change = control.current.change
        if change is None or change.applied is None:
            return None
        earlier = self.commands.inputs_before(change)[:1]
        for value in (change.applied.body.old, *earlier, control.capability.starting):
            if value is not None and not self.complaint(name, value):
                return value
        return None

    def sampled(self, name: str, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
        """Return the share of each component of a mixture that the run drew since the last applied change."""
        control = self.control(name)
        return {} if control is None or self._tail is None else sampled_shares(control, self._tail, points)

    # Keeping up ------------------------------------------------------------------------------

    def flush(self) -> None:
        """Report what changed now, not at the next turn of the event loop."""
        self._clock.stop()
        self._refresh_stale()
        changed, self._unreported = self._unreported, set()
        for name in [name for name in self._declared.names if name in changed]:
            self.control_changed.emit(name)

    def _touch_all(self) -> None:
        self._touch(*self._declared.names)

    def _touch(self, *names: str) -> None:
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

    def _fresh(self, name: str) -> Control:
        self._refresh_stale()
        return self._declared[name]

    def _refresh(self, control: Control) -> None:
        name, reads = control.name, control.capability.reads
        control.over = self._ended
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
