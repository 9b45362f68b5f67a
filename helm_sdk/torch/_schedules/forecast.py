"""The rates from now to the end, worked out beside the loop and published after each change."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from helm_sdk.protocol.messages import PlanCurve
from helm_sdk.torch._schedules.rate_overrides import Override, ScaledRate, Values
from helm_sdk.torch._schedules.simplify import simplified
from helm_sdk.torch._schedules.simulation import Simulation

SLICE_S = 0.001  # of work, then a rest for the loop, which shares the interpreter
REST_S = 0.004
LONG_S = 0.2  # of work; a forecast that takes longer rests longer
LONG_REST_S = 0.015
FIRST_TELL_S = 0.1  # a forecast that takes longer is published as far as it has come
SAMPLES = 20_000  # a longer run is looked at every so many steps
KNOTS = 3000  # of all groups together: a plan is one message

SCHEDULE = "schedule"  # after a stream's name: what its schedule gives where a change holds it elsewhere

Publish = Callable[[int, tuple[PlanCurve, ...]], None]  # (made at this step, the curves)


@dataclass
class Forecast:
    """The schedule's own rates from `start` on, one column a group, filled by the thread."""

    start: int
    stop: int
    every: int  # training steps for each step of the schedule; 0: it stands still
    until_next: int  # steps that still run with the first rate
    columns: list[array[float]] = field(default_factory=list)
    broken: str = ""
    stride: int = 1  # steps from one sample to the next

    def __post_init__(self) -> None:
        self.stride = -(-(self.stop - self.start) // SAMPLES)

    @property
    def samples(self) -> int:
        """How many there will be; the last step is always one."""
        return -(-(self.stop - 1 - self.start) // self.stride) + 1

    @property
    def filled(self) -> int:
        """How many there are, of every group."""
        return len(self.columns[-1]) if self.columns else 0

    def step_of(self, sample: int) -> int:
        """Return the step that a sample is of."""
        return min(self.start + sample * self.stride, self.stop - 1)

    def advances(self, sample: int) -> int:
        """Return how often the schedule has stepped by then."""
        index = self.step_of(sample) - self.start
        return 0 if not self.every or index < self.until_next else (index - self.until_next) // self.every + 1

    def at(self, step: int) -> list[float] | None:
        """Return the schedule's rates at a step, where that is a sample."""
        sample, between = divmod(step - self.start, self.stride)
        columns = self.columns
        if between or sample < 0 or not columns or sample >= len(columns[-1]):
            return None
        return [column[sample] for column in columns]


@dataclass(frozen=True)
class ForecastJob:
    """What to publish: a forecast (to be filled first) through the overrides as they are now."""

    forecast: Forecast
    simulation: Simulation | None
    overrides: tuple[Override, ...]
    since: int  # the first step that the curves show


class ForecastThread:
    """One daemon thread; the newest job replaces one that has not been finished."""

    def __init__(self, streams: Sequence[str], publish: Publish) -> None:
        self.streams = tuple(streams)
        self._publish = publish
        self._wanted = threading.Condition()
        self._job: ForecastJob | None = None
        self._idle = True
        self._thread: threading.Thread | None = None
        self._closed = False
        self.forecast: Forecast | None = None
        self._simulation: Simulation | None = None

    def plan(self, forecast: Forecast, simulation: Simulation, overrides: Sequence[Override]) -> None:
        """Work a new forecast out and publish it."""
        self.forecast, self._simulation = forecast, simulation
        self._enqueue(ForecastJob(forecast, simulation, tuple(overrides), forecast.start))

    def again(self, overrides: Sequence[Override], since: int) -> None:
        """Publish the forecast through other overrides: the schedule itself has not changed."""
        if self.forecast is not None:
            self._enqueue(ForecastJob(self.forecast, self._simulation, tuple(overrides), since))

    def wait(self, timeout: float) -> bool:
        """Wait until everything asked for is published."""
        with self._wanted:
            return self._wanted.wait_for(lambda: self._idle, timeout)

    def close(self) -> None:
        """End the thread; what it has not published stays unpublished."""
        with self._wanted:
            self._closed = True
            self._wanted.notify_all()

    def _enqueue(self, job: ForecastJob) -> None:
        with self._wanted:
            self._job, self._idle = job, False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run_jobs, name="helm-forecasts", daemon=True)
                self._thread.start()
            self._wanted.notify_all()

    def _run_jobs(self) -> None:
        while True:
            with self._wanted:
                self._idle = self._job is None
                self._wanted.notify_all()
                self._wanted.wait_for(lambda: self._job is not None or self._closed)
                job, self._job = self._job, None
                if self._closed or job is None:
                    return
            try:
                self._work(job)
            except Exception as error:  # a scheduler of the script's own may raise anything
                job.forecast.broken = f"{type(error).__name__}: {error}"
                self._publish_job(job)

    def _work(self, job: ForecastJob) -> None:
        """Fill the forecast and publish it, now and then on the way too; ends when a newer job has come."""
        wait = FIRST_TELL_S
        while not self._superseded:
            done = self._fill(job, time.monotonic() + wait)
            if not self._superseded:
                self._publish_job(job)
            if done:
                return
            wait *= 4

    @property
    def _superseded(self) -> bool:
        return self._job is not None or self._closed

    def _fill(self, job: ForecastJob, until: float) -> bool:
        """Fill in short slices until that time; whether the forecast is complete."""
        forecast, simulation = job.forecast, job.simulation
        if simulation is None or forecast.broken:
            return True
        rates = simulation.rates()
        forecast.columns = forecast.columns or [array("d") for _ in rates]
        advanced = forecast.advances(forecast.filled - 1) if forecast.filled else 0
        due, worked = time.perf_counter() + SLICE_S, 0.0
        for sample in range(forecast.filled, forecast.samples):
            if count := forecast.advances(sample) - advanced:
                simulation.advance(count)
                advanced += count
                rates = simulation.rates()
            for column, rate in zip(forecast.columns, rates, strict=True):
                column.append(rate)
            if time.perf_counter() > due:
                worked += SLICE_S
                time.sleep(REST_S if worked < LONG_S else LONG_REST_S)
                if self._superseded or time.monotonic() > until:
                    return forecast.filled >= forecast.samples
                due = time.perf_counter() + SLICE_S
        return True

    def _publish_job(self, job: ForecastJob) -> None:
        curves = self._curves(job)
        if curves:
            self._publish(job.since, curves)

    def _curves(self, job: ForecastJob) -> tuple[PlanCurve, ...]:
        forecast = job.forecast
        skip = max(0, -(-(job.since - forecast.start) // forecast.stride))
        count = forecast.filled - skip
        if count <= 0:
            return ()
        offsets = np.arange(skip, skip + count, dtype=np.int64) * forecast.stride
        at = np.minimum(forecast.start + offsets, forecast.stop - 1)
        bent = sum(not isinstance(override, ScaledRate) for override in job.overrides)
        limit = max(64, KNOTS // (len(self.streams) + bent))
        curves, schedules = [], []
        for stream, column, override in zip(self.streams, forecast.columns, job.overrides, strict=False):
            raw = np.frombuffer(column, dtype=np.float64)[skip:].copy()
            values = override.rates(raw, at)
            curves.append(_curve(stream, at, values, limit))
            if not isinstance(override, ScaledRate):  # else it can be told from the curve itself, by a factor
                schedules.append(_curve(f"{stream}/{SCHEDULE}", at, raw, limit))
        return *curves, *schedules


def _curve(stream: str, at: NDArray[np.int64], values: Values, limit: int) -> PlanCurve:
    kept = simplified(values, limit)
    return PlanCurve(stream=stream, steps=tuple(at[kept].tolist()), values=tuple(values[kept].tolist()))
