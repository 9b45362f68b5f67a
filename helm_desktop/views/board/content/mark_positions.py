"""Where marks, which belong to steps, stand on any x axis of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from helm_desktop.model.chart.chart_source import ChartSource
from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment
from helm_desktop.views.board.canvas.picture import Numbers


class MarkedContent(Protocol):
    """What a chart shows, as far as its marks need it."""

    source: ChartSource
    marks: Sequence[Mark]

    @property
    def on_steps(self) -> bool:
        """Whether x is the step."""
        ...

    def origin(self) -> float:
        """The x axis' zero, in the numbers of the series."""
        ...


class MarkPositions:
    """The x of each mark. On other axes than steps: where the chart's first curve was at the mark's step."""

    def __init__(self, content: MarkedContent) -> None:
        self._content = content
        self._key: object = None
        self._steps = np.empty(0, np.int64)
        self._held: Numbers = np.empty(0)

    def all(self) -> list[tuple[float, Mark]]:
        """Each mark with its x; those before the first point have none."""
        content = self._content
        if content.on_steps:
            return [(float(mark.step), mark) for mark in content.marks]
        return [(x, mark) for x, mark in zip(self._places().tolist(), content.marks, strict=True) if x == x]

    def of(self, step: int) -> float | None:
        """The x of one step."""
        if self._content.on_steps:
            return float(step)
        track, origin = self._track(), self._content.origin()
        if track is None:
            return None
        x = float(_placed(track, np.array([step]))[0]) - origin
        return x if x == x else None

    def step_at(self, x: float) -> int | None:
        """The step of the point nearest to an x."""
        content = self._content
        if content.on_steps:
            return round(x)
        best: tuple[float, int] | None = None
        for segment in self._segments():
            track = segment.track("wall")
            at = track.wall.search(x + content.origin())
            for index in (at - 1, at):
                if 0 <= index < len(track):
                    found = abs(float(track.wall.at(index)) - content.origin() - x), int(track.step.at(index))
                    best = found if best is None else min(best, found)
        return best[1] if best is not None else None

    def _places(self) -> Numbers:
        marks, track, origin = self._content.marks, self._track(), self._content.origin()
        if track is None or not marks:
            return np.full(len(marks), np.nan)
        last = int(track.step.at(len(track) - 1))
        grows = len(track) if not len(self._steps) or self._steps[-1] >= last else 0
        key = (id(marks), len(marks), id(track), len(track.cuts), origin, grows)
        if key != self._key:
            self._key = key
            self._steps = np.array([mark.step for mark in marks], np.int64)
            order = np.argsort(self._steps, kind="stable")
            self._held = np.empty(len(marks))
            self._held[order] = _placed(track, self._steps[order]) - origin
            self._steps = self._steps[order]
        return self._held

    def _segments(self) -> Sequence[Segment]:
        shown = self._content.source.shown
        return [one for one in shown[0].series.segments.values() if one.count] if shown else []

    def _track(self) -> Pyramid | None:
        """Of the newest attempt of the first curve, in the order of steps."""
        newest = max(self._segments(), key=lambda one: one.attempt, default=None)
        return newest.track("step") if newest is not None and len(newest.track("step")) else None


def _placed(track: Pyramid, steps: Array) -> Numbers:
    """The time of each of some rising steps, between two points in proportion; nan before the first."""
    first, last = int(track.step.at(0)), int(track.step.at(len(track) - 1))
    inside = np.clip(steps, first, last)
    after = np.minimum(track.step.search_many(inside), len(track) - 1)
    before = np.maximum(after - 1, 0)
    step_after, step_before = (track.step.take(at).astype(float) for at in (after, before))
    time_after, time_before = track.wall.take(after), track.wall.take(before)
    wide = np.where(step_after > step_before, step_after - step_before, 1.0)
    share = np.where(step_after > step_before, (inside - step_before) / wide, 1.0)
    return np.where(steps < first, np.nan, time_before + (time_after - time_before) * share)
