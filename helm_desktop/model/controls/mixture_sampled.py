"""What a run really drew of a mixture, from the streams that it names."""

import math
from collections.abc import Callable, Sequence

from helm_desktop.model.controls.control import Control
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT

Tail = Callable[[str, int, int | None], tuple[Sequence[int], Sequence[float]]]
"""Steps and values of the last n points of a stream by name, none of a step before `since`."""

SAMPLED_POINTS = 10


def sampled_shares(control: Control, tail: Tail, points: int = SAMPLED_POINTS) -> dict[str, float | None]:
    """Share of each component: the mean of each stream's last points, none from before the last applied
    change. None for a component without any."""
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
    """Return the first step whose points belong to the value that holds now."""
    change = control.current.change
    if change is None or change.applied is None or change.applied.step is None:
        return None
    # The trainer writes the first step that runs with it; another safe point, the step it came after.
    return change.applied.step + (0 if change.safe_point == TRAINER_SAFE_POINT else 1)
