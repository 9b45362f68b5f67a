"""Active time: seconds in which the run was at work, pauses and gaps between attempts left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series

_GAP_S = 30.0  # shorter silences are work
_GAP_TIMES = 50.0  # of the usual distance between two points
Stretch = tuple[float, float]


class ActiveTime:
    """From wall time to active seconds and back: rises while the run works and stands still otherwise."""

    def __init__(self) -> None:
        self.revision = 0  # changes when a time that was known has another active time now
        self._pauses: tuple[Stretch, ...] = ()
        self._seen: object = None
        self._starts = np.empty(0)
        self._ends = np.empty(0)
        self._before = np.empty(0)  # active seconds before each stretch

    def set_pauses(self, pauses: Iterable[Stretch]) -> None:
        """Set the stretches of wall time in which the run was paused."""
        held = tuple(sorted({(a, b) for a, b in pauses if b > a}))
        if held != self._pauses:
            self._pauses = held
            self._seen = None

    def add_pause(self, start: float, seconds: float) -> None:
        """Add a stretch of wall time in which the run was paused."""
        self.set_pauses((*self._pauses, (start, start + seconds)))

    def follow(self, series: Sequence[Series]) -> None:
        """Take what these series say about when the run was at work."""
        densest: dict[tuple[str, int], Segment] = {}
        for one in series:
            for key, segment in one.segments.items():
                if segment.count > (densest[key].count if key in densest else 0):
                    densest[key] = segment
        seen = [(key, id(segment), segment.count) for key, segment in densest.items()]
        if seen == self._seen:
            return
        self._seen = seen
        stretches = [stretch for segment in densest.values() for stretch in _stretches(segment)]
        self._set(_without(_joined(stretches), self._pauses))

    def _set(self, stretches: list[Stretch]) -> None:
        starts = np.array([start for start, _ in stretches])
        ends = np.array([end for _, end in stretches])
        kept = len(self._starts)
        grown = (
            len(starts) >= kept
            and (starts[:kept] == self._starts).all()
            and (ends[: kept - 1] == self._ends[: kept - 1]).all()
            and (not kept or ends[kept - 1] >= self._ends[-1])
        )
        self.revision += 0 if grown else 1
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


def _stretches(segment: Segment) -> list[Stretch]:
    track = segment.track("wall")
    times = track.wall.slice(0, len(track))
    if not len(times):
        return []
    apart = np.diff(times)
    usual = float(np.median(apart[-100_000:])) if len(apart) else 0.0
    breaks = np.flatnonzero(apart > max(_GAP_S, _GAP_TIMES * usual))
    starts, ends = times[np.append(0, breaks + 1)], times[np.append(breaks, len(times) - 1)]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    made: list[Stretch] = []
    for start, end in sorted(stretches):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(made[-1][1], end))
        else:
            made.append((start, end))
    return made


def _without(stretches: list[Stretch], pauses: Sequence[Stretch]) -> list[Stretch]:
    for away, back in pauses:
        cut: list[Stretch] = []
        for start, end in stretches:
            if back <= start or away >= end:
                cut.append((start, end))
                continue
            cut += [piece for piece in ((start, away), (back, end)) if piece[1] > piece[0]]
        stretches = cut
    return stretches
