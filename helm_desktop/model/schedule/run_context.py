"""The state of the run that a draft depends on: its step, its plan, and the keyframes that it follows."""

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

_SAME_PLACE = 0.5  # keyframes are whole numbers, but those that a run reports may be slightly off


def projection_for(session: Session, target: DraftTarget) -> AxisProjection:
    """Return how the axis of the keyframes of a target grows per step."""
    return projection_of(session.store, target.axis) or STEPS


def current_position(session: Session, projection: AxisProjection) -> int:
    """Return the present position on an axis, which can no longer be changed."""
    return now_of(session) if projection == STEPS else math.floor(projection.at)


def end_position(session: Session, target: DraftTarget, projection: AxisProjection) -> int:
    """Return the last planned position on the axis of a target."""
    last = end_of(session) or 0
    if projection == STEPS:
        return last
    planned = session.plan.tokens if target.axis == "tokens" else None
    return planned or math.floor(projection.positions(np.asarray([last], np.float64))[0])


def make_draft(session: Session, target: DraftTarget) -> KeyframesDraft:
    """Return a draft without keyframes for the present state of the run."""
    projection = projection_for(session, target)
    made = KeyframesDraft(
        PlannedCurve.of((), ()),
        current_position(session, projection),
        end_position(session, target, projection),
        bounds=target.kind.bounds,
        axis=target.axis,
    )
    made.running, made.hold = running_of(session, target)
    refresh_draft(made, session, target)
    return made


def refresh_draft(draft: KeyframesDraft, session: Session, target: DraftTarget) -> None:
    """Update a draft to the present plan of the run and the growth of its axis."""
    projection = projection_for(session, target)
    planned = _curve(session, target.stream, projection)
    draft.follows = bool(target.mode) and planned is not None
    draft.planned = planned or _constant_curve(session, target, projection)
    draft.schedule = _curve(session, f"{target.stream}/schedule", projection)
    draft.before = _before(draft, session.plan.override(target.stream))
    draft.end = max(end_position(session, target, projection), draft.now)


def running_of(session: Session, target: DraftTarget) -> tuple[tuple[Keyframe, ...], bool]:
    """Return the keyframes that the rate follows now, and whether it is held after them or without any."""
    override = session.plan.override(target.stream)
    if override is None:
        return _running_by_value(session, target)
    if override.points and override.axis == target.axis:
        sent, _ = _running_by_value(session, target)
        return tuple(_as_sent(at, value, sent) for at, value in override.points), override.then_hold
    return (), override.held is not None and not override.points


def _as_sent(at: float, value: float, sent: tuple[Keyframe, ...]) -> Keyframe:
    """Return a keyframe of the run, with the exact numbers of the sent keyframe that is equal to it."""
    reported = Keyframe(Decimal(round(at)), as_decimal(value))
    equal = (own for own in sent if abs(float(own.at) - at) < _SAME_PLACE and float(own.value) == value)
    return next(equal, reported)


def _running_by_value(session: Session, target: DraftTarget) -> tuple[tuple[Keyframe, ...], bool]:
    """Return the same from the last value of the control, for a run that reports no rate overrides."""
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


def _curve(session: Session, stream: str, projection: AxisProjection) -> PlannedCurve | None:
    found = session.plan.curve(stream)
    if found is None:
        return None
    steps = np.asarray(found.steps, np.float64)
    return PlannedCurve.of(steps if projection == STEPS else projection.positions(steps), found.values)


def _constant_curve(session: Session, target: DraftTarget, projection: AxisProjection) -> PlannedCurve:
    """Return a constant curve at the last value of the stream, for a stream without a plan."""
    _, values = session.store.tail(target.stream, 1)
    if not len(values) or not math.isfinite(values[-1]):
        return PlannedCurve.of((), ())
    ends = float(current_position(session, projection)), float(end_position(session, target, projection))
    return PlannedCurve.of(ends, (float(values[-1]),) * 2)


def _before(draft: KeyframesDraft, override: RateOverride | None) -> PlannedCurve | None:
    """Return what the run would follow without its keyframes; None without keyframes or when unknown."""
    if override is None or not override.points or not len(draft.planned.steps):
        return None
    if override.held is not None:
        return PlannedCurve.of((draft.now, draft.end), (override.held, override.held))
    return draft.schedule.times(override.factor) if draft.schedule is not None else None
