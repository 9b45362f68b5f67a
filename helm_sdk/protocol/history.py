"""The history of commands, built from their events; the app, the shell and the run all use it."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from helm_sdk.protocol.commands import (
    APPLIED,
    CONFIRMED,
    FAILED,
    OPEN,
    RECEIVED,
    REJECTED,
    RUN_ENDED,
)
from helm_sdk.protocol.messages import Capability, CommandState, Event


@dataclass(frozen=True, order=True)
class Stage:
    """One state that a command reached in one process."""

    attempt: int
    event_id: int
    time: float = field(compare=False)
    step: int | None = field(compare=False)
    body: CommandState = field(compare=False)

    @property
    def state(self) -> str:
        """The state, one of commands.STATES."""
        return self.body.state


@dataclass
class CommandRecord:
    """A command in one process, with every state that it reached, oldest first."""

    id: str
    capability: str
    process: str
    track: list[Stage] = field(default_factory=list)
    ended: bool = False  # its run has ended: an open command can no longer be applied

    @property
    def attempt(self) -> int:
        """The attempt of its process that received it."""
        return self.track[0].attempt

    @property
    def latest(self) -> CommandState:
        """The newest recorded state."""
        return self.track[-1].body

    @property
    def state(self) -> str:
        """The state now; one that was open when its run ended is "failed"."""
        recorded = self.latest.state
        return FAILED if self.ended and recorded in OPEN else recorded

    @property
    def open(self) -> bool:
        """Whether it may still take effect."""
        return self.state in OPEN

    @property
    def message(self) -> str:
        """Why it was rejected or failed, in one sentence."""
        return RUN_ENDED if self.ended and self.latest.state in OPEN else self.latest.message

    @property
    def began(self) -> Stage:
        """Its stage "received"; for a command that was rejected at once, that rejection."""
        return self.stage(RECEIVED) or self.track[0]

    @property
    def input(self) -> Any:
        """The requested input."""
        return self.began.body.input

    @property
    def reason(self) -> str:
        """The sender's reason."""
        return self._first("reason")

    @property
    def sender(self) -> str:
        """The name that the allow-list gives the sender."""
        return self._first("sender")

    @property
    def approver(self) -> str:
        """The name of the person who approved it; empty when nobody did."""
        return self._first("approver")

    @property
    def safe_point(self) -> str:
        """The safe point where it waits or was applied."""
        return self._last("safe_point")

    @property
    def applied(self) -> Stage | None:
        """Its stage "applied"; None when it was not applied."""
        return self.stage(APPLIED)

    @property
    def confirmed(self) -> Stage | None:
        """Its stage "confirmed"; None when its effect was not seen."""
        return self.stage(CONFIRMED)

    @property
    def step(self) -> int | None:
        """The first step that ran with it; when it was not applied, the step of its newest state."""
        return (self.applied or self.track[-1]).step

    @property
    def value(self) -> Any:
        """The control's value after it: `new` as recorded, else the input."""
        stage = self.applied
        return self.input if stage is None or stage.body.new is None else stage.body.new

    @property
    def result(self) -> Any:
        """What the handler returned."""
        stage = self.applied
        return None if stage is None else stage.body.result

    def stage(self, state: str) -> Stage | None:
        """Return the last stage of a state; None when it never reached it."""
        return next((stage for stage in reversed(self.track) if stage.state == state), None)

    def _first(self, name: str) -> str:
        return next((text for stage in self.track if (text := str(getattr(stage.body, name)))), "")

    def _last(self, name: str) -> str:
        return next((text for stage in reversed(self.track) if (text := str(getattr(stage.body, name)))), "")


@dataclass(frozen=True)
class CurrentValue:
    """A control's value now."""

    value: Any
    revision: int = 0  # how many changes were applied
    change: CommandRecord | None = None  # the last one that was applied; None: the value is the starting one


