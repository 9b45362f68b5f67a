"""The shares of a mixture that a run really sampled, from the streams that the control names."""

import math
from collections.abc import Callable, Sequence

from helm_desktop.model.controls.control import Control
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT

Tail = Callable[[str, int, int | None], tuple[Sequence[int], Sequence[float]]]
"""Called with a stream, a number of points and a first step or None; returns steps and values."""

SAMPLED_POINTS = 10


def sampled_shares(control: Control, tail: Tail, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
    """Return the share of each component: the mean of the last points of its stream since the last change.

    None for a component without points.
    """
    if control.mixture is None or not control.mixture[1].sampled:
        return {}
    node, since = control.mixture[1], _since(control)
    means: dict[str, float | None] = {}
    for component in node.components:
        _, values = tail(node.sampled_stream(component), points, since)
        finite = [float(value) for value in values if math.isfinite(value)]
        means[component] = sum(finite) / len(finite) if finite else None
    known = [mean for mean in means.values() if mean is not None]
    total = sum(known)
    if len(known) < len(means) or total <= 0 or abs(total - 1) < 0.02:
        return means
    return {component: (mean or 0.0) / total for component, mean in means.items()}


def _since(control: Control) -> int | None:
    """Return the first step that ran with the current value; None when it was never changed."""
    change = control.current.change
    if change is None or change.applied is None or change.applied.step is None:
        return None
    # The trainer records the first step that runs with the change, other safe points the step before it.
    return change.applied.step + (0 if change.safe_point == TRAINER_SAFE_POINT else 1)
