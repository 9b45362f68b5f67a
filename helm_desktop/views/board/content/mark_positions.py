"""Where marks, which belong to steps, stand on any x axis of a chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment
from helm_desktop.views.board.canvas.picture import Numbers
from helm_desktop.views.board.content.shown_data import ShownData
from helm_desktop.views.board.content.x_axis import XAxis


class MarkPositions:
    """The x of each mark. On other axes than steps: where the chart's first curve was at the mark's step."""

    def __init__(self, data: ShownData, x: XAxis) -> None:
        self._data = data
        self._x = x
        self._key: object = None
        self._steps = np.empty(0, np.int64)
        self._held: Numbers = np.empty(0)

    def all(self) -> list[tuple[float, Mark]]:
        """Return each mark with its x; those before the first point have none."""
        marks = self._data.marks
        if self._x.on_steps:
            return [(float(mark.step), mark) for mark in marks]
        return [(x, mark) for x, mark in zip(self._places().tolist(), marks, strict=True) if x == x]

    def near(self, x: float, reach: float) -> list[Mark]:
        """Marks within reach of an x; none where the chart shows no marks."""
        if not self._data.spec.marks:
            return []
        return [mark for place, mark in self.all() if abs(place - x) <= reach]

    def has_note(self, step: int) -> bool:
        """Return True when a note of the reader's stands on a step."""
        return any(mark.step == step and mark.own for mark in self._data.marks)

    def of(self, step: int) -> float | None:
        """Return the x of one step."""
        if self._x.on_steps:
            return float(step)
        track, origin = self._track(), self._x.origin()
        if track is None:
            return None
        x = float(_placed(track, np.array([step]))[0]) - origin
        return x if x == x else None

    def step_at(self, x: float) -> int | None:
        """Return the step of the point nearest to an x."""
        if self._x.on_steps:
            return round(x)
        origin = self._x.origin()
        best: tuple[float, int] | None = None
        for segment in self._segments():
            track = segment.pyramid("wall")
            at = track.wall.search(x + origin)
            for index in (at - 1, at):
                if 0 <= index < len(track):
                    found = abs(float(track.wall.at(index)) - origin - x), int(track.step.at(index))
                    best = found if best is None else min(best, found)
        return best[1] if best is not None else None

    def _places(self) -> Numbers:
        marks, track, origin = self._data.marks, self._track(), self._x.origin()
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
        shown = self._data.source.shown
        return [one for one in shown[0].series.segments.values() if one.count] if shown else []

    def _track(self) -> Pyramid | None:
        """Of the newest attempt of the first curve, in the order of steps."""
        newest = max(self._segments(), key=lambda one: one.attempt, default=None)
        return newest.pyramid("step") if newest is not None and len(newest.pyramid("step")) else None


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
