"""How far the history of a run has been read."""

from __future__ import annotations

SETTLED_SECONDS = 0.3  # without further history: all that was there has come
AHEAD_BYTES = 2 << 20  # of history read before the window takes it: a few frames' work


class HistoryProgress:
    """Told of each read: whether there is more to read now, and when all of it has come."""

    def __init__(self) -> None:
        self.reading = False  # whether to read on at once
        self.caught_up = False
        self._last_at = 0.0

    def restart(self, now: float) -> None:
        """Begin with another run."""
        self.reading, self.caught_up, self._last_at = False, False, now

    def note(self, *, history: bool, waiting: int, now: float) -> bool:
        """Take note of a read: whether it brought history, and how many bytes wait for the window. Return
        whether with it all has come; that is told once."""
        if history:
            self._last_at = now
        self.reading = history and waiting < AHEAD_BYTES
        if self.caught_up or now - self._last_at <= SETTLED_SECONDS:
            return False
        self.caught_up = True
        return True
