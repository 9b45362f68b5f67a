"""One series from what several processes logged of it: their mean, greatest or least at each step."""

from __future__ import annotations

import numpy as np

from helm_desktop.model.chart.spec import Ranks
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import SeriesRows, rows_of

_GONE_S = 60.0  # a process that is silent for this long is not waited for


class RankAggregate:
    """`middle` is the wanted figure; with a band `low` and `high` are the least and the greatest."""

    def __init__(self, source: Series, how: Ranks) -> None:
        self.source = source
        self.how = how
        self.middle, self.low, self.high = (
            Series(source.name, source.unit, source.better, source.kind) for _ in range(3)
        )
        self._taken: dict[int, tuple[float, object]] = {}

    def refresh(self, *, final: bool = False) -> None:
        """Take the steps that every process has reached since the last call."""
        attempts: dict[int, list[Segment]] = {}
        for (_, attempt), segment in self.source.segments.items():
            if segment.count:
                attempts.setdefault(attempt, []).append(segment)
        newest = max(attempts, default=0)
        for attempt, segments in attempts.items():
            self._carry_on(attempt, segments, final=final or attempt < newest)

    def _carry_on(self, attempt: int, segments: list[Segment], *, final: bool) -> None:
        tracks = [segment.track("step") for segment in segments]
        made_of = [(id(track), len(track.cuts)) for track in tracks]
        taken, before = self._taken.get(attempt, (-np.inf, made_of))
        if before != made_of:
            taken = -np.inf
            for series in (self.middle, self.low, self.high):
                series.segments.clear()
                self._taken.clear()
        latest = max(segment.last_time for segment in segments)
        ends = [
            float(track.step.at(len(track) - 1))
            for segment, track in zip(segments, tracks, strict=True)
            if final or segment.last_time >= latest - _GONE_S
        ]
        upto = max(ends) if final else min(ends)
        if upto > taken:
            rows = [
                rows_of(segment, 0 if taken == -np.inf else track.step.search(taken + 1), upto)
                for segment, track in zip(segments, tracks, strict=True)
            ]
            self._add(attempt, rows)
        self._taken[attempt] = (max(taken, upto), made_of)

    def _add(self, attempt: int, rows: list[SeriesRows]) -> None:
        steps = np.concatenate([part.steps for part in rows])
        if not len(steps):
            return
        order = np.argsort(steps, kind="stable")
        steps = steps[order]
        times = np.concatenate([part.times for part in rows])[order]
        values = np.concatenate([part.values for part in rows])[order]
        cuts = np.append(0, np.flatnonzero(steps[1:] != steps[:-1]) + 1)
        low, high = np.minimum.reduceat(values, cuts), np.maximum.reduceat(values, cuts)
        middle = {"max": high, "min": low}.get(self.how)
        if middle is None:
            middle = _mean(values, cuts, low, high)
        at, when = steps[cuts], np.maximum.reduceat(times, cuts)
        self.middle.append(self.how, attempt, at, when, middle)
        if self.how == "band":
            self.low.append(self.how, attempt, at, when, low)
            self.high.append(self.how, attempt, at, when, high)


def _mean(values: Array, cuts: Array, low: Array, high: Array) -> Array:
    """The mean of each run of values. Rounding takes it beyond none of them, so equal ones stay equal."""
    counts = np.diff(np.append(cuts, len(values)))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.add.reduceat(values / np.repeat(counts, counts), cuts)
        return np.asarray(np.minimum(np.maximum(mean, low), high))
