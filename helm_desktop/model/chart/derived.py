"""A series that is computed from others by an expression, and continued as they get new points."""

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
    """A derived series: `series` has a point at each step that all series of the expression have logged."""

    def __init__(self, text: str, name: str = "") -> None:
        self.text = text
        self._node = expression.parse(text)
        self.names = expression.names_in(self._node)
        self._lookback = expression.lookback(self._node)
        self.series = Series(name or text)
        self.missing: tuple[str, ...] = self.names
        self._computed: dict[
            Source, tuple[float, object]
        ] = {}  # the last step, and what it was computed from

    def refresh(self, known: Mapping[str, Series]) -> None:
        """Compute the points of steps that are new since the last call."""
        self.missing = tuple(name for name in self.names if name not in known)
        if self.missing:
            return
        parts = {name: known[name] for name in self.names}
        for source in list(parts[self.names[0]].segments):
            inputs = {name: _matching_segment(series, source) for name, series in parts.items()}
            if all(segment is not None and segment.count for segment in inputs.values()):
                self._extend(source, {name: seg for name, seg in inputs.items() if seg is not None})

    def problem(self) -> str:
        """Return why there is nothing to draw, in one sentence; empty when there is something."""
        if self.missing:
            return f"no series is named {self.missing[0]}"
        if not self.series.count and len(self.names) > 1:
            return f"{' and '.join(self.names)} have no step in common"
        return ""

    def _extend(self, source: Source, inputs: dict[str, Segment]) -> None:
        pyramids = [segment.pyramid("step") for segment in inputs.values()]
        made_of = [(id(pyramid), len(pyramid.cuts)) for pyramid in pyramids]
        upto_now, before = self._computed.get(source, (-math.inf, None))
        if before is not None and before != made_of:
            self.series.segments.pop(source, None)
            upto_now = -math.inf
        since = self._since(source, upto_now)
        common = min(float(pyramid.step.at(len(pyramid) - 1)) for pyramid in pyramids)
        if common > upto_now:
            rows = {name: _after(segment, since, common) for name, segment in inputs.items()}
            made = expression.compute(self._node, rows)
            new = made.select(made.steps > upto_now) if upto_now > -math.inf else made
            self.series.append(*source, new.steps, new.times, new.values)
        self._computed[source] = (max(upto_now, common), made_of)

    def _since(self, source: Source, upto_now: float) -> float:
        """Return the first step of the inputs that is needed to continue."""
        result = self.series.segments.get(source)
        if result is None or upto_now == -math.inf:
            return -math.inf
        if not self._lookback:
            return upto_now + 1
        pyramid = result.pyramid("step")
        return (
            float(pyramid.step.at(len(pyramid) - self._lookback - 1))
            if len(pyramid) > self._lookback
            else -math.inf
        )


def _matching_segment(series: Series, source: Source) -> Segment | None:
    """Return the segment of the same process and attempt, or of another process of that attempt, or None."""
    same = series.segments.get(source)
    if same is not None:
        return same
    others = [key for key in series.segments if key[1] == source[1]]
    return series.segments[min(others)] if others else None


def _after(segment: Segment, since: float, upto: float) -> SeriesRows:
    first = 0 if since == -math.inf else segment.pyramid("step").step.search(since)
    return rows_of(segment, first, upto)
