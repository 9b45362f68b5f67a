"""Where in the loop a command is applied: a queue for each safe point, at most one command a call."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Command, CommandState, SafePointRate

UNBOUND = ""  # the queue of controls that wait for the run's default safe point


@dataclass(frozen=True, slots=True)
class Applied:
    """What a handler may return to state more than its result.

    Attributes:
        old: The value before, as an input of the control.
        new: The value now, as an input of the control; None: the input as it was sent.
        result: What the handler returned, shown and stored.
        step: The first step that runs with the change, where that is not the current one.
        ranks: The old and the new value of each process, where there are several.
    """

    old: Any = None
    new: Any = None
    result: Any = None
    step: int | None = None  # the first step that runs with the change, where that is not the one at hand
    ranks: dict[str, Any] = field(default_factory=dict)  # the old and new value by process, with several


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a handler gets beside the value.

    Attributes:
        id: The command's id.
        reason: Why, in the sender's words.
        sender: The name that the allow-list gives the sender's key.
        approver: The name of whoever approved it; empty when nobody had to.
        step: The step at which it is applied, where it is known.
        safe_point: The place in the loop where it is applied.
        before: The control's value before.
    """

    id: str
    reason: str
    sender: str
    approver: str
    step: int | None
    safe_point: str
    before: Any


@dataclass(eq=False)
class Pending:
    """A command that waits. `state` is its last recorded state, without the input."""

    command: Command
    state: CommandState
    safe_points: tuple[str, ...]
    deadline: float | None = None  # monotonic seconds
    safe_point: str = ""  # where it was taken
    queued: bool = False  # the loop may take it


class SafePoint:
    """One named place in the loop; `calls` and `step` tell its pace."""

    __slots__ = ("calls", "name", "queue", "step")

    def __init__(self, name: str) -> None:
        self.name = name
        self.queue: list[Pending] = []
        self.calls = 0
        self.step: int | None = None


class SafePoints(dict[str, SafePoint]):
    """Safe points by name. The recorder puts commands in, the loop takes them out."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()
        self._unbound = SafePoint(UNBOUND)
        self.default = ""
        self.paused = False
        self._paces: dict[str, tuple[int, float, float | None]] = {}

    def visit(self, name: str) -> SafePoint:
        """Return the safe point of this name, made on its first visit."""
        point = self.get(name)
        if point is None:
            point = self[name] = SafePoint(name)
        return point

    def make_default(self, name: str) -> bool:
        """Let unbound commands go to `name`: the trainer's safe point, else the first that is named."""
        if self.default == name or (self.default and name != TRAINER_SAFE_POINT):
            return False
        with self._changed:
            self.default = name
            point = self.visit(name)
            for pending in self._unbound.queue:
                pending.safe_points = (name,)
            point.queue.extend(self._unbound.queue)
            self._unbound.queue.clear()
            self._changed.notify_all()
        return True

    def put(self, pending: Pending) -> None:
        """Queue a command at each of its safe points; it runs at whichever comes first."""
        with self._changed:
            points = [self.visit(name) for name in pending.safe_points]
            if not points and self.default:
                pending.safe_points = (self.default,)
                points = [self.visit(self.default)]
            for point in points or [self._unbound]:
                point.queue.append(pending)
            self._changed.notify_all()

    def pop_command(self, name: str) -> Pending | None:
        """Return the next command of this safe point, taken out of every queue; None while nothing waits."""
        point = self.get(name)
        if point is None or (self.paused and name != TRAINER_SAFE_POINT):
            return None
        with self._changed:
            if not point.queue:
                return None
            pending = point.queue[0]
            self._drop(pending)
            pending.safe_point = name
            return pending

    def withdraw(self, pending: Pending) -> bool:
        """Take a command back before it is applied; False when the loop has it already."""
        with self._changed:
            return self._drop(pending)

    def wait(self, name: str, timeout: float) -> bool:
        """Wait until a command waits at this safe point, at most `timeout` seconds."""
        with self._changed:
            point = self.visit(name)
            return self._changed.wait_for(lambda: bool(point.queue), timeout)

    def wake(self) -> None:
        """End every wait: the run is ending."""
        with self._changed:
            self._changed.notify_all()

    def rates(self, now: float) -> tuple[SafePointRate, ...]:
        """Return how often each safe point comes by, smoothed between calls of this function."""
        found = []
        for name, point in list(self.items()):
            calls, then, seconds = self._paces.get(name, (0, now, None))
            done = point.calls - calls
            if done > 0 and calls:
                lately = (now - then) / done
                seconds = lately if seconds is None else 0.5 * seconds + 0.5 * lately
            if done > 0:
                self._paces[name] = (point.calls, now, seconds)
            found.append(SafePointRate(name=name, calls=point.calls, step=point.step, seconds=seconds))
        return tuple(found)

    def _drop(self, pending: Pending) -> bool:
        found = False
        for point in (*self.values(), self._unbound):
            if pending in point.queue:
                point.queue.remove(pending)
                found = True
        return found
