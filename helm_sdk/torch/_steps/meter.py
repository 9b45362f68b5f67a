"""How long a step takes and how much it gets through."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

_NO_TRAINING = {"eval", "checkpoint", "pause", "paused"}  # spans of these names are no part of a step


class StepMeter:
    """Time from the end of one `tr.step` to the call of the next, without what is no training."""

    def __init__(self) -> None:
        self._mark: float | None = None
        self._outside = 0.0
        self._within = 0  # how many parts that are no training are open
        self._thread = threading.get_ident()

    def seconds(self, now: float) -> float | None:
        """Return the step's own time in seconds; None before there is a step to measure from."""
        if self._mark is None:
            return None
        seconds, self._outside = now - self._mark - self._outside, 0.0
        return seconds

    def mark(self) -> None:
        """The next step begins now: what `tr.step` itself did (commands, pauses) is not counted."""
        self._mark, self._outside = time.perf_counter(), 0.0
        self._thread = threading.get_ident()

    def around(self, span: str) -> AbstractContextManager[object]:
        """Return a context manager for the run's spans: an evaluation by the script is no part of a step."""
        return self.outside() if span in _NO_TRAINING else nullcontext()

    @contextmanager
    def outside(self) -> Iterator[None]:
        """What happens inside is no part of a step: a checkpoint, an evaluation; nested ones count once."""
        if threading.get_ident() != self._thread:  # a writer's time is not the loop's
            yield
            return
        began = time.perf_counter()
        self._within += 1
        try:
            yield
        finally:
            self._within -= 1
            if not self._within:
                self._outside += time.perf_counter() - began


def rates(into: dict[str, float], seconds: float, samples: float | None, tokens: float | None) -> None:
    """Put the perf/ values of a step into `into`."""
    into["perf/step_time_s"] = seconds
    if seconds > 0:
        if samples is not None:
            into["perf/samples_per_s"] = samples / seconds
        if tokens is not None:
            into["perf/tokens_per_s"] = tokens / seconds
