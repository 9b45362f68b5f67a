"""The targets of drafts: the controls whose schedule can be drafted, and the streams that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helm_desktop.model.chart.axis_projection import projection_of
from helm_desktop.model.chart.spec import STEP
from helm_sdk.protocol.nodes import Enum, Field, Node, Record, Schedule

if TYPE_CHECKING:
    from helm_desktop.model.controls.control import Control
    from helm_desktop.model.run.session import Session

RESCALE, HOLD = "rescale", "hold"


@dataclass(frozen=True)
class DraftTarget:
    """A control with a schedule as input, and the stream that shows its effect."""

    control: str
    field: str  # the field of its input with the schedule; empty where the input is the schedule
    kind: Schedule
    stream: str
    mode: str = ""  # the field that says what comes after the last keyframe
    mode_labels: tuple[str, str] = ("follow the schedule", "hold")  # the labels of that field's choices
    group: tuple[str, str] = ("", "")  # the field for the parameter group, and the group of this stream
    groups: int = 1  # the number of groups that the change applies to; they keep their ratio

    @property
    def axis(self) -> str:
        """The axis of its keyframes: "step" or "tokens"."""
        return self.kind.axis

    @property
    def name(self) -> str:
        """The control and its groups: "lr", "lr group1", "lr all groups"."""
        return f"{self.control} {'all groups' if self.groups > 1 else self.group[1]}".strip()

    def value(self, points: dict[str, Any], hold: bool) -> Any:
        """Return the input to send, with the group and with what comes after the last keyframe."""
        if not self.field:
            return points
        mode = {self.mode: HOLD if hold else RESCALE} if self.mode else {}
        group = {self.group[0]: self.group[1]} if self.group[0] else {}
        return {self.field: points, **mode, **group}


def targets_of(control: Control) -> Iterator[DraftTarget]:
    """Yield the targets of a control; none when it has no schedule, or requires further fields."""
    stream, node = control.capability.reads, control.node
    if not stream:
        return
    if isinstance(node, Schedule):
        yield DraftTarget(control.name, "", node, stream)
    if not isinstance(node, Record):
        return
    mode, mode_labels = _mode_of(node)
    for part in node.fields:
        if not isinstance(part.type, Schedule) or (node.one_of and part.name not in node.one_of):
            continue
        for own, group, groups in _groups_of(node, stream):
            if not set(node.required) - {part.name, group[0]}:
                yield DraftTarget(control.name, part.name, part.type, own, mode, mode_labels, group, groups)


def _mode_of(node: Record) -> tuple[str, tuple[str, str]]:
    for part in node.fields:
        kind: Node = part.type
        if isinstance(kind, Enum) and {RESCALE, HOLD} <= set(kind.values):
            labels = dict(zip(kind.values, kind.labels, strict=True))
            return part.name, (labels[RESCALE], labels[HOLD])
    return "", ("follow the schedule", "hold")


def _groups_of(node: Record, stream: str) -> list[tuple[str, tuple[str, str], int]]:
    """Return stream, group and number of groups for each stream that a control sets.

    There are several where the choices of a field are the ends of the names of streams.
    """
    for part in node.fields:
        kind: Node = part.type
        if isinstance(kind, Enum) and len(kind.values) > 1 and stream.endswith(f"/{kind.values[0]}"):
            return list(_each_group(part, kind, stream.removesuffix(str(kind.values[0]))))
    return [(stream, ("", ""), 1)]


def _each_group(part: Field, kind: Enum, prefix: str) -> Iterator[tuple[str, tuple[str, str], int]]:
    for number, value in enumerate(kind.values):
        every = (
            number == 0 and part.optional
        )  # without a group the change applies to all, and the first shows it
        group = ("", "") if every else (part.name, str(value))
        yield f"{prefix}{value}", group, len(kind.values) if every else 1


def targets(session: Session) -> dict[str, tuple[DraftTarget, ...]]:
    """Return the targets by stream; none after the end of the run, or without a plan."""
    last, now = end_of(session), now_of(session)
    if session.status.state.ended or last is None or last <= now:
        return {}
    found: dict[str, tuple[DraftTarget, ...]] = {}
    for control in session.controls.controls:
        for one in targets_of(control) if not control.blocked else ():
            if projection_of(session.store, one.axis) is not None:
                found[one.stream] = (*found.get(one.stream, ()), one)
    return found


def now_of(session: Session) -> int:
    """Return the present step of the run; 0 before the first."""
    return session.progress.step or 0


def end_of(session: Session) -> int | None:
    """Return the last planned step; None without a plan."""
    plan = session.progress.plan_step
    return plan - 1 if plan is not None else None


def offered(offers: dict[str, tuple[DraftTarget, ...]], stream: str, axis: str = STEP) -> DraftTarget | None:
    """Return the target for a chart of this stream, on the axis of the chart if there is one, or None."""
    found = offers.get(stream, ())
    return next((one for one in found if one.axis == axis), found[0] if found else None)
