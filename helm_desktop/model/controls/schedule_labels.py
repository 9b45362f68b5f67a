"""Texts for rate overrides: how a rate follows from its schedule."""

from __future__ import annotations

import math
from collections.abc import Sequence

from helm_desktop import format as fmt
from helm_sdk.protocol.messages import RateOverride

_SAME = 1e-9


def place_text(axis: str, at: float) -> str:
    """Return a position on an axis as "step 600" or "1.2M tokens"."""
    if axis == "step":
        return f"step {fmt.step(round(at))}"
    return f"{fmt.number(round(at))} {axis}"


def override_label(override: RateOverride) -> str:
    """Return a text such as "schedule cosine, rescaled ×0.5" or "plan, 4 keyframes, to step 600"."""
    if override.points:
        end = place_text(override.axis, override.points[-1][0])
        return f"plan, {fmt.plural(len(override.points), 'keyframe')}, to {end}" + (
            ", then held" if override.then_hold else ""
        )
    if override.held is not None:
        return f"held at {fmt.number(override.held)} until released"
    name = f"schedule {override.schedule}" if override.schedule else "no schedule"
    same = math.isclose(override.factor, 1.0, rel_tol=_SAME)
    return name if same else f"{name}, rescaled ×{fmt.number(override.factor)}"


def all_override_labels(overrides: Sequence[RateOverride]) -> str:
    """Return the text for the first parameter group, and for groups that differ from it."""
    if not overrides:
        return ""
    first, *rest = overrides
    others = [one for one in rest if not _alike(one, first)]
    if len(others) > 1:
        return f"{override_label(first)} · {len(others)} groups otherwise"
    return " · ".join([override_label(first), *(f"{_group(one)}: {override_label(one)}" for one in others)])


def each_override_label(overrides: Sequence[RateOverride]) -> str:
    """Return a line for each parameter group; empty for a single group."""
    return (
        "\n".join(f"{_group(one)}: {override_label(one)}" for one in overrides) if len(overrides) > 1 else ""
    )


def _group(override: RateOverride) -> str:
    return override.stream.removeprefix("optim/lr/")


def _alike(one: RateOverride, other: RateOverride) -> bool:
    """Return True when two groups are overridden in the same way; their rates may differ by a ratio."""
    if one.points or other.points:
        return [at for at, _ in one.points] == [at for at, _ in other.points]
    if one.held is not None or other.held is not None:
        return one.held is not None and other.held is not None
    return one.schedule == other.schedule and math.isclose(one.factor, other.factor, rel_tol=_SAME)
