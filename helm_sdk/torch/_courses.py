"""How a group's rate follows from its schedule: scaled, or held at a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Scaled:
    """The schedule's rate times target/base, kept apart so that raw == base gives target exactly."""

    target: float = 1.0
    base: float = 1.0

    def rate(self, raw: Any) -> Any:
        """The rate for a schedule's rate: a number or an array of them."""
        if self.target == self.base:
            return raw
        return self.target * (raw / self.base)

    @property
    def factor(self) -> float:
        """What the schedule is multiplied by."""
        return self.target / self.base


@dataclass(frozen=True, slots=True)
class Held:
    """One rate, whatever the schedule says, until it is released."""

    value: float

    def rate(self, raw: Any) -> Any:
        """The held rate, in the shape of `raw`."""
        return raw * 0.0 + self.value


Course: TypeAlias = Scaled | Held

FOLLOW = Scaled()


class NoRate(ValueError):
    """The schedule's rate is 0 where a change needs one to relate to."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of rates as somebody sent it; it takes effect on the courses at the next optimizer step."""

    lr: float | None = None
    scale: float | None = None
    hold: bool = False
    group: int | None = None  # flat index; None: every group, and `lr` is meant for the first

    def apply(self, courses: list[Course], raws: list[float]) -> list[Course]:
        """The courses after this change, given the schedule's rates at the step that first runs with it."""
        if self.group is not None:
            changed = list(courses)
            changed[self.group] = self._one(courses[self.group], raws[self.group])
            return changed
        if self.scale is not None:
            return [self._one(course, raw) for course, raw in zip(courses, raws, strict=True)]
        return self._all(courses, raws)

    def _one(self, course: Course, raw: float) -> Course:
        if self.scale is not None:
            return _scale(course, self.scale, raw, self.hold)
        assert self.lr is not None
        if self.hold:
            return Held(self.lr)
        return Scaled(self.lr, _nonzero(raw))

    def _all(self, courses: list[Course], raws: list[float]) -> list[Course]:
        """`lr` for the first group; the others keep their ratio to it."""
        assert self.lr is not None
        lead = float(courses[0].rate(raws[0]))
        changed = [self._one(courses[0], raws[0])]
        for course, raw in zip(courses[1:], raws[1:], strict=True):
            if lead == 0.0:  # held or scaled to nothing: the schedule still knows the ratio
                changed.append(_scale(FOLLOW, self.lr / _nonzero(raws[0]), raw, self.hold))
            elif self.hold or isinstance(course, Held):
                changed.append(_scale(course, self.lr / lead, raw, self.hold))
            else:
                changed.append(Scaled(course.target * self.lr, course.base * lead))
        return changed


def _scale(course: Course, scale: float, raw: float, hold: bool) -> Course:
    if hold:
        return Held(float(course.rate(raw)) * scale)
    if isinstance(course, Held):
        return Scaled(course.value * scale, _nonzero(raw))
    if course.target == 0.0:
        raise NoRate("the rate was scaled to 0, which no scale brings back: send lr")
    return Scaled(course.target * scale, course.base)


def _nonzero(raw: float) -> float:
    if raw == 0.0:
        raise NoRate("the schedule's rate is 0 at this step, lr has nothing to rescale: send scale or a plan")
    return raw


def to_plain(course: Course) -> dict[str, float]:
    """A course as JSON keeps it."""
    if isinstance(course, Held):
        return {"hold": course.value}
    return {"target": course.target, "base": course.base}


def from_plain(plain: dict[str, float]) -> Course:
    """A course from what `to_plain` gave."""
    if "hold" in plain:
        return Held(float(plain["hold"]))
    return Scaled(float(plain["target"]), float(plain["base"]))
