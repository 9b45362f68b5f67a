"""The updates that wait for the window, handed over in batches."""

from __future__ import annotations

from helm_desktop.model.run.updates import CaughtUpUpdate, RunUpdate
from helm_sdk.protocol.updates import AnswerUpdate, BatchUpdate, ProcessesUpdate, RefusalUpdate

BATCH_SECONDS = 0.03  # a little over 30 times a second, however late a turn comes


class UpdateQueue:
    """At most one batch per interval, and not before the window has taken the one before.

    `set_interval` and `acknowledge` may be called from any thread; times are of one monotonic clock.
    """

    def __init__(self) -> None:
        self.size = 0  # bytes of points that wait
        self._updates: list[RunUpdate] = []
        self._interval = BATCH_SECONDS
        self._acknowledged = True
        self._popped_at = 0.0

    def set_interval(self, seconds: float) -> None:
        """Set the seconds between two batches that nobody waits for."""
        self._interval = max(BATCH_SECONDS, seconds)

    def acknowledge(self) -> None:
        """Let the next batch go: the window has taken the last one."""
        self._acknowledged = True

    def restart(self, first: RunUpdate) -> None:
        """Drop what waits and begin with this one, which is due at once."""
        self._updates, self.size, self._popped_at = [first], 0, 0.0

    def add(self, *updates: RunUpdate) -> None:
        """Add updates behind those that wait."""
        self._updates += updates
        for update in updates:
            if isinstance(update, BatchUpdate):
                self.size += sum(len(group.values) for group in update.batch.groups)

    def due_in(self, now: float, otherwise: float, *, urgent: bool) -> float:
        """Return the seconds until the next batch is due; `otherwise` where none can go."""
        if not self._updates or not self._acknowledged:
            return otherwise
        return max(0.0, self._popped_at + self._wait(urgent) - now)

    def pop(self, now: float, *, urgent: bool) -> list[RunUpdate]:
        """Return what waits where a batch is due, else nothing. `urgent`: whatever the interval."""
        if not self._updates or not self._acknowledged or now - self._popped_at < self._wait(urgent):
            return []
        popped, self._updates, self.size = self._updates, [], 0
        self._acknowledged, self._popped_at = False, now
        return popped

    def _wait(self, urgent: bool) -> float:
        if self._interval <= BATCH_SECONDS or urgent or any(map(_is_urgent, self._updates)):
            return BATCH_SECONDS
        return self._interval


def _is_urgent(update: RunUpdate) -> bool:
    """Return True when somebody waits for it: an answer, or a change's next state."""
    if isinstance(update, BatchUpdate):
        return any(event.kind == "command" for event in update.batch.events)
    return isinstance(update, AnswerUpdate | RefusalUpdate | CaughtUpUpdate | ProcessesUpdate)
