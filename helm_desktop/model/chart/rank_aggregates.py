"""One series from those of several processes: their mean, greatest or least value at each step."""

from __future__ import annotations

import numpy as np

from helm_desktop.model.chart.spec import Ranks
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import SeriesRows, rows_of

_GONE_S = 60.0  # the aggregate does not wait for a process without points for this long


class RankAggregate:
    """The aggregate of a series over its processes: `middle`, and with a band also `low` and `high`."""

    def __init__(self, source: Series, how: Ranks) -> None:
        self.source = source
        self.how = how
        self.middle, self.low, self.high = (
            Series(source.name, source.unit, source.better, source.kind) for _ in range(3)
        )
        self._aggregated: dict[int, tuple[float, object]] = {}

    def refresh(self, *, final: bool = False) -> None:
        """Add the steps that every process has reached by now. `final`: no more points will come."""
        attempts: dict[int, list[Segment]] = {}
        for (_, attempt), segment in self.source.segments.items():
            if segment.count:
                attempts.setdefault(attempt, []).append(segment)
        newest = max(attempts, default=0)
        for attempt, segments in attempts.items():
            self._extend(attempt, segments, final=final or attempt < newest)

    def _extend(self, attempt: int, segments: list[Segment], *, final: bool) -> None:
        pyramids = [segment.pyramid("step") for segment in segments]
        made_of = [(id(pyramid), len(pyramid.cuts)) for pyramid in pyramids]
        upto_now, before = self._aggregated.get(attempt, (-np.inf, made_of))
        if before != made_of:
            upto_now = -np.inf
            for series in (self.middle, self.low, self.high):
                series.segments.clear()
                self._aggregated.clear()
        latest = max(segment.last_time for segment in segments)
        ends = [
            float(pyramid.step.at(len(pyramid) - 1))
            for segment, pyramid in zip(segments, pyramids, strict=True)
            if final or segment.last_time >= latest - _GONE_S
        ]
        common = max(ends) if final else min(ends)
        if common > upto_now:
            rows = [
                rows_of(segment, 0 if upto_now == -np.inf else pyramid.step.search(upto_now + 1), common)
                for segment, pyramid in zip(segments, pyramids, strict=True)
            ]
            self._add(attempt, rows)
        self._aggregated[attempt] = (max(upto_now, common), made_of)

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
    """Return the mean of the values between cuts, within their least and greatest in spite of rounding."""
    counts = np.diff(np.append(cuts, len(values)))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.add.reduceat(values / np.repeat(counts, counts), cuts)
        return np.asarray(np.minimum(np.maximum(mean, low), high))
