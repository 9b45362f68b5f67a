"""A series computed from others, carried on as they grow."""

from __future__ import annotations

import math
from collections.abc import Mapping

from helm_desktop.model.chart import expression
from helm_desktop.model.chart.expression import ExpressionError
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import SeriesRows, Source, rows_of

__all__ = ["DerivedSeries", "ExpressionError"]


class DerivedSeries:
    """`series` holds the result: a point at each step that all of its parts have logged."""

    def __init__(self, text: str, name: str = "") -> None:
        self.text = text
        self._node = expression.parse(text)
        self.names = expression.names_in(self._node)
        self._lookback = expression.lookback(self._node)
        self.series = Series(name or text)
        self.missing: tuple[str, ...] = self.names
        self._taken: dict[Source, tuple[float, object]] = {}  # last step, and what it was computed from

    def refresh(self, known: Mapping[str, Series]) -> None:
        """Take what the parts have more than at the last call."""
        self.missing = tuple(name for name in self.names if name not in known)
        if self.missing:
            return
        parts = {name: known[name] for name in self.names}
        for source in list(parts[self.names[0]].segments):
            inputs = {name: _partner(series, source) for name, series in parts.items()}
            if all(segment is not None and segment.count for segment in inputs.values()):
                self._carry_on(source, {name: seg for name, seg in inputs.items() if seg is not None})

    def problem(self) -> str:
        """Return why there is nothing to see, in one sentence; empty when there is."""
        if self.missing:
            return f"no series is named {self.missing[0]}"
        if not self.series.count and len(self.names) > 1:
            return f"{' and '.join(self.names)} have no step in common"
        return ""

    def _carry_on(self, source: Source, inputs: dict[str, Segment]) -> None:
        tracks = [segment.track("step") for segment in inputs.values()]
        made_of = [(id(track), len(track.cuts)) for track in tracks]
        taken, before = self._taken.get(source, (-math.inf, None))
        if before is not None and before != made_of:
            self.series.segments.pop(source, None)
            taken = -math.inf
        since = self._since(source, taken)
        upto = min(float(track.step.at(len(track) - 1)) for track in tracks)
        if upto > taken:
            rows = {name: _after(segment, since, upto) for name, segment in inputs.items()}
            made = expression.compute(self._node, rows)
            new = made.select(made.steps > taken) if taken > -math.inf else made
            self.series.append(*source, new.steps, new.times, new.values)
        self._taken[source] = (max(taken, upto), made_of)

    def _since(self, source: Source, taken: float) -> float:
        """Return the step from which the parts are needed to go on."""
        result = self.series.segments.get(source)
        if result is None or taken == -math.inf:
            return -math.inf
        if not self._lookback:
            return taken + 1
        track = result.track("step")
        return (
            float(track.step.at(len(track) - self._lookback - 1))
            if len(track) > self._lookback
            else -math.inf
        )


def _partner(series: Series, source: Source) -> Segment | None:
    """What the same process and attempt logged of a series, or else another process in that attempt."""
    same = series.segments.get(source)
    if same is not None:
        return same
    others = [key for key in series.segments if key[1] == source[1]]
    return series.segments[min(others)] if others else None


def _after(segment: Segment, since: float, upto: float) -> SeriesRows:
    first = 0 if since == -math.inf else segment.track("step").step.search(since)
    return rows_of(segment, first, upto)
