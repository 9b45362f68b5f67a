"""The rates from now to the end, worked out beside the loop and published after each change."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from helm_sdk.protocol.messages import PlanCurve
from helm_sdk.torch._courses import Course
from helm_sdk.torch._knots import knots
from helm_sdk.torch._simulation import Simulation

SLICE_S = 0.001  # of work, then REST_S for the loop, which shares the interpreter
REST_S = 0.004
MAX_STEPS = 4_000_000
KNOTS = 3000  # of all groups together: a plan is one message

Publish = Callable[[int, tuple[PlanCurve, ...]], None]  # (made at this step, the curves)


@dataclass
class Forecast:
    """The schedule's own rates for the steps from `start`, one column a group, filled by the thread."""

    start: int
    stop: int
    every: int  # training steps for each step of the schedule; 0: it stands still
    until_next: int  # steps that still run with the first rate
    columns: list[array[float]] = field(default_factory=list)
    broken: str = ""

    def at(self, step: int) -> list[float] | None:
        """The schedule's rates at a step, where they are known."""
        index = step - self.start
        if index < 0 or not self.columns or index >= len(self.columns[-1]):
            return None
        return [column[index] for column in self.columns]


@dataclass(frozen=True)
class Job:
    """What to publish: a forecast (to be filled first) through the courses as they are now."""

    forecast: Forecast
    simulation: Simulation | None
    courses: tuple[Course, ...]
    since: int  # the first step that the curves show


class Planner:
    """One daemon thread; the newest job replaces one that has not been finished."""

    def __init__(self, streams: Sequence[str], publish: Publish) -> None:
        self._streams = tuple(streams)
        self._publish = publish
        self._wanted = threading.Condition()
        self._job: Job | None = None
        self._idle = True
        self._thread: threading.Thread | None = None
        self._closed = False
        self.forecast: Forecast | None = None
        self._simulation: Simulation | None = None

    def plan(self, forecast: Forecast, simulation: Simulation, courses: Sequence[Course]) -> None:
        """Work a new forecast out and publish it."""
        self.forecast, self._simulation = forecast, simulation
        self._put(Job(forecast, simulation, tuple(courses), forecast.start))

    def again(self, courses: Sequence[Course], since: int) -> None:
        """Publish the forecast through other courses: the schedule itself has not changed."""
        if self.forecast is not None:
            self._put(Job(self.forecast, self._simulation, tuple(courses), since))

    def wait(self, timeout: float) -> bool:
        """Wait until everything asked for is published."""
        with self._wanted:
            return self._wanted.wait_for(lambda: self._idle, timeout)

    def close(self) -> None:
        """End the thread; what it has not published stays unpublished."""
        with self._wanted:
            self._closed = True
            self._wanted.notify_all()

    def _put(self, job: Job) -> None:
        with self._wanted:
            self._job, self._idle = job, False
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="helm-planner", daemon=True)
                self._thread.start()
            self._wanted.notify_all()

    def _serve(self) -> None:
        while True:
            with self._wanted:
                self._idle = self._job is None
                self._wanted.notify_all()
                self._wanted.wait_for(lambda: self._job is not None or self._closed)
                job, self._job = self._job, None
                if self._closed or job is None:
                    return
            try:
                if self._fill(job):
                    self._publish(job.since, self._curves(job))
            except Exception as error:  # a scheduler of the script's own may raise anything
                job.forecast.broken = f"{type(error).__name__}: {error}"

    def _fill(self, job: Job) -> bool:
        """Fill the forecast in short slices; False when a newer job has come."""
        forecast, simulation = job.forecast, job.simulation
        if simulation is None or forecast.broken:
            return not forecast.broken
        rates = simulation.rates()
        columns = forecast.columns = forecast.columns or [array("d") for _ in rates]
        due = time.perf_counter() + SLICE_S
        stop = min(forecast.stop, forecast.start + MAX_STEPS)
        for index in range(len(columns[-1]), stop - forecast.start):
            if self._advances(forecast, index):
                simulation.advance()
                rates = simulation.rates()
            for column, rate in zip(columns, rates, strict=True):
                column.append(rate)
            if time.perf_counter() > due:
                time.sleep(REST_S)
                if self._job is not None or self._closed:
                    return False
                due = time.perf_counter() + SLICE_S
        return True

    @staticmethod
    def _advances(forecast: Forecast, index: int) -> bool:
        if not forecast.every or index < forecast.until_next:
            return False
        return (index - forecast.until_next) % forecast.every == 0

    def _curves(self, job: Job) -> tuple[PlanCurve, ...]:
        since = max(job.since, job.forecast.start)
        skip = since - job.forecast.start
        curves = []
        limit = max(64, KNOTS // max(1, len(self._streams)))
        for stream, column, course in zip(self._streams, job.forecast.columns, job.courses, strict=False):
            values = np.asarray(course.rate(np.frombuffer(column, dtype=np.float64)[skip:].copy()))
            kept = knots(values, limit)
            steps = tuple(int(index) + since for index in kept)
            curves.append(PlanCurve(stream=stream, steps=steps, values=tuple(values[kept].tolist())))
        return tuple(curves)
