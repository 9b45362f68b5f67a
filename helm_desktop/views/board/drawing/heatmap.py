"""Heatmap rows: one row for each curve, its values over x as colours."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from helm_desktop.model.chart.outliers import fence
from helm_desktop.model.series.series_window import SeriesWindow
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas import colour_map
from helm_desktop.views.board.canvas.picture import Numbers, PlotFrame
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.curves import ChartCurve
from helm_desktop.views.board.drawing.curve_rows import RowDrawing
from helm_desktop.views.board.drawing.drawing import DrawnView, PointerReport

_GAP_FROM_PX = 6.0  # rows this high have a line between them
_HOLD = 2.5  # a value holds for so many of the usual distances between points
_ODD_PX = 3


@dataclass(frozen=True, slots=True)
class RowsLayer:
    """Rows of colours as high as there is room for."""

    image: QImage

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        count, wide = self.image.height(), self.image.width()
        if not count:
            return
        each = frame.high / count
        gap = 1.0 if each >= _GAP_FROM_PX else 0.0
        for at in range(count):
            top = round(at * each)
            room = QRectF(0, top, frame.wide, max(1.0, round((at + 1) * each) - top - gap))
            colour_map.draw(painter, room, self.image.copy(0, at, wide, 1))  # an SVG draws no part of one


class HeatmapDrawing(RowDrawing):
    """`scale` is what the colours stand for, as drawn last."""

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        view, spec, content = DrawnView(), self.content.spec, self.content
        columns = max(8, round(size.width() * ratio))
        rows, odd = [], []
        for strand, _, _ in self.named():
            drawn = strand.shown.series.window(
                *x, columns, content.x.column, log=spec.log_x, origin=content.x.origin()
            )
            values = self._row(drawn, strand, x, columns)
            rows.append(values)
            odd.append(self._columns(drawn.non_finite_x, x, columns))
            view.non_finite += drawn.non_finite
            view.points += drawn.points
        table = np.array(rows) if rows else np.empty((0, columns))
        view.scale = ends = self._ends(table, x)
        if ends is not None:
            part = colour_map.shares(table, *ends, log=spec.log_y)
            pixels = colour_map.colours(part, theme.card)
            self._mark_odd(pixels, odd, theme, max(1, round(_ODD_PX * ratio / 2)))
            view.layers = [RowsLayer(colour_map.image_of(pixels))]
        return view

    def _ends(self, table: Numbers, x: Range) -> Range | None:
        spec = self.content.spec
        good = table[table > 0] if spec.log_y else table[np.isfinite(table)]
        if not len(good):
            return (0.0, 1.0) if table.size and not spec.log_y else None
        low, high = float(good.min()), float(good.max())
        if spec.y_range is not None and (spec.y_range[0] > 0 or not spec.log_y):
            return spec.y_range
        if spec.ignore_outliers:
            series = [strand.shown.series for strand, _, _ in self.named()]
            beyond = fence(series, *x, self.content.x.column, origin=self.content.x.origin(), log=spec.log_y)
            if beyond is not None and beyond[0] < high and beyond[1] > low:
                low, high = max(low, beyond[0]), min(high, beyond[1])
        return low, high

    def _axis(self, x: Numbers) -> Numbers:
        return np.log10(np.maximum(x, 1e-300)) if self.content.spec.log_x else x

    def _columns(self, at: Numbers, x: Range, columns: int) -> NDArray[np.intp]:
        low, high = self._axis(np.array(x)).tolist()
        place = (self._axis(at) / 2 - low / 2) / (high / 2 - low / 2) * columns
        return np.asarray(np.clip(place, 0, columns - 1), np.intp)

    def _row(self, drawn: SeriesWindow, strand: ChartCurve, x: Range, columns: int) -> Numbers:
        """The mean of what each column shows; a value holds until the next point, if that is not far."""
        lines = [line for line in drawn.lines if not line.faint and line.process == strand.process]
        made = np.full(columns, np.nan)
        if not lines or not len(lines[0].x):
            return made
        xs, ys = lines[0].x, lines[0].y
        at = self._columns(xs, x, columns)
        inside = (xs >= x[0]) & (xs <= x[1])
        counts = np.bincount(at[inside], minlength=columns)
        halves = np.bincount(at[inside], ys[inside] / 2, minlength=columns)
        seen = counts > 0
        made[seen] = halves[seen] / counts[seen] * 2
        low, high = self._axis(np.array(x))
        middles = low + (np.arange(columns) + 0.5) * (high - low) / columns
        ax = self._axis(xs)
        before = np.searchsorted(ax, middles, "right") - 1
        with np.errstate(over="ignore"):
            apart = np.diff(ax)
        usual = float(np.median(apart[apart > 0])) if (apart > 0).any() else math.inf
        if self.content.spec.log_x:
            usual = math.inf
        held = (before >= 0) & ~seen & (middles <= ax[-1] + usual * (0 if math.isinf(usual) else 1))
        held[held] = middles[held] - ax[before[held]] <= _HOLD * usual
        made[held] = ys[before[held]]
        return made

    @staticmethod
    def _mark_odd(pixels: NDArray[np.uint32], odd: list[NDArray[np.intp]], theme: Theme, half: int) -> None:
        bad = np.uint32(int(theme.bad[1:], 16) | 0xFF000000)
        for row, places in enumerate(odd):
            for place in np.unique(places).tolist():
                pixels[row, max(0, place - half) : place + half] = bad

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        at = self.index_at(y)
        if at < 0:
            return PointerReport(self.content.x.heading(x))
        strand, _, label = self.named()[at]
        found = strand.shown.series.nearest(x, self.content.x.column, self.content.x.origin())
        point = next((near for near in found if near.process == strand.process), None)
        if point is None:
            return PointerReport(label)
        figure = self.content.curves.figure(strand.shown.origin, point.value)
        return PointerReport(f"{label} · {self.content.x.heading(point.x)}", (), (figure,))
