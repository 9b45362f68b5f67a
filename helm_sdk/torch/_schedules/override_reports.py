"""Tells how each group's rate follows from its schedule, whenever that has become otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any

from helm_sdk.protocol.messages import RateOverride
from helm_sdk.torch._schedules.rate_overrides import Course, HeldRate, ScaledRate
from helm_sdk.torch._schedules.rates import UsedRates
from helm_sdk.torch._schedules.schedule_names import schedule_names

Publish = Callable[[list[RateOverride]], Any]


class OverrideReports:
    """Looks after each step: a keyframe that was passed last changes a course by itself."""

    def __init__(self, rates: UsedRates, schedulers: Sequence[Any], publish: Publish) -> None:
        self._rates = rates
        self._names = schedule_names(schedulers, rates.optimizers)
        self._publish = publish
        self._told: list[Course] | None = None

    def look(self) -> None:
        """Publish the courses where one is not what was told last."""
        courses, told = self._rates.courses, self._told
        if told is not None and len(told) == len(courses) and all(map(is_, told, courses)):
            return
        self._told = list(courses)
        if self._rates.groups:
            groups = zip(self._rates.groups, courses, strict=True)
            self._publish(
                [told_course(f"optim/lr/{g.label}", self._names[g.number], course) for g, course in groups]
            )


def told_course(stream: str, schedule: str, course: Course) -> RateOverride:
    """A course as others read it."""
    if isinstance(course, ScaledRate):
        return RateOverride(stream=stream, schedule=schedule, factor=course.target / course.base)
    if isinstance(course, HeldRate):
        return RateOverride(stream=stream, schedule=schedule, held=course.value)
    before = course.before
    return RateOverride(
        stream=stream,
        schedule=schedule,
        factor=before.target / before.base if isinstance(before, ScaledRate) else 1.0,
        held=before.value if isinstance(before, HeldRate) else None,
        points=tuple(zip(course.at, course.values, strict=True)),
        axis="tokens" if course.tokens else "step",
        then_hold=course.hold,
    )
