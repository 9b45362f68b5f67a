"""The arithmetic of a drafted schedule: its keyframes, and the curve that the run would follow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from helm_desktop import format as fmt
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.controls.schedule_labels import place_text
from helm_desktop.model.schedule.curve import Keyframe, PixelScale, PlannedCurve, Values
from helm_desktop.model.series.decimal_text import as_decimal, as_sent, rounded_to
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.nodes import NO_BOUNDS, Bounds
from helm_sdk.protocol.numbers import decimal_of, is_whole

SNAP_PX = 6  # the distance within which a keyframe snaps
_SAME = 1e-9  # times the largest planned value: a smaller difference is no change


class KeyframesDraft:
    """Keyframes in the order of steps. Passed keyframes cannot be moved, and none can be set in the past."""

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
        self.axis = axis  # of the keyframes: "step" in this class means a position on it
        self.running = tuple(sorted(running))  # the keyframes that the run follows now, with passed ones
        self.planned = planned
        self.schedule = schedule  # None: the plan follows the schedule
        self.before = before  # what the run follows before the first keyframe; None: the plan
        self.now = now
        self.end = end  # the last step of the run
        self.bounds = bounds
        self.follows = follows  # whether the run can follow its schedule after the last keyframe
        self.hold = hold
        self.keyframes: tuple[Keyframe, ...] = tuple(sorted(keyframes))

    @property
    def first(self) -> int:
        """The first step that can still be changed."""
        return self.now + 1

    @property
    def stale(self) -> bool:
        """Whether the run has passed a keyframe that it does not follow already."""
        return any(own.at < self.first and own not in self.running for own in self.keyframes)

    @property
    def next(self) -> Keyframe:
        """The first keyframe that the run has not passed; the last one when it has passed all."""
        return next((own for own in self.keyframes if own.at >= self.first), self.keyframes[-1])

    @property
    def changes(self) -> bool:
        """Whether the curve differs from the plan."""
        curve = self.curve()
        if not len(curve.steps) or not len(self.planned.steps) or curve.steps[-1] < self.planned.steps[-1]:
            return bool(self.keyframes)
        late = self.planned.steps[self.planned.steps >= curve.steps[0]]
        steps = np.union1d(curve.steps, late)
        drafted = np.interp(steps, curve.steps, curve.values)
        difference = np.abs(drafted - np.interp(steps, self.planned.steps, self.planned.values))
        return bool(np.max(difference) > _SAME * np.max(np.abs(self.planned.values)))

    def advance(self, now: int) -> bool:
        """Set the present step; return True when that made the draft stale."""
        before = self.stale
        self.now = max(self.now, now)
        return self.stale != before

    def position_text(self, at: float | Decimal) -> str:
        """Return a position on the axis as a text: "step 260", "1.2M tokens"."""
        return place_text(self.axis, float(at))

    def passed_text(self, at: float | Decimal) -> str:
        """Return that the run has passed a position, in one sentence."""
        have = "has" if self.axis == STEP else "have"
        now = fmt.step(self.now) if self.axis == STEP else self.position_text(self.now)
        return f"{self.position_text(at)} {have} passed, the run is at {now}"

    def passed(self, index: int) -> bool:
        """Return True when the run has passed a keyframe."""
        return self.keyframes[index].at < self.first

    # Edits -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin with the keyframes that the run follows, else with one on the plan: nothing changes yet."""
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
        """Add a keyframe; return its index, or None where the step is outside of the plan or has one."""
        step = round(at)
        if not self.first <= step <= self.end or any(own.at == step for own in self.keyframes):
            return None
        frame = Keyframe(Decimal(step), self._within(as_decimal(value), self._default_value(step)))
        self.keyframes = tuple(sorted((*self.keyframes, frame)))
        return self.keyframes.index(frame)

    def move(self, index: int, at: float, value: float | Decimal) -> None:
        """Move a keyframe as near to a position as its neighbours, the present step and the bounds allow."""
        if self.passed(index):
            return
        low, high = self.step_bounds(index)
        old = self.keyframes[index]
        step = min(max(round(at), low), high) if low <= high else int(old.at)
        self._set(index, Keyframe(Decimal(step), self._within(as_decimal(value), old.value)))

    def remove(self, index: int) -> None:
        """Remove a keyframe, unless it is the only one or has passed."""
        if len(self.keyframes) > 1 and not self.passed(index):
            self.keyframes = self.keyframes[:index] + self.keyframes[index + 1 :]

    def type(self, index: int, at: str, value: str) -> None:
        """Set a keyframe exactly as typed; raise InvalidValue, whose message is one sentence."""
        step, number = decimal_of(at.strip(), self.axis), decimal_of(value.strip(), "value")
        low, high = self.step_bounds(index)
        if self.passed(index):
            raise InvalidValue("at", self.passed_text(self.keyframes[index].at))
        if not is_whole(step):
            raise InvalidValue("at", f"{self.axis} is {at.strip()}, it must be a whole number")
        if step < self.first:
            raise InvalidValue("at", self.passed_text(step))
        if not low <= step <= high:
            raise InvalidValue("at", f"{self.axis} is {step}, it must be from {low} to {high}")
        if broken := self.bounds.broken_by(number):
            raise InvalidValue("value", f"value is {value.strip()}, it must be {broken}")
        self._set(index, Keyframe(step, number))

    def move_ahead(self) -> None:
        """Replace the passed keyframes of a stale draft by one ahead, with the drafted value at its step."""
        if not self.stale:
            return
        left = max(0, self.end - self.now)
        at = min(self.end, self.now + max(1, left // 8))
        value = self.value_at(at)
        if math.isnan(value):
            value = float(self.keyframes[-1].value)
        ahead = tuple(own for own in self.keyframes if own.at > at)
        running = tuple(own for own in self.running if own.at < self.first and ahead)
        self.keyframes = (
            *running,
            Keyframe(Decimal(at), self._within(as_decimal(value), Decimal(0))),
            *ahead,
        )

    def at_bound(self, index: int, *, up: bool) -> bool:
        """Return True when a keyframe is at the upper (`up`) or at the lower bound."""
        value, bounds = self.keyframes[index].value, self.bounds
        if up:
            return bounds.max is not None and value >= bounds.max
        return bounds.min is not None and value <= bounds.min

    def step_bounds(self, index: int) -> tuple[int, int]:
        """Return the first and the last step that a keyframe can be moved to."""
        low, high = self.first, self.end
        if index > 0:
            low = max(low, int(self.keyframes[index - 1].at) + 1)
        if index + 1 < len(self.keyframes):
            high = min(high, int(self.keyframes[index + 1].at) - 1)
        return low, high

    def snapped(
        self, at: float, value: float, scale: PixelScale, index: int | None = None
    ) -> tuple[int, Decimal]:
        """Snap a position to round steps, and its value to the plan or to other keyframes."""
        grid = scale.grid
        near = round(at / grid) * grid
        step = near if abs(near - at) <= SNAP_PX * scale.step else round(at)
        others = [float(own.value) for place, own in enumerate(self.keyframes) if place != index]
        targets = [*others, self.planned.at(step)]
        known = [target for target in targets if math.isfinite(target)]
        found = min(known, key=lambda target: abs(target - value), default=math.inf)
        if abs(found - value) <= SNAP_PX * scale.value:
            return step, next(
                (own.value for own in self.keyframes if float(own.value) == found), as_decimal(found)
            )
        return step, rounded_to(value, scale.value)

    # The curve -------------------------------------------------------------------------------

    def value_at(self, step: float) -> float:
        """Return the value that the run would use at a step; nan where the app does not know it."""
        frames = self.keyframes
        if not frames or step < frames[0].at:
            return (self.before or self.planned).at(step)
        at, values = [float(own.at) for own in frames], [float(own.value) for own in frames]
        if step <= at[-1]:
            return float(np.interp(step, at, values))
        return float(self._after(np.asarray([step], np.float64))[0])

    def curve(self) -> PlannedCurve:
        """Return the drafted curve, from the first keyframe or the present step to where it is known."""
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
        followed = self.schedule or self.planned
        late = followed.steps[followed.steps > max(last, start)]
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
        """Return the values after the last keyframe: held, or the schedule scaled to meet the keyframe."""
        last = self.keyframes[-1]
        followed = self.schedule or self.planned
        base = followed.at(float(last.at))
        if self.hold or base == 0.0:
            return np.full(len(steps), float(last.value))
        if not self.follows or math.isnan(base):
            return np.full(len(steps), math.nan)
        found = np.interp(steps, followed.steps, followed.values)
        return np.asarray(float(last.value) * (found / base), np.float64)

    def points(self) -> dict[str, Any]:
        """Return the keyframes as they are sent."""
        return {"points": [{"at": int(own.at), "value": as_sent(own.value)} for own in self.keyframes]}

    def _set(self, index: int, frame: Keyframe) -> None:
        self.keyframes = (*self.keyframes[:index], frame, *self.keyframes[index + 1 :])

    def _default_value(self, step: int) -> Decimal:
        """Return a value for a new keyframe at a step: the planned one, else the upper bound or 1."""
        planned = self.planned.at(step)
        fallback = self.bounds.max if self.bounds.max is not None else Decimal(1)
        return as_decimal(planned) if math.isfinite(planned) else fallback

    def _within(self, value: Decimal, otherwise: Decimal) -> Decimal:
        """Return the value within the bounds; `otherwise` where that is not possible."""
        bounds = self.bounds
        if not value.is_finite():
            return otherwise
        if not bounds.broken_by(value):
            return value
        if bounds.min is not None and value <= bounds.min:
            return otherwise if bounds.exclusive_min else bounds.min
        return otherwise if bounds.exclusive_max or bounds.max is None else bounds.max
