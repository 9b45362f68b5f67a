"""The progress of a run: its clock, its step, its speed and the time left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from helm_desktop.format import step
from helm_desktop.model.run.group_ends import group_ends
from helm_sdk.protocol.messages import Batch

RATE_WINDOW_SECONDS = 30.0


class Progress:
    """Progress by the clock of the run, which the monotonic clock of the app continues between updates."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.started: float | None = None
        self.ended: float | None = None
        self.step: int | None = None
        self._step_time: float | None = None  # when it was known, by the clock of the run
        self.plan_step: int | None = None
        self._run_time: float | None = (
            None  # the time of the last heartbeat or point, by the clock of the run
        )
        self._received_at = 0.0
        self._recent: deque[tuple[float, int]] = deque()  # (time, step)
        self._pauses: deque[tuple[float, float]] = deque(maxlen=64)  # (begin, end) by the clock of the run

    def add_start(self, started: float) -> None:
        """Add the time at which a process opened its file: the run started with the first of them."""
        self.started = started if self.started is None else min(self.started, started)

    def on_heartbeat(self, run_time: float, step: int | None) -> None:
        """Store a time of the run's clock and the step at that time; None leaves the step as it is."""
        if self._run_time is None or run_time > self._run_time:
            self._run_time = run_time
            self._received_at = self._clock()
        if step is None or (self._step_time is not None and run_time < self._step_time):
            return  # the history of a resumed run arrives with the newest attempt first
        self.step, self._step_time = step, run_time
        if not self._recent or (step > self._recent[-1][1] and run_time > self._recent[-1][0]):
            self._recent.append((run_time, step))
        elif step < self._recent[-1][1]:
            self._recent.clear()
            self._recent.append((run_time, step))
        while len(self._recent) > 2 and run_time - self._recent[0][0] > RATE_WINDOW_SECONDS:
            self._recent.popleft()

    def add_points(self, batch: Batch) -> None:
        """Store step and time of the point group with the latest step."""
        first, last = max(map(group_ends, batch.groups), key=lambda ends: ends[1][0])
        for at, run_time in (last,) if self.has_steps else (first, last):
            self.on_heartbeat(run_time, at)

    def add_pause(self, start: float, seconds: float) -> None:
        """Add a pause, which does not count for the speed: its start and its length in seconds."""
        self._pauses.append((start, start + seconds))

    def end(self, at: float | None) -> None:
        """End the run: stop its clock at a time; None stops it at the last known time."""
        self.ended = at if at is not None else self._run_time

    def on_new_attempt(self) -> None:
        """Start the clock again: the next attempt has begun."""
        self.ended = None

    @property
    def now(self) -> float | None:
        """The time now by the clock of the run (unix seconds); None before the first time is known."""
        if self.ended is not None:
            return self.ended
        if self._run_time is None:
            return None
        return self._run_time + (self._clock() - self._received_at)

    @property
    def running(self) -> float | None:
        """Seconds from the start until now or until the end; None while that is not known."""
        now = self.now
        if now is None or self.started is None:
            return None
        return max(0.0, now - self.started)

    @property
    def has_steps(self) -> bool:
        """Whether a step is known."""
        return bool(self._recent)

    @property
    def seconds_per_step(self) -> float | None:
        """Seconds per step over the last half minute without pauses; None while that is not known."""
        if len(self._recent) < 2:
            return None
        (t0, s0), (t1, s1) = self._recent[0], self._recent[-1]
        paused = sum(max(0.0, min(t1, until) - max(t0, since)) for since, until in self._pauses)
        return max(0.0, t1 - t0 - paused) / (s1 - s0)

    @property
    def left(self) -> float | None:
        """Seconds until the planned end at the present speed; None when not known and after the end."""
        seconds = self.seconds_per_step
        if seconds is None or self.plan_step is None or self.step is None or self.ended is not None:
            return None
        return max(0, self.plan_step - 1 - self.step) * seconds

    @property
    def share(self) -> float | None:
        """The part of the plan that is done, 0 to 1; None without a plan or a step."""
        if not self.plan_step or self.step is None:
            return None
        return min(1.0, (self.step + 1) / self.plan_step)

    @property
    def step_text(self) -> str:
        """The step as "1,212 of 6,000", or "212" without a plan; empty before the first step."""
        if self.step is None:
            return ""
        if self.plan_step is None:
            return step(self.step)
        done = self.plan_step if self.ended is not None and self.step + 1 == self.plan_step else self.step
        return f"{step(done)} of {step(self.plan_step)}"
