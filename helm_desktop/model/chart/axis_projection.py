"""Where steps lie on another axis that a run logs, such as tokens, ahead of what it has logged so far."""

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
    """A straight line: before step `step` the axis stands at `at`, and each step adds `per_step`."""

    step: float = 0.0
    at: float = 0.0
    per_step: float = 1.0

    def positions(self, steps: Values) -> Values:
        """Return where steps begin on the axis."""
        return self.at + (steps - self.step) * self.per_step

    def steps(self, places: Values) -> Values:
        """Return the steps, in parts too, that begin at places of the axis."""
        return self.step + (places - self.at) / self.per_step


STEPS = AxisProjection()
OTHER_PACE = 1e-3  # paces that differ by a smaller part draw the same picture


@dataclass(frozen=True)
class AxisConversion:
    """From one axis to another, both laid along the steps."""

    source: AxisProjection = STEPS
    target: AxisProjection = STEPS

    def across(self, places: Values) -> Values:
        """Places of the first axis on the second."""
        if self.source == self.target:
            return places
        return self.target.positions(self.source.steps(places))

    def back(self, place: float) -> float:
        """Return a place of the second axis on the first."""
        if self.source == self.target:
            return place
        return float(self.source.positions(self.target.steps(np.asarray([place], np.float64)))[0])


def projection_of(store: SeriesStore, axis: str) -> AxisProjection | None:
    """How an axis grows: by its mean over the newest attempt, as the run reckons. None where it is not known,
    or does not grow."""
    if axis == STEP:
        return STEPS
    series = store.series.get(axis)
    segment = series.newest if series is not None and series.kind == "axis" else None
    track = segment.track("step") if segment is not None else None
    if track is None or not len(track):
        return None
    first, last = int(track.step.at(0)), int(track.step.at(len(track) - 1))
    begin, end = float(track.value.at(0)), float(track.value.at(len(track) - 1))
    per_step = (end - begin) / (last - first) if last > first else end / (last + 1)
    return AxisProjection(last + 1.0, end, per_step) if 0.0 < per_step < np.inf else None
