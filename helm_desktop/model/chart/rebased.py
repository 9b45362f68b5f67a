"""A series over another x than step or wall time: another series joined by step, or active time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import Source

FARTHEST = 1e300  # a limit of x, so that the distance between two x is finite


class AxisPositions(Protocol):
    """The positions of rows on an x axis."""

    order: str  # the column that sorts the rows: "step" or "wall"

    @property
    def revision(self) -> object:
        """A value that changes when positions that were returned before are no longer right."""

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """Return x for the first rows, nan where a row has no x, and the number of rows known so far."""


class ActiveTimePositions:
    """Positions by active time, in seconds."""

    order = "wall"

    def __init__(self, clock: ActiveTime) -> None:
        self._clock = clock

    @property
    def revision(self) -> object:
        """The revision of the clock."""
        return self._clock.revision

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """Return the active seconds at the time of each row; every row is known."""
        return self._clock.of(times), len(times)


class JoinedPositions:
    """Positions by the values of another series at the same steps.

    An axis is interpolated between its points; a metric has its last value until the next point. Steps before
    the first point, and those after the last point of an axis, have no position.
    """

    order = "step"

    def __init__(self, other: Series, *, final: bool = False) -> None:
        self.other = other
        self.final = final

    @property
    def revision(self) -> object:
        """The number of truncations of each segment: they are made when rows come between others."""
        return [len(one.pyramid("step").cuts) for one in self.other.segments.values() if one.count]

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """Return x for the rows up to the last step of the other series; later rows wait for it."""
        segment = self._matching_segment(source)
        if segment is None or not segment.count:
            return np.full(len(steps), np.nan), len(steps) if self.final else 0
        pyramid = segment.pyramid("step")
        last = float(pyramid.step.at(len(pyramid) - 1))
        known = len(steps) if self.final else int(np.searchsorted(steps, last, "right"))
        steps = steps[:known]
        first = max(0, pyramid.step.search(float(steps[0]), "right") - 1) if known else 0
        at = pyramid.step.slice(first, len(pyramid)).astype(np.float64)
        values = pyramid.value.slice(first, len(pyramid))
        if self.other.kind == "axis":
            return np.interp(steps, at, values, left=np.nan, right=np.nan), known
        index = np.searchsorted(at, steps, "right") - 1
        return np.where(index >= 0, values[np.maximum(index, 0)], np.nan), known

    def _matching_segment(self, source: Source) -> Segment | None:
        same = self.other.segments.get(source)
        others = [key for key in self.other.segments if key[1] == source[1]]
        return same or (self.other.segments[min(others)] if others else None)


class RebasedSeries:
    """A series with another x: `series` has the same points, and the new x in its column "wall"."""

    def __init__(self, origin: Series, positions: AxisPositions) -> None:
        self.origin = origin
        self.positions = positions
        self.series = Series(origin.name, origin.unit, origin.better, origin.kind)
        self.unplaced = 0  # the number of points without an x
        self._revision: object = None
        self._copied: dict[Source, tuple[Pyramid, int, int]] = {}

    def refresh(self) -> None:
        """Add the rows that the origin has got since the last call."""
        if self._revision != self.positions.revision:
            self._revision = self.positions.revision
            self._clear()
        segments = [
            (key, one, one.pyramid(self.positions.order)) for key, one in self.origin.segments.items()
        ]
        if any(
            self._copied.get(key, (pyramid, 0, len(pyramid.cuts)))[::2] != (pyramid, len(pyramid.cuts))
            for key, _, pyramid in segments
        ):
            self._clear()
        for key, _, pyramid in segments:
            self._extend(key, pyramid)

    def _clear(self) -> None:
        self.series.segments.clear()
        self._copied.clear()
        self.unplaced = 0

    def _extend(self, source: Source, pyramid: Pyramid) -> None:
        _, start, _ = self._copied.get(source, (pyramid, 0, 0))
        if start < len(pyramid):
            steps = pyramid.step.slice(start, len(pyramid)).astype(np.int64)
            x, known = self.positions.of(source, steps, pyramid.wall.slice(start, len(pyramid)))
            good = np.abs(x[:known]) <= FARTHEST  # nan is not
            values = pyramid.value.slice(start, start + known)
            self.series.append(*source, steps[:known][good], x[:known][good], values[good])
            self.unplaced += known - int(good.sum())
            start += known
        self._copied[source] = (pyramid, start, len(pyramid.cuts))
