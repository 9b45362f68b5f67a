"""The free space of the disk that a run is written to, and when it will be full."""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

from helm_desktop.format import duration, size

STREAM: Final = "system/disk_free_bytes"
LITTLE_BYTES, LEAST_BYTES = 5e9, 1e9
SOON_SECONDS, NOW_SECONDS = 3600.0, 600.0
_WINDOW_SECONDS = 1800.0
_APART_SECONDS = 5.0
_LEAST_SECONDS = 60.0  # of measurements before a rate is computed


class DiskSpace:
    """The free bytes of the last half hour."""

    def __init__(self) -> None:
        self._measured: deque[tuple[float, float]] = deque()

    def add(self, time: float, free: float) -> None:
        """Add a measurement: the free bytes at a time (unix seconds)."""
        if self._measured and time < self._measured[-1][0]:
            return
        if len(self._measured) > 1 and time - self._measured[-2][0] < _APART_SECONDS:
            self._measured.pop()
        self._measured.append((time, free))
        while time - self._measured[0][0] > _WINDOW_SECONDS:
            self._measured.popleft()

    @property
    def free(self) -> float | None:
        """The free bytes at the last measurement; None before the first."""
        return self._measured[-1][1] if self._measured else None

    @property
    def full_in(self) -> float | None:
        """Seconds until the disk is full, at the rate of the last half hour; None when that is not known."""
        if len(self._measured) < 2:
            return None
        (began, before), (now, free) = self._measured[0], self._measured[-1]
        if now - began < _LEAST_SECONDS or free >= before:
            return None
        return free * (now - began) / (before - free)

    def warning(self) -> tuple[str, Literal["bad", "warn"]] | None:
        """Return the text of a warning and its severity; None while there is enough space."""
        free, soon = self.free, self.full_in
        if free is None:
            return None
        if soon is not None and soon < SOON_SECONDS:
            text = f"The run's disk will be full in {duration(soon)} at this rate, {size(free)} free"
            return text, "bad" if soon < NOW_SECONDS or free < LEAST_BYTES else "warn"
        if free >= LITTLE_BYTES:
            return None
        return f"{size(free)} free on the run's disk", "bad" if free < LEAST_BYTES else "warn"
