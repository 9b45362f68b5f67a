"""How a rate follows from its schedule, in the words of a card."""

from __future__ import annotations

import math
from collections.abc import Sequence

from helm_desktop import format as fmt
from helm_sdk.protocol.messages import RateOverride

_SAME = 1e-9


def place_words(axis: str, at: float) -> str:
    """Return where on an axis: "step 600", "1.2M tokens"."""
    if axis == "step":
        return f"step {fmt.step(round(at))}"
    return f"{fmt.number(round(at))} {axis}"


def override_label(course: RateOverride) -> str:
    """ "schedule cosine, rescaled ×0.5", "held at 0.02 until released", "plan, 4 keyframes, to step 600"."""
    if course.points:
        end = place_words(course.axis, course.points[-1][0])
        return f"plan, {fmt.plural(len(course.points), 'keyframe')}, to {end}" + (
            ", then held" if course.then_hold else ""
        )
    if course.held is not None:
        return f"held at {fmt.number(course.held)} until released"
    name = f"schedule {course.schedule}" if course.schedule else "no schedule"
    same = math.isclose(course.factor, 1.0, rel_tol=_SAME)
    return name if same else f"{name}, rescaled ×{fmt.number(course.factor)}"


def all_override_labels(overrides: Sequence[RateOverride]) -> str:
    """Return the text of the first group's rate, and of the groups that differ from it."""
    if not overrides:
        return ""
    first, *rest = overrides
    aside = [one for one in rest if not _alike(one, first)]
    if len(aside) > 1:
        return f"{override_label(first)} · {len(aside)} groups otherwise"
    return " · ".join([override_label(first), *(f"{_group(one)}: {override_label(one)}" for one in aside)])


def each_override_label(overrides: Sequence[RateOverride]) -> str:
    """Return a line for each group, where there are several."""
    return (
        "\n".join(f"{_group(one)}: {override_label(one)}" for one in overrides) if len(overrides) > 1 else ""
    )


def _group(course: RateOverride) -> str:
    return course.stream.removeprefix("optim/lr/")


def _alike(one: RateOverride, other: RateOverride) -> bool:
    """Whether both follow their own schedules in the same way: held or led in their own ratio is that too."""
    if one.points or other.points:
        return [at for at, _ in one.points] == [at for at, _ in other.points]
    if one.held is not None or other.held is not None:
        return one.held is not None and other.held is not None
    return one.schedule == other.schedule and math.isclose(one.factor, other.factor, rel_tol=_SAME)
