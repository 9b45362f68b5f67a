"""A series over another x than step or time: joined by step with an axis or a metric, or active time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import Source

FARTHEST = 1e300  # so that the distance between two places is a number


class AxisPositions(Protocol):
    """Where rows stand on an x axis."""

    order: str  # the column in whose order rows are taken: "step" or "wall"

    @property
    def revision(self) -> object:
        """Changes when places that were told are no longer right."""

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """An x for each of the first rows, nan where there is none, and how many rows are known so far."""


class ActiveTimePositions:
    """Active seconds."""

    order = "wall"

    def __init__(self, clock: ActiveTime) -> None:
        self._clock = clock

    @property
    def revision(self) -> object:
        """As the clock's."""
        return self._clock.revision

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """Return True when the time of every row is known."""
        return self._clock.of(times), len(times)


class JoinedPositions:
    """The values of another series at the same steps: an axis is drawn between its points, a metric holds
    its last value. Steps before its first point or (of an axis) after its last have no place."""

    order = "step"

    def __init__(self, other: Series, *, final: bool = False) -> None:
        self.other = other
        self.final = final

    @property
    def revision(self) -> object:
        """Rows that came between others."""
        return [len(one.track("step").cuts) for one in self.other.segments.values() if one.count]

    def of(self, source: Source, steps: Array, times: Array) -> tuple[Array, int]:
        """Return how many rows can be used: those beyond the other's last step wait for it."""
        segment = self._partner(source)
        if segment is None or not segment.count:
            return np.full(len(steps), np.nan), len(steps) if self.final else 0
        track = segment.track("step")
        last = float(track.step.at(len(track) - 1))
        known = len(steps) if self.final else int(np.searchsorted(steps, last, "right"))
        steps = steps[:known]
        first = max(0, track.step.search(float(steps[0]), "right") - 1) if known else 0
        at = track.step.slice(first, len(track)).astype(np.float64)
        values = track.value.slice(first, len(track))
        if self.other.kind == "axis":
            return np.interp(steps, at, values, left=np.nan, right=np.nan), known
        index = np.searchsorted(at, steps, "right") - 1
        return np.where(index >= 0, values[np.maximum(index, 0)], np.nan), known

    def _partner(self, source: Source) -> Segment | None:
        same = self.other.segments.get(source)
        others = [key for key in self.other.segments if key[1] == source[1]]
        return same or (self.other.segments[min(others)] if others else None)


class RebasedSeries:
    """`series` holds the same points; its time column is the new x, so it is drawn over "wall"."""

    def __init__(self, origin: Series, places: AxisPositions) -> None:
        self.origin = origin
        self.places = places
        self.series = Series(origin.name, origin.unit, origin.better, origin.kind)
        self.unplaced = 0  # points without an x
        self._revision: object = None
        self._taken: dict[Source, tuple[Pyramid, int, int]] = {}

    def refresh(self) -> None:
        """Take what the origin has more than at the last call."""
        if self._revision != self.places.revision:
            self._revision = self.places.revision
            self._forget()
        segments = [(key, one, one.track(self.places.order)) for key, one in self.origin.segments.items()]
        if any(
            self._taken.get(key, (track, 0, len(track.cuts)))[::2] != (track, len(track.cuts))
            for key, _, track in segments
        ):
            self._forget()
        for key, _, track in segments:
            self._carry_on(key, track)

    def _forget(self) -> None:
        self.series.segments.clear()
        self._taken.clear()
        self.unplaced = 0

    def _carry_on(self, source: Source, track: Pyramid) -> None:
        _, start, _ = self._taken.get(source, (track, 0, 0))
        if start < len(track):
            steps = track.step.slice(start, len(track)).astype(np.int64)
            x, known = self.places.of(source, steps, track.wall.slice(start, len(track)))
            good = np.abs(x[:known]) <= FARTHEST  # nan is not
            values = track.value.slice(start, start + known)
            self.series.append(*source, steps[:known][good], x[:known][good], values[good])
            self.unplaced += known - int(good.sum())
            start += known
        self._taken[source] = (track, start, len(track.cuts))
