"""Which ticks the axes of a chart have."""

from __future__ import annotations

from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL, ChartSpec
from helm_desktop.model.series.time_ticks import clock_ticks, duration_ticks
from helm_desktop.views.board.canvas import ranges
from helm_desktop.views.board.canvas.axis import Labelled

_X_PX = 50  # room of a label
_TIME_PX = 64
_Y_PX = 40
_VALUE_PX = 56


def most_y(height: float) -> int:
    """Return how many steps of y have room."""
    return max(2, min(4, int(height // _Y_PX))) if height < 320 else min(10, int(height // 64))


def most_values(length: float) -> int:
    """Return how many values have room below, where x is one."""
    return max(2, min(10, int(length // _VALUE_PX)))


def x_ticks(spec: ChartSpec, low: float, high: float, length: float) -> Labelled:
    """Ticks of the lower axis; exponents where it is logarithmic."""
    if spec.log_x:
        return logarithmic(low, high, max(2, int(length // _X_PX)))
    if spec.x == WALL:
        return clock_ticks(low, high, max(2, int(length // _TIME_PX)))
    if spec.x in (RELATIVE, ACTIVE):
        return duration_ticks(low, high, max(2, int(length // _TIME_PX)))
    return plain(low, high, max(2, int(length // _X_PX)), whole=spec.x == STEP)


def plain(low: float, high: float, most: int, *, whole: bool = False) -> Labelled:
    """Round numbers."""
    values = ranges.ticks(low, high, ranges.nice_step(high - low, most, whole=whole))
    return list(zip(values, ranges.labels(values), strict=True))


def logarithmic(low: float, high: float, most: int) -> Labelled:
    """Powers of ten, or 2 and 5 times them."""
    values = ranges.log_ticks(low, high, most)
    return list(zip(values, ranges.labels(values, log=True), strict=True))


def y_ticks(low: float, high: float, length: float, *, log: bool = False, unit: str = "") -> Labelled:
    """Ticks of the left axis."""
    most = most_y(length)
    if log:
        return logarithmic(low, high, most)
    values = ranges.ticks(low, high, ranges.y_step(low, high, most))
    return list(zip(values, [text + unit for text in ranges.labels(values)], strict=True))
