"""The controls that a run declares, folded from its catalogues, command events and streams."""

import json
import shlex
import time
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.model.controls.control import Control, UsedValue, node_of
from helm_desktop.model.controls.labels import ChangeEntry, CommandStage, entries, stations
from helm_desktop.model.controls.mixture_sampled import SAMPLED_POINTS, Tail, sampled_shares
from helm_desktop.model.controls.safe_point_rate import SafePointRates
from helm_desktop.model.rules.approvers import ApprovalNeed, PolicyModel, unread
from helm_sdk.protocol.commands import AWAITING_APPROVAL, RECEIVED
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.kinds import InvalidValue, check
from helm_sdk.protocol.messages import Command, ControlState, Event, Heartbeat, RateOverride
from helm_sdk.protocol.peer import RunState

TRAINER = "trainer"  # the provider whose controls see their effect in the streams and say so


class ControlsModel(QObject):
    """One Control a name. Changes within one turn of the event loop are told of once."""

    controls_changed = Signal()  # which controls there are
    control_changed = Signal(str)  # one of them

    def __init__(self, parent: QObject | None = None, *, tail: Tail | None = None) -> None:
        super().__init__(parent)
        self.history = CommandHistory()
        self.run = "latest"
        self.paused = False
        self._paces = SafePointRates()
        self._tail = tail
        self._declared: dict[str, tuple[ControlState, ...]] = {}
        self._controls: dict[str, Control] = {}
        self._readers: dict[str, list[str]] = {}  # stream to the controls that show it
        self._stale: set[str] = set()  # to be folded anew
        self._untold: set[str] = set()  # changed since control_changed was last emitted
        self._closed: CommandHistory | None = None
        self._ended = False
        self._policy: PolicyModel | None = None
        self._elsewhere = ""
        self._courses: tuple[RateOverride, ...] = ()
        self._clock = QTimer(self, singleShot=True, interval=0)
        self._clock.timeout.connect(self.flush)

    @property
    def controls(self) -> list[Control]:
        """Every control, as declared."""
        self._settle()
        return list(self._controls.values())

    def control(self, name: str) -> Control | None:
        """The control of that name."""
        self._settle()
        return self._controls.get(name)

    def set_tail(self, tail: Tail) -> None:
        """Where the points of streams are read."""
        self._tail = tail

    def set_policy(self, policy: PolicyModel | None, elsewhere: str = "") -> None:
        """Who judges what is about to be sent; else whose policy does, which cannot be read from here."""
        if self._policy is not None:
            self._policy.changed.disconnect(self._ruled_anew)
        self._policy, self._elsewhere = policy, elsewhere
        if policy is not None:
            policy.changed.connect(self._ruled_anew)
            for record in self.history.all():
                self._count(record)
        self._ruled_anew()

    # What comes in ---------------------------------------------------------------------------

    def take_catalogue(self, process: str, revision: int, body: Any) -> None:
        """The "capabilities" catalogue of a process; msgspec.ValidationError when it cannot be read."""
        self.set_catalogue(msgspec.convert(body, tuple[ControlState, ...]), process)

    def set_catalogue(self, states: Iterable[ControlState], process: str = "") -> None:
        """What a process declares now."""
        self._declared[process] = tuple(states)
        for state in self._declared[process]:
            self.history.declare(state.capability, process)
        before = {name: (control.capability, control.processes) for name, control in self._controls.items()}
        self._rebuild()
        self._touch(*self._controls)
        if before != {name: (own.capability, own.processes) for name, own in self._controls.items()}:
            self.controls_changed.emit()

    def take_event(self, process: str, event: Event, attempt: int = 1) -> None:
        """Folds one event in; those of other kinds change nothing."""
        record = self.history.take(event, process, attempt)
        if record is not None:
            self._closed = None
            if event.body.get("state") == RECEIVED:
                self._count(record)
            self._touch(record.capability)

    def begin_attempt(self, process: str, attempt: int) -> None:
        """A process starts again: values given to it before no longer hold."""
        self.history.begin(process, attempt)
        self._closed = None
        self._touch(*self._controls)

    def set_run_state(self, state: RunState) -> None:
        """How the run stands: once it has ended nothing can be sent, and what was open has failed."""
        if state.ended != self._ended:
            self._ended = state.ended
            self._rebuild()
            self._touch(*self._controls)

    def heard(self, heartbeat: Heartbeat) -> None:
        """While a run is paused only the trainer's safe point is served."""
        self._paces.heard(heartbeat)
        if heartbeat.paused != self.paused:
            self.paused = heartbeat.paused
            self._touch(*self._controls)
        self._touch(*(own.name for own in self._controls.values() if own.latest and own.latest.open))

    def points_arrived(self) -> None:
        """Streams have new points: the cards that show some read them again."""
        if self._tail is None:
            return
        for control in self._controls.values():
            if control.capability.reads:
                steps, values = self._tail(control.capability.reads, 1, None)
                if len(steps):
                    self.set_stream_value(control.capability.reads, int(steps[-1]), float(values[-1]))
        self._touch(*(name for name, own in self._controls.items() if own.mixture is not None))

    def set_stream_value(self, name: str, step: int, value: float) -> None:
        """The newest point of a stream; controls that read it show it as what ran."""
        for reader in self._readers.get(name, ()):
            control = self._controls[reader]
            if control.capability.reads == name:
                control.ran = UsedValue(value, step)
            self._touch(reader)

    def set_courses(self, courses: Sequence[RateOverride]) -> None:
        """How rates follow from their schedules now; the control that sets the first of them says so."""
        self._courses = tuple(courses)
        for control in self._controls.values():
            self._put_courses(control)

    def _put_courses(self, control: Control) -> None:
        streams = {course.stream for course in self._courses}
        found = self._courses if control.capability.reads in streams else ()
        if control.courses != found:
            control.courses = found
            self._touch(control.name)

    def set_note(self, name: str, text: str, mark: str = "") -> None:
        """A line for a control's card, such as the last checkpoint and its age, with a kind of mark."""
        control = self._controls.get(name)
        if control is not None and (control.note, control.note_mark) != (text, mark):
            control.note, control.note_mark = text, mark
            self._touch(name)

    # What goes out ---------------------------------------------------------------------------

    def compose(self, name: str, value: Any, reason: str = "", process: str = "", **more: Any) -> Command:
        """A new command with an id of its own; nothing is sent. `more`: expiry, and what it supersedes."""
        version = self._controls[name].capability.version
        return Command(
            id=str(uuid.uuid4()),
            capability=name,
            input=value,
            version=version,
            process=process,
            reason=reason,
            **more,
        )

    def sent(self, command: Command) -> None:
        """Shows a command as requested from the moment it leaves."""
        control = self._controls.get(command.capability)
        if control is not None:
            control.sent, control.sent_at, control.refused = command, time.time(), ""
            self._touch(control.name)
            self.flush()

    def refused(self, command_id: str, message: str) -> None:
        """A command that could not even be received, in one sentence."""
        for control in self._controls.values():
            if control.sent is not None and control.sent.id == command_id:
                control.refused = message
                self._touch(control.name)

    def complaint(self, name: str, value: Any) -> str:
        """Why a value would be refused, by the same check that the run makes; empty when it would not be."""
        try:
            check(self._controls[name].node, value)
        except InvalidValue as error:
            return error.sentence
        return ""

    def ruling(self, name: str, value: Any) -> ApprovalNeed:
        """Who would have to approve a value, or why the run's policy refuses it."""
        capability = self._controls[name].capability
        if self._policy is None:
            return unread(capability, self._elsewhere)
        return self._policy.rule(capability, value)

    def cannot_approve(self, record: CommandRecord) -> str:
        """Why a request that waits cannot be approved from here; empty when it can, for all that is known."""
        return self._policy.cannot_approve(record) if self._policy is not None else ""

    def again(self, record: CommandRecord) -> Command:
        """What was asked then, to be asked once more: of all processes where it went to several."""
        several = len(self.history.each(record.id)) > 1
        return Command(
            id="",
            capability=record.capability,
            input=record.input,
            reason=record.reason,
            process="all" if several else record.process,
        )

    def shell_command(self, command: Command) -> str:
        """The `helmctl send` that does the same."""
        plain = [self.run, command.capability, json.dumps(command.input, ensure_ascii=False)]
        options: list[str] = []
        for name, value in (("--reason", command.reason), ("--process", command.process)):
            options += _option(name, value)
        if command.expires_step is not None or command.expires_in is not None:
            until = command.expires_step if command.expires_in is None else f"{command.expires_in:g}s"
            options += _option("--expires", str(until))
        options += _option("--supersedes", command.supersedes)
        if any(word.startswith("-") for word in plain):  # such as the input -1e-3
            words = ["helmctl", "send", *options, "--", *plain]
        else:
            words = ["helmctl", "send", *plain, *options]
        return shlex.join(words)

    # What the cards read ---------------------------------------------------------------------

    def track(self, name: str) -> list[CommandStage]:
        """The stations of a control's newest command; none while nobody asked for anything."""
        control = self._fresh(name)
        if control.sent is not None:
            if control.refused:
                return [
                    CommandStage("requested", "done"),
                    CommandStage(f"not sent: {control.refused}", "bad"),
                ]
            return [CommandStage("requested", "now"), CommandStage("applied", "ahead")]
        if control.latest is None:
            return []
        waits = self._paces.words(control.latest, paused=self.paused)
        confirms = bool(control.capability.reads) and control.capability.provider == TRAINER
        return stations(control.latest, paused=self.paused, reads=confirms, waits=waits)

    def changes(self, name: str) -> list[CommandRecord]:
        """Every command to a control, newest first."""
        return self._view().of(name)[::-1]

    def waiting(self, name: str) -> CommandRecord | None:
        """The newest command to a control that may still take effect."""
        return next((record for record in self.changes(name) if record.open), None)

    def awaiting(self) -> list[CommandRecord]:
        """The commands that wait for approval, oldest first."""
        return [record for record in self._view().open() if record.state == AWAITING_APPROVAL]

    def entries(self, record: CommandRecord) -> list[ChangeEntry]:
        """The lines of one command."""
        control = self._controls.get(record.capability)
        return entries(record, control.node if control is not None else None)

    def previous_value(self, name: str) -> Any:
        """What to send to undo the last applied change; None when there is nothing to go back to."""
        control = self._fresh(name)
        change = control.current.change
        if change is None or change.applied is None:
            return None
        earlier = [
            record.input
            for record in self.changes(name)
            if record.id != change.id and record.applied and record.applied.time <= change.applied.time
        ]
        for value in (change.applied.body.old, *earlier[:1], control.capability.starting):
            if value is not None and not self.complaint(name, value):
                return value
        return None

    def sampled(self, name: str, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
        """Share of each component of a mixture that the run really drew since the last applied change."""
        control = self.control(name)
        return {} if control is None or self._tail is None else sampled_shares(control, self._tail, points)

    # Keeping up ------------------------------------------------------------------------------

    def flush(self) -> None:
        """Tells of what changed now, not at the next turn of the event loop."""
        self._clock.stop()
        self._settle()
        told, self._untold = self._untold, set()
        for name in [name for name in self._controls if name in told]:
            self.control_changed.emit(name)

    def _ruled_anew(self) -> None:
        self._touch(*self._controls)

    def _count(self, record: CommandRecord) -> None:
        """A program's limits an hour count what the run took in."""
        stage = record.stage(RECEIVED)
        if self._policy is not None and stage is not None:
            self._policy.took(record, time.time() - stage.time)

    def _touch(self, *names: str) -> None:
        known = self._controls.keys() & set(names)
        self._stale |= known
        self._untold |= known
        if known and not self._clock.isActive():
            self._clock.start()

    def _settle(self) -> None:
        stale, self._stale = self._stale, set()
        for name in stale & self._controls.keys():
            self._refresh(self._controls[name])

    def _fresh(self, name: str) -> Control:
        self._settle()
        return self._controls[name]

    def _view(self) -> CommandHistory:
        if self._closed is None:
            self._closed = self.history.ended(self._ended)
        return self._closed

    def _refresh(self, control: Control) -> None:
        view = self._view()
        control.current = view.current(control.capability)
        records = view.of(control.name)
        control.latest = records[-1] if records else None
        if control.sent is not None and view.each(control.sent.id):
            control.sent = None

    def _rebuild(self) -> None:
        self._closed = None
        kept, self._controls, self._readers = self._controls, {}, {}
        for process, states in self._declared.items():
            for state in states:
                self._add(process, state, kept.get(state.capability.name))
        for control in self._controls.values():
            control.over = self._ended
            self._put_courses(control)
            for stream in control.streams:
                self._readers.setdefault(stream, []).append(control.name)
            self._refresh(control)

    def _add(self, process: str, state: ControlState, before: Control | None) -> None:
        name = state.capability.name
        own = self._controls.get(name)
        if own is not None:
            own.processes = (*own.processes, process)
            own.unavailable = own.unavailable if state.unavailable else ""
            return
        control = Control(name, state.capability, node_of(state.capability), (process,), state.unavailable)
        if before is not None:
            control.inherit(before)
        self._controls[name] = control


def _option(name: str, value: str) -> list[str]:
    """Nothing for nothing; in one word where the value looks like an option itself."""
    if not value:
        return []
    return [f"{name}={value}"] if value.startswith("-") else [name, value]
