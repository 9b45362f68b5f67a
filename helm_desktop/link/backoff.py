"""When to try again after something failed: soon at first, then ever later."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 30.0
CALM_SECONDS = 60.0  # without a failure: the next one counts as the first


class Backoff:
    """Due after a pause that doubles with each failure."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pause = 0.0
        self._failed_at = 0.0
        self._due_at: float | None = None

    def failed(self) -> float:
        """Something failed; the seconds until it is to be tried again."""
        now = self._clock()
        calm = now - self._failed_at > CALM_SECONDS + self._pause
        self._pause = FIRST_SECONDS if calm or not self._pause else min(2 * self._pause, LONGEST_SECONDS)
        self._failed_at, self._due_at = now, now + self._pause
        return self._pause

    def forget(self) -> None:
        """Nothing is to be tried again."""
        self._pause, self._due_at = 0.0, None

    def left(self, otherwise: float) -> float:
        """Seconds until it is due; `otherwise` where nothing is."""
        return otherwise if self._due_at is None else min(otherwise, max(0.0, self._due_at - self._clock()))

    def pop_due(self) -> bool:
        """Return True when it is due now; once."""
        if self._due_at is None or self._clock() < self._due_at:
            return False
        self._due_at = None
        return True