class CommandHistory:
    """Builds command records from events of kind "command", in any order; an event counts once."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], CommandRecord] = {}  # by command id and process
        self._seen: set[tuple[str, int, int]] = set()
        self._attempts: dict[str, int] = {}
        self._starting: dict[tuple[str, str], Any] = {}
        self.unreadable = 0

    def add(self, event: Event, process: str = "", attempt: int = 1) -> CommandRecord | None:
        """Add an event; return the record that it changed, None when it is known or of another kind."""
        key = (process, attempt, event.id)
        if event.kind != "command" or key in self._seen:
            return None
        try:
            body = msgspec.convert(event.body, CommandState)
        except (msgspec.ValidationError, RecursionError):
            self.unreadable += 1
            return None
        self._seen.add(key)
        self.begin(process, attempt)
        record = self._records.get((body.command_id, process))
        if record is None:
            record = CommandRecord(body.command_id, body.capability, process)
            self._records[body.command_id, process] = record
        insort(record.track, Stage(attempt, event.id, event.time, event.step, body))
        return record

    def begin(self, process: str, attempt: int) -> None:
        """Note that an attempt of a process exists: values set in earlier attempts no longer hold."""
        self._attempts[process] = max(attempt, self._attempts.get(process, 0))

    def declare(self, capability: Capability, process: str = "") -> None:
        """Set the starting value of a control."""
        self._starting[capability.name, process] = capability.starting

    def all(self) -> list[CommandRecord]:
        """Return every command of every process, by the time it was received."""
        return sorted(self._records.values(), key=lambda record: (record.track[0].time, record.track[0]))

    def by_id(self, command_id: str, process: str | None = None) -> CommandRecord | None:
        """Return the command in one process, or in the first that has it; None when there is none."""
        if process is not None:
            return self._records.get((command_id, process))
        return next(iter(self.each(command_id)), None)

    def each(self, command_id: str) -> list[CommandRecord]:
        """Return the command's records, one for each process that it went to."""
        return [record for (known, _), record in self._records.items() if known == command_id]

    def open(self, capability: str | None = None) -> list[CommandRecord]:
        """Return the commands that may still take effect, of one control or of all, oldest first."""
        return [
            record
            for record in self.all()
            if record.open and (capability is None or record.capability == capability)
        ]

    def of(self, capability: str, process: str | None = None) -> list[CommandRecord]:
        """Return every command of a control, oldest first."""
        return [
            record
            for record in self.all()
            if record.capability == capability and (process is None or record.process == process)
        ]

    def current(self, capability: str | Capability, process: str | None = None) -> CurrentValue:
        """Return a control's value and revision, by the newest attempt's last change or as it started."""
        name = capability if isinstance(capability, str) else capability.name
        changes = [
            (stage.time, stage, record)
            for record in self._records.values()
            if record.capability == name
            and (process is None or record.process == process)
            and (stage := record.applied) is not None
        ]
        # Revisions count through all attempts, so that an old expected revision never matches by chance.
        revision = max((stage.body.revision for _, stage, _ in changes), default=0) or len(changes)
        newest = [change for change in changes if change[1].attempt == self._attempts[change[2].process]]
        if not newest:
            return CurrentValue(self._start_of(capability, process), revision)
        _, _, record = max(newest, key=lambda change: (change[0], change[1]))
        return CurrentValue(record.value, revision, record)

    def ended(self, run_ended: bool = True) -> CommandHistory:
        """Return a copy in which open commands that cannot be applied any more have failed.

        A process that has ended cannot write this, so readers derive it: "the run ended first". With
        `run_ended` False this concerns only commands of attempts that have a newer one.
        """
        view = CommandHistory()
        view._seen, view._attempts = set(self._seen), dict(self._attempts)
        view._starting, view.unreadable = dict(self._starting), self.unreadable
        for key, record in self._records.items():
            ended = run_ended or record.track[-1].attempt < self._attempts[record.process]
            view._records[key] = replace(record, track=list(record.track), ended=ended)
        return view

    def _start_of(self, capability: str | Capability, process: str | None) -> Any:
        if not isinstance(capability, str):
            return capability.starting
        if process is not None:
            return self._starting.get((capability, process))
        return next((value for (name, _), value in self._starting.items() if name == capability), None)


def never_happened(record: CommandRecord) -> bool:
    """Return True when a command was refused before it was ever received."""
    return record.state == REJECTED and record.stage(RECEIVED) is None
