"""Between a chart's numbers and the pixels of what lies over its picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QSizeF

from helm_desktop.model.chart.axis_projection import AxisConversion
from helm_desktop.model.schedule.curve import PixelScale, PlannedCurve, Values
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.views.board.canvas.canvas import INSET_PX

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

HANDLE_PX = 5.0  # a handle's radius
_BEND_PX = 3.0  # a bent line is drawn in pieces of this length


class PixelPositions:
    """Follows the chart's ranges as it drew them last, logarithmic axes included. Steps are those of the
    draft, tokens too."""

    def __init__(self, chart: ChartView, model: DraftModel) -> None:
        self._chart = chart
        self._model = model

    def _bridge(self) -> AxisConversion:
        """From the draft's axis to the chart's."""
        return self._model.conversion(self._chart.content.spec.x) or AxisConversion()

    @property
    def key(self) -> object:
        """What a drawing depends on beside its numbers."""
        chart = self._chart
        shape = (
            chart.ranges.x.shown,
            chart.ranges.y.shown,
            self.room,
            chart.content.spec.log_x,
            chart.content.spec.log_y,
        )
        bridge = self._bridge()
        return shape if bridge.source == bridge.target else (*shape, bridge)

    @property
    def room(self) -> QSizeF:
        """The picture's size in pixels."""
        return QSizeF(self._chart.plot.canvas.inner())

    def on_chart(self, step: float) -> float:
        """Return a place of the draft in the numbers of the chart's axis."""
        return float(self._bridge().across(np.asarray([step], np.float64))[0])

    def across(self, steps: Values) -> Values:
        """Return where steps are."""
        chart = self._chart
        low, high = chart.ranges.x.to_axis(chart.ranges.x.shown)
        steps = self._bridge().across(steps)
        if chart.content.spec.log_x:
            steps = np.log10(np.maximum(steps, 1e-300))
        return np.asarray((steps - low) / (high - low) * self.room.width() + INSET_PX)

    def down(self, values: Values) -> Values:
        """Return where values are."""
        low, high = self._chart.ranges.y.shown
        if self._chart.content.spec.log_y:
            values = np.log10(np.maximum(values, 1e-300))
        return np.asarray((high - values) / (high - low) * self.room.height() + INSET_PX)

    def place(self, step: float, value: float) -> QPointF:
        """Return where one point is, at the edge when it is beyond it."""
        x = float(self.across(np.asarray([step], np.float64))[0])
        y = float(self.down(np.asarray([value], np.float64))[0])
        room = self.room
        return QPointF(x, min(max(y, INSET_PX), room.height() + INSET_PX))

    def line(self, curve: PlannedCurve) -> tuple[Values, Values]:
        """Return a curve in pixels; what is straight in numbers is bent where an axis is logarithmic."""
        spec, steps = self._chart.content.spec, curve.steps
        if len(steps) > 1 and (spec.log_x or spec.log_y):
            across = self.across(steps)
            between = np.arange(math.ceil(across[0]), across[-1], _BEND_PX)
            between = between[(between > -_BEND_PX) & (between < self.room.width() + _BEND_PX)]
            inner = [self.numbers(QPointF(x, 0.0))[0] for x in between.tolist()]
            steps = np.union1d(steps, [step for step in inner if steps[0] < step < steps[-1]])
        return self.across(steps), self.down(np.interp(steps, curve.steps, curve.values))

    def numbers(self, place: QPointF) -> tuple[float, float]:
        """Return the step and the value under a place."""
        chart, room = self._chart, self.room
        low, high = chart.ranges.x.to_axis(chart.ranges.x.shown)
        x = low + (high - low) * (place.x() - INSET_PX) / max(1.0, room.width())
        bottom, top = chart.ranges.y.shown
        y = top - (top - bottom) * (place.y() - INSET_PX) / max(1.0, room.height())
        return self._bridge().back(_power(x, chart.content.spec.log_x)), _power(y, chart.content.spec.log_y)

    def inside(self, place: QPointF) -> QPointF:
        """Return the place, or the nearest one within the picture at which a handle is seen whole."""
        room = self.room
        x = min(max(place.x(), INSET_PX), room.width() + INSET_PX)
        return QPointF(x, min(max(place.y(), INSET_PX + HANDLE_PX), room.height() + INSET_PX))

    def scale(self, place: QPointF) -> PixelScale:
        """Return how much a pixel is there."""
        step, value = self.numbers(place)
        beside, above = self.numbers(place + QPointF(1, -1))
        return PixelScale(abs(beside - step), abs(above - value))


def _power(number: float, log: bool) -> float:
    return math.pow(10.0, min(300.0, max(-300.0, number))) if log else number
