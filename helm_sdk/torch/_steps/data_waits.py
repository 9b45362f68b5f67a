"""How long the loop waits for its data: per step as a stream, and summed as a part of the run's time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from helm_sdk._run.media_methods import MediaMethods
from helm_sdk._run.run import Run

STREAM = "perf/data_wait_s"
SPAN = "data wait"
_TELL_SECONDS = 10.0
_T = TypeVar("_T")


class DataWaits:
    """Adds up waits; belongs to the thread of the loop."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._step: float | None = None  # seconds since the last step; None: no batch since then
        self._began = 0.0
        self._seconds = 0.0
        self._batches = 0

    def add(self, began: float, seconds: float) -> None:
        """One batch came after so many seconds; began is of the monotonic clock."""
        self._step = (self._step or 0.0) + seconds
        if not self._batches:
            self._began = began
        self._seconds += seconds
        self._batches += 1
        if began + seconds - self._began >= _TELL_SECONDS:
            self.publish()

    def pop_step(self) -> float | None:
        """Seconds waited for the batches of the step that ends; None when it took none from `batches`."""
        waited, self._step = self._step, None
        return waited

    def publish(self) -> None:
        """Record the sum since the last time as a span."""
        if not self._batches:
            return
        body = {
            "name": SPAN,
            "seconds": self._seconds,
            "start": self._run.trainer_port.clock(self._began),
            "count": self._batches,
        }
        self._seconds, self._batches = 0.0, 0
        self._run.trainer_port.event("span", self._run.step, body)


class MeasuredLoader(Generic[_T]):
    """A loader, or any iterable, whose waits are measured; everything else is the loader's own."""

    def __init__(self, loader: Iterable[_T], waits: DataWaits) -> None:
        self._loader = loader
        self._waits = waits

    def __iter__(self) -> Iterator[_T]:
        clock, waits = time.monotonic, self._waits
        began = clock()
        batches = iter(self._loader)
        while True:
            try:
                batch = next(batches)
            except StopIteration:
                return
            waits.add(began, clock() - began)
            yield batch
            began = clock()

    def __len__(self) -> int:
        return len(self._loader)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling must not go through the loader
            raise AttributeError(name)
        return getattr(self._loader, name)


class DataWaitMeter(MediaMethods):
    """What a trainer takes besides numbers: rich values, and the batches that it waits for."""

    run: Run
    _waits: DataWaits

    def batches(self, loader: Iterable[_T]) -> MeasuredLoader[_T]:
        """Iterate over a loader as before, and measure how long the loop waits for each batch.

        Use it as `for batch in trainer.batches(loader):`. The seconds waited since the last `step` become the
        stream `perf/data_wait_s`, a part of `perf/step_time_s`. About every 10 s their sum is recorded as a
        span "data wait". What the loader raises comes through.

        Args:
            loader: Any iterable; its length and its attributes (sampler, dataset) stay reachable.

        Returns:
            An iterable with the same items.
        """
        return MeasuredLoader(loader, self._waits)

    @property
    def _logs(self) -> bool:
        raise NotImplementedError

    def _media_sink(self, kind: str, name: Any, value: Any, step: Any, options: dict[str, Any]) -> None:
        if self._logs:
            self.run.trainer_port.media_value(kind, name, value, step, options)
