"""The arithmetic of a drafted schedule: keyframes from now on, and the curve that a run would follow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from helm_desktop import format as fmt
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.controls.schedule_labels import place_words
from helm_desktop.model.schedule.curve import Keyframe, PixelScale, PlannedCurve, Values
from helm_desktop.model.series.decimal_text import as_decimal, as_sent, rounded_to
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.nodes import NO_BOUNDS, Bounds
from helm_sdk.protocol.numbers import decimal_of, is_whole

SNAP_PX = 6  # how near a place has to be to what it snaps to
_SAME = 1e-9  # of the largest planned value: less is no change


class KeyframesDraft:
    """Keyframes that rise in step. What has passed is never moved; nothing is ever put into the past."""

    def __init__(
        self,
        planned: PlannedCurve,
        now: int,
        end: int,
        *,
        bounds: Bounds = NO_BOUNDS,
        keyframes: Iterable[Keyframe] = (),
        follows: bool = True,
        hold: bool = False,
        schedule: PlannedCurve | None = None,
        before: PlannedCurve | None = None,
        running: Iterable[Keyframe] = (),
        axis: str = STEP,
    ) -> None:
        self.axis = axis  # of the keyframes: what is called a step here is a place on it
        self.running = tuple(sorted(running))  # the keyframes that lead the run now, passed ones too
        self.planned = planned
        self.schedule = schedule  # where a change leads the plan away from it; else the plan is the schedule
        self.before = before  # what the run goes by before the first keyframe, where that is not the plan
        self.now = now
        self.end = end  # the last step of the run
        self.bounds = bounds
        self.follows = follows  # whether the run can go on along its schedule after the last keyframe
        self.hold = hold
        self.keyframes: tuple[Keyframe, ...] = tuple(sorted(keyframes))

    @property
    def first(self) -> int:
        """The first step that can still be changed."""
        return self.now + 1

    @property
    def stale(self) -> bool:
        """Whether the run has passed a keyframe that does not lead it already."""
        return any(own.at < self.first and own not in self.running for own in self.keyframes)

    @property
    def next(self) -> Keyframe:
        """The first keyframe that lies ahead; the last of all when none does."""
        return next((own for own in self.keyframes if own.at >= self.first), self.keyframes[-1])

    @property
    def changes(self) -> bool:
        """Whether the run would do anything else than planned."""
        curve = self.curve()
        if not len(curve.steps) or not len(self.planned.steps) or curve.steps[-1] < self.planned.steps[-1]:
            return bool(self.keyframes)
        late = self.planned.steps[self.planned.steps >= curve.steps[0]]
        steps = np.union1d(curve.steps, late)
        drawn = np.interp(steps, curve.steps, curve.values)
        off = np.abs(drawn - np.interp(steps, self.planned.steps, self.planned.values))
        return bool(np.max(off) > _SAME * np.max(np.abs(self.planned.values)))

    def advance(self, now: int) -> bool:
        """Store how far the run has come; return True when that made the draft stale."""
        before = self.stale
        self.now = max(self.now, now)
        return self.stale != before

    def where(self, at: float | Decimal) -> str:
        """Return a place on the axis in words: "step 260", "1.2M tokens"."""
        return place_words(self.axis, float(at))

    def passed_words(self, at: float | Decimal) -> str:
        """That the run is beyond a place."""
        have = "has" if self.axis == STEP else "have"
        now = fmt.step(self.now) if self.axis == STEP else self.where(self.now)
        return f"{self.where(at)} {have} passed, the run is at {now}"

    def passed(self, index: int) -> bool:
        """Return True when a keyframe lies in the past."""
        return self.keyframes[index].at < self.first

    # By hand -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """The keyframes that lead the run, else one a little ahead where the plan goes anyway: nothing
        changes until a hand moves something."""
        if self.running and self.running[-1].at > self.now:
            self.keyframes = self.running
            return
        left = max(0, self.end - self.now)
        at = min(self.end, max(self.first, self.now + max(1, left // 8)))
        digits = len(str(max(1, left // 8))) - 1
        rounded = round(at, -digits)
        at = rounded if self.first < rounded <= self.end else at
        self.keyframes = (Keyframe(Decimal(at), as_decimal(self.planned.at(at))),)

    def add(self, at: float, value: float | Decimal) -> int | None:
        """Add a keyframe; return its index, or None where there is no room for one."""
        step = round(at)
        if not self.first <= step <= self.end or any(own.at == step for own in self.keyframes):
            return None
        frame = Keyframe(Decimal(step), self._within(as_decimal(value), self._usual(step)))
        self.keyframes = tuple(sorted((*self.keyframes, frame)))
        return self.keyframes.index(frame)

    def move(self, index: int, at: float, value: float | Decimal) -> None:
        """Go as near to a place as its neighbours, the past and the bounds let it."""
        if self.passed(index):
            return
        low, high = self.step_bounds(index)
        old = self.keyframes[index]
        step = min(max(round(at), low), high) if low <= high else int(old.at)
        self._set(index, Keyframe(Decimal(step), self._within(as_decimal(value), old.value)))

    def remove(self, index: int) -> None:
        """Take a keyframe out; the last one stays."""
        if len(self.keyframes) > 1 and not self.passed(index):
            self.keyframes = self.keyframes[:index] + self.keyframes[index + 1 :]

    def type(self, index: int, at: str, value: str) -> None:
        """Take what was typed to the letter; InvalidValue with one sentence where it cannot be."""
        step, number = decimal_of(at.strip(), self.axis), decimal_of(value.strip(), "value")
        low, high = self.step_bounds(index)
        if self.passed(index):
            raise InvalidValue("at", self.passed_words(self.keyframes[index].at))
        if not is_whole(step):
            raise InvalidValue("at", f"{self.axis} is {at.strip()}, it must be a whole number")
        if step < self.first:
            raise InvalidValue("at", self.passed_words(step))
        if not low <= step <= high:
            raise InvalidValue("at", f"{self.axis} is {step}, it must be from {low} to {high}")
        if broken := self.bounds.broken_by(number):
            raise InvalidValue("value", f"value is {value.strip()}, it must be {broken}")
        self._set(index, Keyframe(step, number))

    def move_ahead(self) -> None:
        """Start a stale draft again from now: what has passed goes, the value there stays."""
        if not self.stale:
            return
        left = max(0, self.end - self.now)
        at = min(self.end, self.now + max(1, left // 8))
        value = self.value_at(at)
        if math.isnan(value):
            value = float(self.keyframes[-1].value)
        ahead = tuple(own for own in self.keyframes if own.at > at)
        led = tuple(own for own in self.running if own.at < self.first and ahead)
        self.keyframes = (*led, Keyframe(Decimal(at), self._within(as_decimal(value), Decimal(0))), *ahead)

    def at_bound(self, index: int, *, up: bool) -> bool:
        """Return True when a keyframe can go no further up, or down."""
        value, bounds = self.keyframes[index].value, self.bounds
        if up:
            return bounds.max is not None and value >= bounds.max
        return bounds.min is not None and value <= bounds.min

    def step_bounds(self, index: int) -> tuple[int, int]:
        """Return the first and the last step that a keyframe may go to."""
        low, high = self.first, self.end
        if index > 0:
            low = max(low, int(self.keyframes[index - 1].at) + 1)
        if index + 1 < len(self.keyframes):
            high = min(high, int(self.keyframes[index + 1].at) - 1)
        return low, high

    def snapped(
        self, at: float, value: float, scale: PixelScale, index: int | None = None
    ) -> tuple[int, Decimal]:
        """Return a place as the pointer means it: round steps, the plan, the height of other keyframes."""
        grid = scale.grid
        near = round(at / grid) * grid
        step = near if abs(near - at) <= SNAP_PX * scale.step else round(at)
        others = [float(own.value) for place, own in enumerate(self.keyframes) if place != index]
        marks = [*others, self.planned.at(step)]
        known = [mark for mark in marks if math.isfinite(mark)]
        found = min(known, key=lambda mark: abs(mark - value), default=math.inf)
        if abs(found - value) <= SNAP_PX * scale.value:
            return step, next(
                (own.value for own in self.keyframes if float(own.value) == found), as_decimal(found)
            )
        return step, rounded_to(value, scale.value)

    # What the run would do -------------------------------------------------------------------

    def value_at(self, step: float) -> float:
        """Return the value that the run would use; nan where the app cannot know it."""
        frames = self.keyframes
        if not frames or step < frames[0].at:
            return (self.before or self.planned).at(step)
        at, values = [float(own.at) for own in frames], [float(own.value) for own in frames]
        if step <= at[-1]:
            return float(np.interp(step, at, values))
        return float(self._after(np.asarray([step], np.float64))[0])

    def curve(self) -> PlannedCurve:
        """Return the drafted line from the first keyframe, or from now, to where it is known."""
        frames = self.keyframes
        if not frames:
            return PlannedCurve.of((), ())
        start, last = max(float(frames[0].at), float(self.now)), float(frames[-1].at)
        if self.before is not None:
            start = float(self.now)
        inner = {float(own.at) for own in frames if own.at >= start} | ({start} if start <= last else set())
        if self.before is not None:
            early = self.before.steps
            inner |= set(early[(early > start) & (early < float(frames[0].at))].tolist())
        along = self.schedule or self.planned
        late = along.steps[along.steps > max(last, start)]
        if self.hold or not len(late):
            late = np.asarray([float(self.end)] if self.hold and self.end > max(last, start) else [])
        if start > last:
            late = np.concatenate(([start], late))
        steps = np.concatenate((np.asarray(sorted(inner)), late))
        values = np.asarray([self.value_at(step) for step in sorted(inner)], np.float64)
        values = np.concatenate((values, self._after(late)))
        known = np.isfinite(values)
        return PlannedCurve(steps[known], values[known])

    def _after(self, steps: Values) -> Values:
        """Past the last keyframe: held there, or along the plan, scaled so that it goes on from there."""
        last = self.keyframes[-1]
        along = self.schedule or self.planned
        base = along.at(float(last.at))
        if self.hold or base == 0.0:
            return np.full(len(steps), float(last.value))
        if not self.follows or math.isnan(base):
            return np.full(len(steps), math.nan)
        found = np.interp(steps, along.steps, along.values)
        return np.asarray(float(last.value) * (found / base), np.float64)

    def points(self) -> dict[str, Any]:
        """Return the schedule as it is sent."""
        return {"points": [{"at": int(own.at), "value": as_sent(own.value)} for own in self.keyframes]}

    def _set(self, index: int, frame: Keyframe) -> None:
        self.keyframes = (*self.keyframes[:index], frame, *self.keyframes[index + 1 :])

    def _usual(self, step: int) -> Decimal:
        """Return what a keyframe has at a step where nothing better is known."""
        planned = self.planned.at(step)
        fallback = self.bounds.max if self.bounds.max is not None else Decimal(1)
        return as_decimal(planned) if math.isfinite(planned) else fallback

    def _within(self, value: Decimal, otherwise: Decimal) -> Decimal:
        """Return the value, its bound where it is beyond one that may be reached, else what it was."""
        bounds = self.bounds
        if not value.is_finite():
            return otherwise
        if not bounds.broken_by(value):
            return value
        if bounds.min is not None and value <= bounds.min:
            return otherwise if bounds.exclusive_min else bounds.min
        return otherwise if bounds.exclusive_max or bounds.max is None else bounds.max
