"""How far a run is: its clock, its step, its pace and what is left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from helm_desktop.format import step
from helm_desktop.model.run.group_ends import group_ends
from helm_sdk.protocol.messages import Batch

PACE_WINDOW_SECONDS = 30.0


class Progress:
    """Reads the run's own clock; between two signs of life it goes on by the monotonic one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.started: float | None = None
        self.ended: float | None = None
        self.step: int | None = None
        self.plan_step: int | None = None
        self._run_time: float | None = None  # the run's clock at the last sign of life
        self._heard_at = 0.0
        self._pace: deque[tuple[float, int]] = deque()
        self._pauses: deque[tuple[float, float]] = deque(maxlen=64)  # (from, until) by the run's clock

    def began(self, started: float) -> None:
        """The first process opened its file then."""
        self.started = started if self.started is None else min(self.started, started)

    def on_heartbeat(self, run_time: float, step: int | None) -> None:
        """A sign of life by the run's clock, with the step it was at."""
        if self._run_time is None or run_time > self._run_time:
            self._run_time = run_time
            self._heard_at = self._clock()
        if step is None:
            return
        self.step = step
        if not self._pace or (step > self._pace[-1][1] and run_time > self._pace[-1][0]):
            self._pace.append((run_time, step))
        elif step < self._pace[-1][1]:
            self._pace.clear()
            self._pace.append((run_time, step))
        while len(self._pace) > 2 and run_time - self._pace[0][0] > PACE_WINDOW_SECONDS:
            self._pace.popleft()

    def add_points(self, batch: Batch) -> None:
        """Take step and time of the group of points that reaches furthest."""
        first, last = max(map(group_ends, batch.groups), key=lambda ends: ends[1][0])
        for at, run_time in (last,) if self.paced else (first, last):
            self.on_heartbeat(run_time, at)

    def paused(self, start: float, seconds: float) -> None:
        """The run stood still for so long: that says nothing of its pace."""
        self._pauses.append((start, start + seconds))

    def end(self, at: float | None) -> None:
        """The run is over: its clock stands still from now on."""
        self.ended = at if at is not None else self._run_time

    def on_new_attempt(self) -> None:
        """A next attempt began: the clock runs again."""
        self.ended = None

    @property
    def now(self) -> float | None:
        """The run's clock now, unix seconds."""
        if self.ended is not None:
            return self.ended
        if self._run_time is None:
            return None
        return self._run_time + (self._clock() - self._heard_at)

    @property
    def running(self) -> float | None:
        """Seconds from the start until now or the end."""
        now = self.now
        if now is None or self.started is None:
            return None
        return max(0.0, now - self.started)

    @property
    def paced(self) -> bool:
        """Whether a step has been heard of."""
        return bool(self._pace)

    @property
    def seconds_per_step(self) -> float | None:
        """The pace over the last half minute, pauses left out."""
        if len(self._pace) < 2:
            return None
        (t0, s0), (t1, s1) = self._pace[0], self._pace[-1]
        still = sum(max(0.0, min(t1, until) - max(t0, since)) for since, until in self._pauses)
        return max(0.0, t1 - t0 - still) / (s1 - s0)

    @property
    def left(self) -> float | None:
        """Seconds to the planned end at this pace; None without a plan, a pace, or after the end."""
        pace = self.seconds_per_step
        if pace is None or self.plan_step is None or self.step is None or self.ended is not None:
            return None
        return max(0, self.plan_step - 1 - self.step) * pace

    @property
    def share(self) -> float | None:
        """How much of the plan is done, 0 to 1."""
        if not self.plan_step or self.step is None:
            return None
        return min(1.0, (self.step + 1) / self.plan_step)

    @property
    def step_words(self) -> str:
        """ "1,212 of 6,000", "212", or nothing before the first step."""
        if self.step is None:
            return ""
        if self.plan_step is None:
            return step(self.step)
        done = self.plan_step if self.ended is not None and self.step + 1 == self.plan_step else self.step
        return f"{step(done)} of {step(self.plan_step)}"
