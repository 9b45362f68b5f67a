"""How a group's rate follows from its schedule: scaled, held at a value, or along keyframes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Steps = NDArray[np.int64]


class LoopPosition(NamedTuple):
    """Where the loop is: the step that runs next, and the tokens seen before it."""

    step: int
    tokens: float = 0.0


@dataclass(frozen=True, slots=True)
class ScaledRate:
    """The schedule's rate times target/base, kept apart so that raw == base gives target exactly."""

    target: float = 1.0
    base: float = 1.0

    def rate(self, raw: float, now: LoopPosition) -> float:
        """Return the rate that a step uses where the schedule says `raw`."""
        return raw if self.target == self.base else self.target * (raw / self.base)

    def rates(self, raws: Values, steps: Steps) -> Values:
        """Return the same for many steps."""
        return raws if self.target == self.base else self.target * (raws / self.base)


@dataclass(frozen=True, slots=True)
class HeldRate:
    """One rate, whatever the schedule says, until it is released."""

    value: float

    def rate(self, raw: float, now: LoopPosition) -> float:
        """Return the held rate."""
        return self.value

    def rates(self, raws: Values, steps: Steps) -> Values:
        """Return the held rate, for many steps."""
        return np.full(len(raws), self.value)


@dataclass(frozen=True, slots=True)
class KeyframedRate:
    """Linear between keyframes; `before` the first, and after the last rescaled through it, or held there."""

    at: tuple[float, ...]  # steps, or tokens
    values: tuple[float, ...]
    before: ScaledRate | HeldRate
    hold: bool = False
    tokens: bool = False

    def rate(self, raw: float, now: LoopPosition) -> float:
        """Return the rate that a step uses; past the last keyframe call `advanced` first."""
        x = self._position(now)
        if x < self.at[0]:
            return self.before.rate(raw, now)
        if x >= self.at[-1]:
            return self.values[-1]
        right = bisect_right(self.at, x)
        at, value = self.at[right - 1], self.values[right - 1]
        return value + (self.values[right] - value) * ((x - at) / (self.at[right] - at))

    def rates(self, raws: Values, steps: Steps) -> Values:
        """Return the same for many steps, what comes after the last keyframe included; not over tokens."""
        found = np.interp(steps, self.at, self.values)
        early = steps < self.at[0]
        found[early] = self.before.rates(raws[early], steps[early])
        late = np.flatnonzero(steps >= self.at[-1])
        if len(late):
            after = self.advanced(float(raws[late[0]]), LoopPosition(int(steps[late[0]])))
            found[late] = after.rates(raws[late], steps[late])
        return found

    def advanced(self, raw: float, now: LoopPosition) -> Override:
        """Return what the override is from this step on: past the last keyframe it is no plan any more."""
        if self._position(now) < self.at[-1]:
            return self
        return HeldRate(self.values[-1]) if self.hold or raw == 0.0 else ScaledRate(self.values[-1], raw)

    def in_steps(self, now: LoopPosition, per_step: float) -> KeyframedRate:
        """Return the same over steps, where each takes in so many tokens."""
        if not self.tokens:
            return self
        steps = tuple(now.step + (at - now.tokens) / per_step for at in self.at)
        return replace(self, at=steps, tokens=False)

    def _position(self, now: LoopPosition) -> float:
        return now.tokens if self.tokens else now.step


Override: TypeAlias = ScaledRate | HeldRate | KeyframedRate

FOLLOW = ScaledRate()


class ZeroScheduleRate(ValueError):
    """The schedule's rate is 0 where a change needs one to relate to."""


