"""The controls that a run declares: their values, their changes, and what the run really used."""

import json
import shlex
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.words import Entry, Station, entries, stations
from helm_sdk.protocol.history import CommandHistory, CommandRecord, Current
from helm_sdk.protocol.kinds import InvalidValue, Mixture, Node, Record, SchemaError, Unknown, check, parse
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, Command, ControlState, Event

Tail = Callable[[str, int, int | None], Sequence[float]]
"""The last n values of a stream by name, none of a step before `since`."""

SAMPLED_POINTS = 10


@dataclass(frozen=True)
class Ran:
    """What the run used, and at which step."""

    value: float
    step: int


@dataclass
class Control:
    """One declared control: one card."""

    name: str
    capability: Capability
    node: Node
    processes: tuple[str, ...]
    unavailable: str = ""
    current: Current = field(default_factory=lambda: Current(None))
    latest: CommandRecord | None = None
    sent: Command | None = None  # sent from here, and nothing heard of it yet
    sent_at: float = 0.0
    refused: str = ""  # why the sent one never became a command
    ran: Ran | None = None
    note: str = ""
    note_mark: str = ""

    @property
    def takes_input(self) -> bool:
        """Whether there is a form to fill in; without one a button is enough."""
        return not (isinstance(self.node, Record) and not self.node.fields)

    @property
    def mixture(self) -> tuple[str, Mixture] | None:
        """The field and the kind of a control that is a mixture and nothing else."""
        if isinstance(self.node, Mixture):
            return "", self.node
        if isinstance(self.node, Record) and len(self.node.fields) == 1:
            only = self.node.fields[0]
            return (only.name, only.type) if isinstance(only.type, Mixture) else None
        return None

    @property
    def changed(self) -> bool:
        """Whether a change was ever applied."""
        return self.current.change is not None


