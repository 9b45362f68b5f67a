"""What the updates of a run add up to: points by name, controls and their values, requests."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

import msgspec

from helm_sdk.protocol.commands import AWAITING_APPROVAL
from helm_sdk.protocol.history import CommandHistory, CommandRecord, CurrentValue
from helm_sdk.protocol.messages import Catalogue, ControlState, PointGroup, StreamDef
from helm_sdk.protocol.updates import (
    ENDED,
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    ProcessesUpdate,
    Update,
)
from helm_sdk.record.packed_columns import floats, integers

CAPABILITIES: Final = "capabilities"


class Point(NamedTuple):
    """One value that was logged, NaN and infinities included.

    Attributes:
        step: The step.
        value: The value, exactly as it was logged.
        time: When, in unix seconds.
        process: The process that logged it.
        attempt: The attempt of that process.
    """

    step: int
    value: float
    time: float
    process: str
    attempt: int


class RunView:
    """What the updates of a run add up to. Hand it every update that `RunClient.poll` returns, with `take`.

    Args:
        *patterns: The names of the streams whose points are kept until they are asked for; * stands for any
            text. Of every other stream only the newest point is kept, so that a long run needs no more
            memory.

    Attributes:
        step: The newest step that a process named.
        paused: Whether the run is paused.
        ended: How each process that has ended did so: "finished", "interrupted" or "failed".
        commands: Every command, with each state that it went through.
    """

    def __init__(self, *patterns: str) -> None:
        self.step: int | None = None  # the newest step that a process said it was at
        self.paused = False
        self.ended: dict[str, str] = {}  # how each process that has said its last word ended
        self.commands = CommandHistory()  # every request, with each state that it went through
        self._patterns = patterns
        self._streams: dict[tuple[str, int], dict[int, StreamDef]] = {}
        self._kept: dict[str, list[Point]] = {}
        self._last: dict[str, Point] = {}
        self._controls: dict[str, tuple[ControlState, ...]] = {}

    def apply(self, *updates: Update) -> None:
        """Take the next updates, in the order in which they came.

        Args:
            *updates: What `RunClient.poll` returned.
        """
        for update in updates:
            match update:
                case BatchUpdate():
                    self._batch(update)
                case LinkUpdate(snapshot=snapshot) if snapshot is not None:
                    self._define(update.process, snapshot.attempt, snapshot.streams)
                    self._catalogues(update.process, snapshot.catalogues)
                    for event in snapshot.open_commands:
                        self.commands.add(event, update.process, snapshot.attempt)
                case LinkUpdate(state=state) if state == ENDED:
                    self.ended.setdefault(update.process, "ended")
                case AnswerUpdate():
                    self.commands.add(update.event, update.process, update.attempt)
                case HeartbeatUpdate(heartbeat=beat):
                    self.step, self.paused = beat.step if beat.step is not None else self.step, beat.paused
                case FinishedUpdate():
                    self.ended[update.process] = update.finished.outcome
                case ProcessesUpdate():
                    self.commands.begin(update.process, update.attempt)
                    if update.live:
                        self.ended.pop(update.process, None)

    @property
    def streams(self) -> dict[str, StreamDef]:
        """Every stream so far by its name, with its unit and whether lower or higher is better."""
        return {own.name: own for held in self._streams.values() for own in held.values()}

    def points(self, name: str) -> list[Point]:
        """Return the points of a stream that came since the last call, oldest first.

        Args:
            name: The stream's name; it must fit one of the view's patterns.
        """
        return self._kept.pop(name, [])

    def last(self, name: str) -> Point | None:
        """Return the newest point of any stream; None before its first.

        Args:
            name: The stream's name.
        """
        return self._last.get(name)

    @property
    def controls(self) -> dict[str, ControlState]:
        """The controls that the run declares now, by name."""
        return {own.capability.name: own for held in self._controls.values() for own in held}

    def current(self, control: str) -> CurrentValue:
        """Return a control's `.value` now, its `.revision`, and the last `.change` that was applied.

        Args:
            control: The control's name.
        """
        declared = self.controls.get(control)
        return self.commands.current(declared.capability if declared is not None else control)

    def awaiting(self) -> list[CommandRecord]:
        """Return the commands that await approval, oldest first; `client.approve(record.id)` approves one."""
        return [own for own in self._live().open() if own.state == AWAITING_APPROVAL]

    def requests(self, control: str) -> list[CommandRecord]:
        """Return every command to a control, oldest first: who, why, `.state`, `.track`, `.result`.

        Args:
            control: The control's name.
        """
        return self._live().of(control)

    def _live(self) -> CommandHistory:
        """Requests of processes that are over have failed: a dead process cannot write that."""
        return self.commands.ended(bool(self.ended) and self.ended.keys() >= self._controls.keys())

    def _batch(self, update: BatchUpdate) -> None:
        batch = update.batch
        self._define(update.process, update.attempt, batch.streams)
        for group in batch.groups:
            self._group(update.process, update.attempt, group)
        for event in batch.events:
            self.commands.add(event, update.process, update.attempt)
        self._catalogues(update.process, batch.catalogues)

    def _define(self, process: str, attempt: int, streams: Iterable[StreamDef]) -> None:
        self._streams.setdefault((process, attempt), {}).update({own.id: own for own in streams})

    def _catalogues(self, process: str, catalogues: Iterable[Catalogue]) -> None:
        for catalogue in catalogues:
            if catalogue.kind == CAPABILITIES:
                self._controls[process] = tuple(_states(catalogue.body))

    def _group(self, process: str, attempt: int, group: PointGroup) -> None:
        known = self._streams.get((process, attempt), {})
        rows, steps, times = group.rows, integers(group.steps), floats(group.times)
        if not rows:
            return
        self.step = max(steps[-1], self.step) if self.step is not None else steps[-1]
        values = memoryview(group.values)
        for place, stream in enumerate(group.streams):
            own = known.get(stream)
            if own is None:
                continue
            column = floats(values[place * rows * 8 : (place + 1) * rows * 8])
            self._last[own.name] = Point(steps[-1], column[-1], times[-1], process, attempt)
            if any(fnmatchcase(own.name, pattern) for pattern in self._patterns):
                new = zip(steps, column, times, strict=True)
                kept = self._kept.setdefault(own.name, [])
                kept += [Point(step, value, at, process, attempt) for step, value, at in new]


def _states(body: Any) -> Iterable[ControlState]:
    """Yield what can be read of a catalogue; entries that do not fit are left out."""
    for entry in body if isinstance(body, list | tuple) else ():
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(entry, ControlState)
