"""Which control's schedule can be drafted on which stream's chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helm_desktop.model.plan_draft import Curve, Keyframe
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.nodes import Enum, Node, Record, Schedule
from helm_sdk.protocol.numbers import decimal_of

if TYPE_CHECKING:
    from helm_desktop.model.control import Control
    from helm_desktop.model.session import Session

_RESCALE, _HOLD = "rescale", "hold"


@dataclass(frozen=True)
class Target:
    """A control that takes a schedule over steps, and the stream that shows what it does."""

    control: str
    field: str  # of its record; empty where its input is the schedule
    kind: Schedule
    stream: str
    mode: str = ""  # the field that says what comes after the last keyframe
    words: tuple[str, str] = ("follow the schedule", "hold")  # its labels

    def value(self, points: dict[str, Any], hold: bool) -> Any:
        """The input to send."""
        if not self.field:
            return points
        mode = {self.mode: _HOLD if hold else _RESCALE} if self.mode else {}
        return {self.field: points, **mode}


def target_of(control: Control) -> Target | None:
    """What of a control can be drafted on a chart; None for one that takes no schedule alone."""
    stream = control.capability.reads
    if not stream:
        return None
    node = control.node
    if isinstance(node, Schedule):
        return Target(control.name, "", node, stream) if node.axis == "step" else None
    if not isinstance(node, Record):
        return None
    for part in node.fields:
        others = set(node.required) - {part.name}
        if isinstance(part.type, Schedule) and part.type.axis == "step" and not others:
            if node.one_of and part.name not in node.one_of:
                continue
            mode, words = _mode_of(node)
            return Target(control.name, part.name, part.type, stream, mode, words)
    return None


def _mode_of(node: Record) -> tuple[str, tuple[str, str]]:
    for part in node.fields:
        kind: Node = part.type
        if isinstance(kind, Enum) and {_RESCALE, _HOLD} <= set(kind.values):
            labels = dict(zip(kind.values, kind.labels, strict=True))
            return part.name, (labels[_RESCALE], labels[_HOLD])
    return "", ("follow the schedule", "hold")


def targets(session: Session) -> dict[str, Target]:
    """What can be drafted now, by stream: while the run is live, with a plan and a control."""
    if session.standing.state.ended:
        return {}
    found = [target_of(control) for control in session.controls.controls if not control.blocked]
    return {
        one.stream: one
        for one in found
        if one is not None and (last := end_of(session)) is not None and last > now_of(session)
    }


def now_of(session: Session) -> int:
    """The step that the run stands at."""
    return session.progress.step or 0


def end_of(session: Session) -> int | None:
    """The last step that is planned."""
    plan = session.progress.plan_step
    return plan - 1 if plan is not None else None


def planned_of(session: Session, target: Target) -> Curve:
    """Where the stream goes without a change."""
    curve = session.planned(target.stream)
    return Curve.of(curve.steps, curve.values) if curve is not None else Curve.of((), ())


def running_of(session: Session, target: Target) -> tuple[tuple[Keyframe, ...], bool]:
    """The keyframes that lead the stream now, and whether it is held after them, or held anyway."""
    control = session.controls.control(target.control)
    value = control.current.value if control is not None and control.changed else None
    if not isinstance(value, Mapping):
        return (), False
    hold = bool(target.mode) and value.get(target.mode) == _HOLD
    schedule = value.get(target.field) if target.field else value
    points = schedule.get("points", ()) if isinstance(schedule, Mapping) else ()
    try:
        return tuple(
            Keyframe(decimal_of(one["at"], ""), decimal_of(one["value"], "")) for one in points
        ), hold
    except (InvalidValue, KeyError, TypeError):
        return (), hold


def schedule_of(session: Session, target: Target) -> Curve | None:
    """What the schedule itself gives, where a change leads the stream away from it."""
    curve = session.planned(f"{target.stream}/schedule")
    return Curve.of(curve.steps, curve.values) if curve is not None else None
