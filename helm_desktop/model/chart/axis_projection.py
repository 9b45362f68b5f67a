"""Where future steps will lie on another axis that a run logs, such as tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from helm_desktop.model.chart.spec import STEP

if TYPE_CHECKING:
    from helm_desktop.model.series.series_model import SeriesStore

Values = NDArray[np.float64]


@dataclass(frozen=True)
class AxisProjection:
    """A line: at the beginning of step `step` the axis has the value `at`, and each step adds `per_step`."""

    step: float = 0.0
    at: float = 0.0
    per_step: float = 1.0

    def positions(self, steps: Values) -> Values:
        """Return the values of the axis at which steps begin."""
        return self.at + (steps - self.step) * self.per_step

    def steps(self, positions: Values) -> Values:
        """Return the steps, with fractions, at values of the axis."""
        return self.step + (positions - self.at) / self.per_step


STEPS = AxisProjection()
RATE_TOLERANCE = 1e-3  # a smaller relative change of `per_step` cannot be seen in a chart


@dataclass(frozen=True)
class AxisConversion:
    """A conversion from one axis to another, by way of the steps."""

    source: AxisProjection = STEPS
    target: AxisProjection = STEPS

    def across(self, positions: Values) -> Values:
        """Return the values of the target axis for values of the source axis."""
        if self.source == self.target:
            return positions
        return self.target.positions(self.source.steps(positions))

    def back(self, position: float) -> float:
        """Return the value of the source axis for a value of the target axis."""
        if self.source == self.target:
            return position
        return float(self.source.positions(self.target.steps(np.asarray([position], np.float64)))[0])


def projection_of(store: SeriesStore, axis: str) -> AxisProjection | None:
    """Return how an axis grows a step, by its mean over the newest attempt, as the run computes it too.

    None where the axis is not known or does not grow.
    """
    if axis == STEP:
        return STEPS
    series = store.series.get(axis)
    segment = series.newest if series is not None and series.kind == "axis" else None
    pyramid = segment.pyramid("step") if segment is not None else None
    if pyramid is None or not len(pyramid):
        return None
    first, last = int(pyramid.step.at(0)), int(pyramid.step.at(len(pyramid) - 1))
    begin, end = float(pyramid.value.at(0)), float(pyramid.value.at(len(pyramid) - 1))
    per_step = (end - begin) / (last - first) if last > first else end / (last + 1)
    return AxisProjection(last + 1.0, end, per_step) if 0.0 < per_step < np.inf else None