class ControlsModel(QObject):
    """Folds catalogues, command events and stream values into one Control a name."""

    controls_changed = Signal()  # which controls there are
    control_changed = Signal(str)  # one of them

    def __init__(self, tail: Tail | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = CommandHistory()
        self.run = "latest"
        self._tail = tail
        self._declared: dict[str, tuple[ControlState, ...]] = {}
        self._controls: dict[str, Control] = {}
        self._readers: dict[str, list[str]] = {}  # stream to the controls that show it
        self._closed: CommandHistory | None = None
        self._ended = False
        self.paused = False

    @property
    def controls(self) -> list[Control]:
        """Every control, as declared."""
        return list(self._controls.values())

    def control(self, name: str) -> Control | None:
        """The control of that name."""
        return self._controls.get(name)

    def set_catalogue(self, states: Iterable[ControlState], process: str = "") -> None:
        """What a process declares now: the body of its "capabilities" catalogue."""
        self._declared[process] = tuple(states)
        for state in self._declared[process]:
            self.history.declare(state.capability, process)
        before = {name: (control.capability, control.processes) for name, control in self._controls.items()}
        self._rebuild()
        if before != {name: (own.capability, own.processes) for name, own in self._controls.items()}:
            self.controls_changed.emit()
        else:
            for name in self._controls:
                self.control_changed.emit(name)

    def take(self, events: Iterable[Event], process: str = "", attempt: int = 1) -> None:
        """Folds events in, of any kind; each control that changes is told of once."""
        touched = {
            record.capability
            for event in events
            if (record := self.history.take(event, process, attempt)) is not None
        }
        if touched:
            self._closed = None
        for name in touched & self._controls.keys():
            self._refresh(self._controls[name])
            self.control_changed.emit(name)

    def begin_attempt(self, process: str, attempt: int) -> None:
        """A process starts again: values given to it before no longer hold."""
        self.history.begin(process, attempt)
        self._closed = None
        self._refresh_all()

    def set_ended(self, ended: bool) -> None:
        """The run is over, or live again: nothing can be sent, and what was open has failed."""
        if ended != self._ended:
            self._ended = ended
            self._closed = None
            self._rebuild()
            self._refresh_all()

    def set_paused(self, paused: bool) -> None:
        """The loop holds: only the trainer's safe point is served."""
        if paused != self.paused:
            self.paused = paused
            self._refresh_all()

    def set_stream_value(self, name: str, step: int, value: float) -> None:
        """The newest point of a stream; controls that read it show it as what ran."""
        for reader in self._readers.get(name, ()):
            control = self._controls[reader]
            if control.capability.reads == name:
                control.ran = Ran(value, step)
            self.control_changed.emit(reader)

    def set_note(self, name: str, text: str, mark: str = "") -> None:
        """A line for a control's card, such as the last checkpoint and its age."""
        control = self._controls.get(name)
        if control is not None and (control.note, control.note_mark) != (text, mark):
            control.note, control.note_mark = text, mark
            self.control_changed.emit(name)

    def compose(self, name: str, value: Any, reason: str = "", process: str = "") -> Command:
        """A new command with an id of its own; nothing is sent."""
        version = self._controls[name].capability.version
        return Command(
            id=str(uuid.uuid4()),
            capability=name,
            input=value,
            version=version,
            process=process,
            reason=reason,
        )

    def note_sent(self, command: Command) -> None:
        """Shows a command as requested from the moment it leaves."""
        control = self._controls.get(command.capability)
        if control is not None:
            control.sent, control.sent_at, control.refused = command, time.time(), ""
            self.control_changed.emit(control.name)

    def note_refused(self, command_id: str, message: str) -> None:
        """A command that could not even be received, in one sentence."""
        for control in self._controls.values():
            if control.sent is not None and control.sent.id == command_id:
                control.refused = message
                self.control_changed.emit(control.name)

    def track(self, name: str) -> list[Station]:
        """The stations of a control's newest command; none while nobody asked for anything."""
        control = self._controls[name]
        if control.sent is not None:
            if control.refused:
                return [Station("requested", "done"), Station(f"not sent: {control.refused}", "bad")]
            return [Station("requested", "now"), Station("applied", "ahead")]
        if control.latest is None:
            return []
        return stations(control.latest, paused=self.paused, reads=bool(control.capability.reads))

    def changes(self, name: str) -> list[CommandRecord]:
        """Every command to a control, newest first."""
        return self._view().of(name)[::-1]

    def entries(self, record: CommandRecord) -> list[Entry]:
        """The lines of one command."""
        control = self._controls.get(record.capability)
        return entries(record, control.node if control is not None else None)

    def previous_value(self, name: str) -> Any:
        """What to send to undo the last applied change; None when there is nothing to go back to."""
        control = self._controls[name]
        change = control.current.change
        if change is None or change.applied is None:
            return None
        applied = [r for r in self.changes(name) if r.applied is not None and r.id != change.id]
        earlier = [r.input for r in applied if r.applied and r.applied.time <= change.applied.time]
        for value in (change.applied.body.old, *earlier[:1], control.capability.starting):
            if value is not None and not self.complaint(name, value):
                return value
        return None

    def complaint(self, name: str, value: Any) -> str:
        """Why a value would be refused, by the same check that the run makes; empty when it would not be."""
        try:
            check(self._controls[name].node, value)
        except InvalidValue as error:
            return error.sentence
        return ""

    def sampled(self, name: str, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
        """Share of each component of a mixture that the run really drew: the mean of each stream's last
        points, none from before the last applied change. None for a component without any."""
        control = self._controls.get(name)
        if control is None or control.mixture is None or self._tail is None:
            return {}
        node = control.mixture[1]
        if not node.sampled:
            return {}
        since = self._since(control)
        means: dict[str, float | None] = {}
        for component in node.components:
            values = self._tail(node.sampled_stream(component), points, since)
            means[component] = sum(values) / len(values) if len(values) else None
        known = [mean for mean in means.values() if mean is not None]
        total = sum(known)
        if len(known) < len(means) or total <= 0 or abs(total - 1) < 0.02:
            return means
        return {component: (mean or 0.0) / total for component, mean in means.items()}

    def shell_command(self, command: Command) -> str:
        """The `helmctl send` that does the same."""
        words = [
            "helmctl",
            "send",
            self.run,
            command.capability,
            json.dumps(command.input, ensure_ascii=False),
        ]
        if command.reason:
            words += ["--reason", command.reason]
        if command.process:
            words += ["--process", command.process]
        return shlex.join(words)

    def _since(self, control: Control) -> int | None:
        change = control.current.change
        if change is None or change.applied is None or change.applied.step is None:
            return None
        # The trainer writes the first step that runs with it; another safe point, the step it came after.
        return change.applied.step + (0 if change.safe_point == TRAINER_SAFE_POINT else 1)

    def _view(self) -> CommandHistory:
        if self._closed is None:
            self._closed = self.history.ended(self._ended)
        return self._closed

    def _refresh_all(self) -> None:
        for control in self._controls.values():
            self._refresh(control)
            self.control_changed.emit(control.name)

    def _refresh(self, control: Control) -> None:
        view = self._view()
        control.current = view.current(control.capability)
        records = view.of(control.name)
        control.latest = records[-1] if records else None
        if control.sent is not None and view.each(control.sent.id):
            control.sent = None

    def _rebuild(self) -> None:
        kept, self._controls = self._controls, {}
        for process, states in self._declared.items():
            for state in states:
                self._add(process, state, kept.get(state.capability.name))
        self._closed = None
        self._readers = {}
        for control in self._controls.values():
            if self._ended:
                control.unavailable = "the run has ended"
            for stream in _streams_of(control):
                self._readers.setdefault(stream, []).append(control.name)
            self._refresh(control)

    def _add(self, process: str, state: ControlState, before: Control | None) -> None:
        name = state.capability.name
        if name in self._controls:
            own = self._controls[name]
            own.processes = (*own.processes, process)
            own.unavailable = own.unavailable if state.unavailable else ""
            return
        control = Control(name, state.capability, _node_of(state.capability), processes=(process,))
        control.unavailable = state.unavailable
        if before is not None:
            control.sent, control.sent_at, control.refused = before.sent, before.sent_at, before.refused
            control.ran, control.note, control.note_mark = before.ran, before.note, before.note_mark
        self._controls[name] = control


def _node_of(capability: Capability) -> Node:
    try:
        return parse(capability.input_schema)
    except SchemaError as error:
        return Unknown(f"a schema that cannot be read: {error}", capability.input_schema)


def _streams_of(control: Control) -> set[str]:
    streams = {control.capability.reads}
    if control.mixture is not None:
        kind = control.mixture[1]
        streams |= {kind.sampled_stream(component) for component in kind.components}
    return streams - {""}


def weights_in(value: Any, field_name: str) -> Mapping[str, object]:
    """The weights of a mixture inside a control's value; empty where there are none."""
    inner = value.get(field_name) if field_name and isinstance(value, Mapping) else value
    weights = inner.get("weights") if isinstance(inner, Mapping) else None
    return weights if isinstance(weights, Mapping) else {}
