"""Values that are not finite, told at once and without waiting for a device."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

from helm_sdk._shared.scalars import PendingScalar

Tell = Callable[[str, int, float], None]  # (stream, step, value)
LIMIT = 256  # device values looked at later; beyond them the stream's own count still shows each


class NonFiniteReports:
    """Tells the first of a row of bad values, not each of a million."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._bad: set[str] = set()
        self._waiting: deque[tuple[str, int, PendingScalar]] = deque(maxlen=LIMIT)

    def check(self, name: str, step: int, value: Any) -> None:
        """Look at a value now, or when its copy has come."""
        if type(value) is float:
            if not math.isfinite(value):
                self._found(name, step, value)
            elif name in self._bad:
                self._bad.discard(name)
        elif isinstance(value, PendingScalar):
            self._waiting.append((name, step, value))

    def check_pending(self) -> None:
        """Judge the device values that have come."""
        while self._waiting and self._waiting[0][2].ready():
            name, step, value = self._waiting.popleft()
            self.check(name, step, value.read())

    @property
    def has_pending(self) -> bool:
        """Whether device values are still on their way."""
        return bool(self._waiting)

    def _found(self, name: str, step: int, value: float) -> None:
        if name not in self._bad:
            self._bad.add(name)
            self._tell(name, step, value)
