"""The values of a chart's curves at an x, for the tooltip and the header."""

from __future__ import annotations

import math

from helm_desktop.format import number
from helm_desktop.model.series.series_model import NearestPoint
from helm_desktop.theme import Theme
from helm_desktop.views.board.content.curves import ChartCurves
from helm_desktop.views.board.content.shown_data import ShownData
from helm_desktop.views.board.content.tooltip import PointerReading
from helm_desktop.views.board.content.visibility import CurveVisibility
from helm_desktop.views.board.content.x_axis import XAxis


class CurveReadings:
    """Read the curves that are drawn."""

    def __init__(self, data: ShownData, x: XAxis, curves: ChartCurves, visibility: CurveVisibility) -> None:
        self._data = data
        self._x = x
        self._curves = curves
        self._visibility = visibility

    def at(self, x: float, theme: Theme) -> tuple[float, list[PointerReading]]:
        """Return the values nearest to x, and the x of the nearest one."""
        made: list[PointerReading] = []
        at, away, origin = x, math.inf, self._x.origin()
        spec, curves = self._data.spec, self._curves.all()
        nearest: dict[int, dict[str, NearestPoint]] = {}
        weight = spec.smoothing if spec.draw == "lines" else 0.0
        for index, curve in enumerate(curves):
            if self._visibility.is_hidden(curve.key):
                continue
            series = curve.shown.series
            if id(series) not in nearest:
                found = series.nearest(x, self._x.column, origin, weight)
                nearest[id(series)] = {near.process: near for near in found}
            point = nearest[id(series)].get(curve.process)
            if point is None:
                continue
            name = curve.name if len(curves) > 1 else curve.shown.label
            drawn = point.average if math.isfinite(point.average) else point.value
            text = self._curves.figure(curve.shown.origin, drawn)
            raw = f" · raw {number(point.value)}" if drawn is point.average else ""
            made.append(PointerReading(name, drawn, text, self._curves.colour(theme, index), curve.key, raw))
            if abs(point.x - x) < away:
                away, at = abs(point.x - x), point.x
        return at, made
