"""What a draft has to know of the run: where it stands, where it goes, and what leads it now."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from helm_desktop.model.chart.axis_projection import STEPS, AxisProjection, projection_of
from helm_desktop.model.schedule.curve import Keyframe, PlannedCurve
from helm_desktop.model.schedule.draft_target import HOLD, DraftTarget, end_of, now_of
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.series.decimal_text import as_decimal
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.messages import RateOverride
from helm_sdk.protocol.numbers import decimal_of

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

_SAME_PLACE = 0.5  # keyframes are whole numbers: what a run tells of them may be a little off


def pace_for(session: Session, target: DraftTarget) -> AxisProjection:
    """Return how the axis of a target's keyframes grows."""
    return projection_of(session.store, target.axis) or STEPS


def stands_at(session: Session, pace: AxisProjection) -> int:
    """Return the last place of an axis that can no longer be changed."""
    return now_of(session) if pace == STEPS else math.floor(pace.at)


def ends_at(session: Session, target: DraftTarget, pace: AxisProjection) -> int:
    """Return the last place that is planned."""
    last = end_of(session) or 0
    if pace == STEPS:
        return last
    planned = session.plan.tokens if target.axis == "tokens" else None
    return planned or math.floor(pace.positions(np.asarray([last], np.float64))[0])


def make_draft(session: Session, target: DraftTarget) -> KeyframesDraft:
    """Return a draft without keyframes, for the run as it stands."""
    pace = pace_for(session, target)
    made = KeyframesDraft(
        PlannedCurve.of((), ()),
        stands_at(session, pace),
        ends_at(session, target, pace),
        bounds=target.kind.bounds,
        axis=target.axis,
    )
    made.running, made.hold = running_of(session, target)
    refresh_draft(made, session, target)
    return made


def refresh_draft(draft: KeyframesDraft, session: Session, target: DraftTarget) -> None:
    """Another plan, or another pace: the draft is held against it."""
    pace = pace_for(session, target)
    planned = _curve(session, target.stream, pace)
    draft.follows = bool(target.mode) and planned is not None
    draft.planned = planned or _as_it_is(session, target, pace)
    draft.schedule = _curve(session, f"{target.stream}/schedule", pace)
    draft.before = _before(draft, session.plan.override(target.stream))
    draft.end = max(ends_at(session, target, pace), draft.now)


def running_of(session: Session, target: DraftTarget) -> tuple[tuple[Keyframe, ...], bool]:
    """Return the keyframes that lead the stream now, and whether it is held after them, or held anyway."""
    course = session.plan.override(target.stream)
    if course is None:
        return _running_by_value(session, target)
    if course.points and course.axis == target.axis:
        sent, _ = _running_by_value(session, target)
        return tuple(_as_sent(at, value, sent) for at, value in course.points), course.then_hold
    return (), course.held is not None and not course.points


def _as_sent(at: float, value: float, sent: tuple[Keyframe, ...]) -> Keyframe:
    """Return a keyframe of the run, with the figures that somebody sent where it is that."""
    reported = Keyframe(Decimal(round(at)), as_decimal(value))
    same = (own for own in sent if abs(float(own.at) - at) < _SAME_PLACE and float(own.value) == value)
    return next(same, reported)


def _running_by_value(session: Session, target: DraftTarget) -> tuple[tuple[Keyframe, ...], bool]:
    """The same from what was sent last, where the run does not tell; of other groups nothing is known."""
    control = session.controls.control(target.control)
    value = control.current.value if control is not None and control.changed else None
    if not isinstance(value, Mapping) or (target.group[0] and value.get(target.group[0]) != target.group[1]):
        return (), False
    hold = bool(target.mode) and value.get(target.mode) == HOLD
    schedule = value.get(target.field) if target.field else value
    points = schedule.get("points", ()) if isinstance(schedule, Mapping) else ()
    try:
        return tuple(
            Keyframe(decimal_of(one["at"], ""), decimal_of(one["value"], "")) for one in points
        ), hold
    except (InvalidValue, KeyError, TypeError):
        return (), hold


def _curve(session: Session, stream: str, pace: AxisProjection) -> PlannedCurve | None:
    found = session.plan.curve(stream)
    if found is None:
        return None
    steps = np.asarray(found.steps, np.float64)
    return PlannedCurve.of(steps if pace == STEPS else pace.positions(steps), found.values)


def _as_it_is(session: Session, target: DraftTarget, pace: AxisProjection) -> PlannedCurve:
    """Return a curve that stays where the stream is: nothing is planned."""
    _, values = session.store.tail(target.stream, 1)
    if not len(values) or not math.isfinite(values[-1]):
        return PlannedCurve.of((), ())
    ends = float(stands_at(session, pace)), float(ends_at(session, target, pace))
    return PlannedCurve.of(ends, (float(values[-1]),) * 2)


def _before(draft: KeyframesDraft, course: RateOverride | None) -> PlannedCurve | None:
    """Without the keyframes that lead it the run goes back to what it did before them."""
    if course is None or not course.points or not len(draft.planned.steps):
        return None
    if course.held is not None:
        return PlannedCurve.of((draft.now, draft.end), (course.held, course.held))
    return draft.schedule.times(course.factor) if draft.schedule is not None else None
