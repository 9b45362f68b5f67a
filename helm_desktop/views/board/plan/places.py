"""Conversion between the numbers of a chart and the pixels of the overlay over it."""

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
_BEND_PX = 3.0  # a bent line is drawn in pieces of this width


class PixelPositions:
    """Converts between the draft's numbers and pixels, by the ranges that the chart drew last. A step here
    is a number of the draft's axis, which may also count tokens."""

    def __init__(self, chart: ChartView, model: DraftModel) -> None:
        self._chart = chart
        self._model = model

    def _bridge(self) -> AxisConversion:
        """Return the conversion from the draft's axis to the chart's."""
        return self._model.conversion(self._chart.content.spec.x) or AxisConversion()

    @property
    def key(self) -> object:
        """What the pixels depend on beside the numbers; equal keys give equal pixels."""
        chart = self._chart
        shape = (
            chart.ranges.x.shown,
            chart.ranges.y.shown,
            self.size,
            chart.content.spec.log_x,
            chart.content.spec.log_y,
        )
        bridge = self._bridge()
        return shape if bridge.source == bridge.target else (*shape, bridge)

    @property
    def size(self) -> QSizeF:
        """The size of the chart's picture in pixels."""
        return QSizeF(self._chart.plot.canvas.inner())

    def on_chart(self, step: float) -> float:
        """Return a step of the draft as a number of the chart's x axis."""
        return float(self._bridge().across(np.asarray([step], np.float64))[0])

    def x_pixels(self, steps: Values) -> Values:
        """Return the x of steps in pixels."""
        chart = self._chart
        low, high = chart.ranges.x.to_axis(chart.ranges.x.shown)
        steps = self._bridge().across(steps)
        if chart.content.spec.log_x:
            steps = np.log10(np.maximum(steps, 1e-300))
        return np.asarray((steps - low) / (high - low) * self.size.width() + INSET_PX)

    def y_pixels(self, values: Values) -> Values:
        """Return the y of values in pixels."""
        low, high = self._chart.ranges.y.shown
        if self._chart.content.spec.log_y:
            values = np.log10(np.maximum(values, 1e-300))
        return np.asarray((high - values) / (high - low) * self.size.height() + INSET_PX)

    def place(self, step: float, value: float) -> QPointF:
        """Return one point in pixels; beyond the upper or lower edge, the point at that edge."""
        x = float(self.x_pixels(np.asarray([step], np.float64))[0])
        y = float(self.y_pixels(np.asarray([value], np.float64))[0])
        size = self.size
        return QPointF(x, min(max(y, INSET_PX), size.height() + INSET_PX))

    def polyline(self, curve: PlannedCurve) -> tuple[Values, Values]:
        """Return a curve in pixels, with more points where a logarithmic axis bends its straight lines."""
        spec, steps = self._chart.content.spec, curve.steps
        if len(steps) > 1 and (spec.log_x or spec.log_y):
            x = self.x_pixels(steps)
            between = np.arange(math.ceil(x[0]), x[-1], _BEND_PX)
            between = between[(between > -_BEND_PX) & (between < self.size.width() + _BEND_PX)]
            inner = [self.numbers(QPointF(pixel, 0.0))[0] for pixel in between.tolist()]
            steps = np.union1d(steps, [step for step in inner if steps[0] < step < steps[-1]])
        return self.x_pixels(steps), self.y_pixels(np.interp(steps, curve.steps, curve.values))

    def numbers(self, place: QPointF) -> tuple[float, float]:
        """Return the step and the value at a point in pixels."""
        chart, size = self._chart, self.size
        low, high = chart.ranges.x.to_axis(chart.ranges.x.shown)
        x = low + (high - low) * (place.x() - INSET_PX) / max(1.0, size.width())
        bottom, top = chart.ranges.y.shown
        y = top - (top - bottom) * (place.y() - INSET_PX) / max(1.0, size.height())
        return self._bridge().back(_power(x, chart.content.spec.log_x)), _power(y, chart.content.spec.log_y)

    def inside(self, place: QPointF) -> QPointF:
        """Return the nearest point at which a handle is wholly inside of the picture."""
        size = self.size
        x = min(max(place.x(), INSET_PX), size.width() + INSET_PX)
        return QPointF(x, min(max(place.y(), INSET_PX + HANDLE_PX), size.height() + INSET_PX))

    def scale(self, place: QPointF) -> PixelScale:
        """Return the step and the value that one pixel spans at a point."""
        step, value = self.numbers(place)
        beside, above = self.numbers(place + QPointF(1, -1))
        return PixelScale(abs(beside - step), abs(above - value))


def _power(number: float, log: bool) -> float:
    return math.pow(10.0, min(300.0, max(-300.0, number))) if log else number
