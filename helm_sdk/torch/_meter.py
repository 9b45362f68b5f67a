"""How long a step takes and how much it gets through."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Meter:
    """Time from the end of one `tr.step` to the call of the next, without what is no training."""

    def __init__(self) -> None:
        self._mark: float | None = None
        self._outside = 0.0

    def seconds(self, now: float) -> float | None:
        """The step's own time; None before there is a step to measure from."""
        if self._mark is None:
            return None
        seconds, self._outside = now - self._mark - self._outside, 0.0
        return seconds

    def mark(self) -> None:
        """The next step begins now: what `tr.step` itself did (commands, pauses) is not counted."""
        self._mark = time.perf_counter()

    @contextmanager
    def outside(self) -> Iterator[None]:
        """What happens inside is no part of a step: a checkpoint, an evaluation."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._outside += time.perf_counter() - began


def rates(into: dict[str, float], seconds: float, samples: float | None, tokens: float | None) -> None:
    """Put the perf/ values of a step into `into`."""
    into["perf/step_time_s"] = seconds
    if seconds > 0:
        if samples is not None:
            into["perf/samples_per_s"] = samples / seconds
        if tokens is not None:
            into["perf/tokens_per_s"] = tokens / seconds
