"""How much room is left where a run is written, and until when."""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

from helm_desktop.format import duration, size

STREAM: Final = "system/disk_free_bytes"
LITTLE_BYTES, LEAST_BYTES = 5e9, 1e9
SOON_SECONDS, NOW_SECONDS = 3600.0, 600.0
_WINDOW_SECONDS = 1800.0
_APART_SECONDS = 5.0
_LEAST_SECONDS = 60.0  # of watching, before a pace is believed


class DiskSpace:
    """Fed with the free bytes as they are seen, by whoever sees them."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()

    def add(self, time: float, free: float) -> None:
        """So much was free at a time (unix seconds)."""
        if self._seen and time < self._seen[-1][0]:
            return
        if len(self._seen) > 1 and time - self._seen[-2][0] < _APART_SECONDS:
            self._seen.pop()
        self._seen.append((time, free))
        while time - self._seen[0][0] > _WINDOW_SECONDS:
            self._seen.popleft()

    @property
    def free(self) -> float | None:
        """Bytes that were free when last seen."""
        return self._seen[-1][1] if self._seen else None

    @property
    def full_in(self) -> float | None:
        """Seconds until nothing is free, at the pace of the last half hour."""
        if len(self._seen) < 2:
            return None
        (began, before), (now, free) = self._seen[0], self._seen[-1]
        if now - began < _LEAST_SECONDS or free >= before:
            return None
        return free * (now - began) / (before - free)

    def warning(self) -> tuple[str, Literal["bad", "warn"]] | None:
        """Return what to say of it, and how loudly; None while there is enough."""
        free, soon = self.free, self.full_in
        if free is None:
            return None
        if soon is not None and soon < SOON_SECONDS:
            words = f"The run's disk is full in {duration(soon)} at this rate, {size(free)} free"
            return words, "bad" if soon < NOW_SECONDS or free < LEAST_BYTES else "warn"
        if free >= LITTLE_BYTES:
            return None
        return f"{size(free)} free on the run's disk", "bad" if free < LEAST_BYTES else "warn"