@dataclass(frozen=True, slots=True)
class RateChange:
    """A change of rates as somebody sent it: one of lr, scale and plan.

    It takes effect on the overrides at the next optimizer step. `group` is a flat index; None means every
    group, where `lr` and the plan's values are meant for the first and the others keep their ratio to it.
    """

    lr: float | None = None
    scale: float | None = None
    plan: tuple[tuple[float, float], ...] = ()  # (at, value)
    tokens: bool = False  # whether the plan is over tokens, not steps
    hold: bool = False
    group: int | None = None

    def apply(self, overrides: list[Override], raws: list[float], now: LoopPosition) -> list[Override]:
        """The overrides after this change, given the schedule's rates at the step that first runs with it."""
        if self.group is not None:
            changed = list(overrides)
            changed[self.group] = self._one(overrides[self.group], raws[self.group], now)
            return changed
        if self.scale is not None:
            return [self._one(override, raw, now) for override, raw in zip(overrides, raws, strict=True)]
        lead = overrides[0].rate(raws[0], now)
        followers = [
            self._follower(override, raw, raws[0], lead, now)
            for override, raw in zip(overrides[1:], raws[1:], strict=True)
        ]
        return [self._one(overrides[0], raws[0], now), *followers]

    def _one(self, override: Override, raw: float, now: LoopPosition) -> Override:
        if self.plan:
            return self._keyframed(1.0, override)
        if self.scale is not None:
            return _scale(override, self.scale, raw, now, self.hold)
        assert self.lr is not None
        return HeldRate(self.lr) if self.hold else ScaledRate(self.lr, _nonzero(raw))

    def _follower(
        self, override: Override, raw: float, first_raw: float, lead: float, now: LoopPosition
    ) -> Override:
        """Another group, which keeps its ratio to the first."""
        if lead == 0.0:  # held or scaled to nothing: the schedule still knows the ratio
            override, lead = FOLLOW, _nonzero(first_raw)
        if self.plan:
            return self._keyframed(override.rate(raw, now) / lead, override)
        assert self.lr is not None
        if self.hold:
            return HeldRate(override.rate(raw, now) * (self.lr / lead))
        if isinstance(override, ScaledRate):
            return ScaledRate(override.target * self.lr, override.base * lead)
        return ScaledRate(override.rate(raw, now) * (self.lr / lead), _nonzero(raw))

    def _keyframed(self, ratio: float, override: Override) -> Override:
        before = override.before if isinstance(override, KeyframedRate) else override
        at, values = zip(*self.plan, strict=True)
        return KeyframedRate(at, tuple(value * ratio for value in values), before, self.hold, self.tokens)


def _scale(override: Override, scale: float, raw: float, now: LoopPosition, hold: bool) -> Override:
    if hold:
        return HeldRate(override.rate(raw, now) * scale)
    if isinstance(override, KeyframedRate):
        before = _scale(override.before, scale, raw, now, isinstance(override.before, HeldRate))
        assert not isinstance(before, KeyframedRate)
        return replace(override, values=tuple(value * scale for value in override.values), before=before)
    if isinstance(override, HeldRate):
        return ScaledRate(override.value * scale, _nonzero(raw))
    if override.target == 0.0:
        raise ZeroScheduleRate("the rate was scaled to 0, which no scale brings back: send lr")
    return ScaledRate(override.target * scale, override.base)


def _nonzero(raw: float) -> float:
    if raw == 0.0:
        raise ZeroScheduleRate(
            "the schedule's rate is 0 at this step, lr has nothing to rescale: send scale or a plan"
        )
    return raw


def to_plain(override: Override) -> dict[str, Any]:
    """Return an override as JSON keeps it."""
    if isinstance(override, HeldRate):
        return {"hold": override.value}
    if isinstance(override, ScaledRate):
        return {"target": override.target, "base": override.base}
    points = [list(point) for point in zip(override.at, override.values, strict=True)]
    over = {"over": "tokens"} if override.tokens else {}
    return {"points": points, "before": to_plain(override.before), "then_hold": override.hold, **over}


def from_plain(plain: dict[str, Any]) -> Override:
    """Return an override from what `to_plain` gave."""
    if "hold" in plain:
        return HeldRate(float(plain["hold"]))
    if "points" not in plain:
        return ScaledRate(float(plain["target"]), float(plain["base"]))
    before = from_plain(plain["before"])
    assert not isinstance(before, KeyframedRate)
    at, values = zip(*plain["points"], strict=True)
    tokens = plain.get("over") == "tokens"
    return KeyframedRate(tuple(at), tuple(map(float, values)), before, bool(plain["then_hold"]), tokens)
