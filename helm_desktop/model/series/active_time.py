"""Active time: the seconds in which a run worked, without pauses and without gaps between attempts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series

# Two points belong to different intervals of work when they are further apart than both of these.
_GAP_S = 30.0
_GAP_TIMES = 50.0  # times the median distance between two points
Interval = tuple[float, float]


class ActiveTime:
    """A map from wall time to active seconds, which rise while the run works and stay the same otherwise."""

    def __init__(self) -> None:
        self.revision = 0  # rises when the active seconds of a known wall time have changed
        self._pauses: tuple[Interval, ...] = ()
        self._seen: object = None
        self._starts = np.empty(0)
        self._ends = np.empty(0)
        self._before = np.empty(0)  # active seconds before each interval

    def set_pauses(self, pauses: Iterable[Interval]) -> None:
        """Set the intervals of wall time (unix seconds) in which the run was paused."""
        ordered = tuple(sorted({(a, b) for a, b in pauses if b > a}))
        if ordered != self._pauses:
            self._pauses = ordered
            self._seen = None

    def add_pause(self, start: float, seconds: float) -> None:
        """Add an interval in which the run was paused: its start (unix seconds) and its length."""
        self.set_pauses((*self._pauses, (start, start + seconds)))

    def follow(self, series: Sequence[Series]) -> None:
        """Find the intervals of work from the times of the points of these series."""
        densest: dict[tuple[str, int], Segment] = {}
        for one in series:
            for key, segment in one.segments.items():
                if segment.count > (densest[key].count if key in densest else 0):
                    densest[key] = segment
        seen = [(key, id(segment), segment.count) for key, segment in densest.items()]
        if seen == self._seen:
            return
        self._seen = seen
        intervals = [interval for segment in densest.values() for interval in _intervals(segment)]
        self._set(_without(_merged(intervals), self._pauses))

    def _set(self, intervals: list[Interval]) -> None:
        starts = np.array([start for start, _ in intervals])
        ends = np.array([end for _, end in intervals])
        known = len(self._starts)
        only_longer = (
            len(starts) >= known
            and (starts[:known] == self._starts).all()
            and (ends[: known - 1] == self._ends[: known - 1]).all()
            and (not known or ends[known - 1] >= self._ends[-1])
        )
        self.revision += 0 if only_longer else 1
        self._starts, self._ends = starts, ends
        self._before = np.append(0.0, np.cumsum(ends - starts)[:-1]) if len(starts) else starts

    def of(self, wall: Array) -> Array:
        """Return the active seconds at each wall time."""
        if not len(self._starts):
            return np.zeros(len(wall))
        at = np.clip(np.searchsorted(self._starts, wall, "right") - 1, 0, None)
        inside = np.clip(wall - self._starts[at], 0.0, (self._ends - self._starts)[at])
        return np.asarray(self._before[at] + inside)

    @property
    def total(self) -> float:
        """All active seconds so far."""
        return float((self._ends - self._starts).sum()) if len(self._starts) else 0.0


def _intervals(segment: Segment) -> list[Interval]:
    pyramid = segment.pyramid("wall")
    times = pyramid.wall.slice(0, len(pyramid))
    if not len(times):
        return []
    distances = np.diff(times)
    typical = float(np.median(distances[-100_000:])) if len(distances) else 0.0
    breaks = np.flatnonzero(distances > max(_GAP_S, _GAP_TIMES * typical))
    starts, ends = times[np.append(0, breaks + 1)], times[np.append(breaks, len(times) - 1)]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _merged(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _without(intervals: list[Interval], pauses: Sequence[Interval]) -> list[Interval]:
    for paused, resumed in pauses:
        working: list[Interval] = []
        for start, end in intervals:
            if resumed <= start or paused >= end:
                working.append((start, end))
                continue
            working += [piece for piece in ((start, paused), (resumed, end)) if piece[1] > piece[0]]
        intervals = working
    return intervals
