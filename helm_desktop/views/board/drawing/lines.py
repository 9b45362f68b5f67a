"""Curves over x: the envelope of every series, smoothed or not, with bands, the plan and older attempts."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QSize

from helm_desktop.model.chart.chart_source import ShownSeries
from helm_desktop.model.chart.outliers import fence
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_window import Polyline, SeriesWindow
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.bundle import Bundle
from helm_desktop.views.board.canvas.picture import Band, Curve, Numbers
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.curves import ChartCurve
from helm_desktop.views.board.content.shown_data import ShownPlan
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView

OLD = 0.4  # how far replaced attempts stand out
RAW = 0.3  # and the raw line behind a smoothed one
DIM = 0.35  # and curves beside the one under the pointer
_DOT_ROOM_PX = 9
_PIECES = 200  # of a bent line
LABEL_PX = 100  # room of the plan's label
_LOOKED_AT = 9  # places below the label where something could be
Own = dict[str, tuple[str, str]]  # by process the colour and the key of its curve
Room = tuple[Range, int, int]  # x, pixels, device pixels


class LinesDrawing(Drawing):
    """A line for every process of every series."""

    def __init__(self, content: ChartContent) -> None:
        super().__init__(content)
        self._bundle = Bundle()

    def _bundled(self, theme: Theme) -> Bundle | None:
        content, spec = self.content, self.content.spec
        series = [one.series for one in content.source.shown]
        usual = not (
            spec.smoothing or spec.log_x or content.visibility.some_hidden or content.visibility.highlighted
        )
        if not usual or spec.ranks != "each" or not Bundle.serves(series, content.x.column):
            return None
        self._bundle.refresh(series, theme, log=spec.log_y)
        return self._bundle

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        view, spec = DrawnView(), self.content.spec
        bundle = self._bundled(theme)
        if bundle is not None and bundle.fits(*x):
            low, high = bundle.reach(*x)
            view.curves, view.non_finite, view.points = list(bundle.curves), bundle.non_finite, bundle.points
            view.reach(*((10.0**low, 10.0**high) if spec.log_y else (low, high)))
        else:
            self._each(view, x, size.width(), ratio, theme)
        if self.content.ahead is not None:
            self._planned(view, x, size.width(), theme)
        if spec.ignore_outliers:
            self._fence(view, x)
        return view

    def _each(self, view: DrawnView, x: Range, width: int, ratio: float, theme: Theme) -> None:
        content = self.content
        drawn = [
            (at, one)
            for at, one in enumerate(content.curves.all())
            if not content.visibility.is_hidden(one.key)
        ]
        self._strands_drawn(view, drawn, x, width, ratio, theme)

    def _strands_drawn(
        self,
        view: DrawnView,
        strands: list[tuple[int, ChartCurve]],
        x: Range,
        width: int,
        ratio: float,
        theme: Theme,
    ) -> None:
        raw: list[Curve] = []
        strong: list[Curve] = []
        by_series: dict[int, list[tuple[int, ChartCurve]]] = {}
        for at, strand in strands:
            by_series.setdefault(id(strand.shown.series), []).append((at, strand))
        entries = self.content.legend.all(theme)
        for group in by_series.values():
            own = {one.process: (entries[at].colour, one.key) for at, one in group}
            self._series(view, group[0][1].shown, own, (x, width, max(8, round(width * ratio))), raw, strong)
        strong.sort(key=lambda curve: curve.lit)
        view.curves += raw + strong
        view.odd.sort()

    def _series(
        self, view: DrawnView, shown: ShownSeries, own: Own, room: Room, raw: list[Curve], strong: list[Curve]
    ) -> None:
        content, spec, origin = self.content, self.content.spec, self.content.x.origin()
        x, width, pixels = room
        drawn = shown.series.window(*x, pixels, content.x.column, log=spec.log_x, origin=origin)
        smooth: list[Polyline] = []
        if spec.smoothing:
            smooth, done = shown.series.smoothed(
                *x, pixels, spec.smoothing, content.x.column, log=spec.log_x, origin=origin
            )
            view.unfinished = view.unfinished or not done
        dots = drawn.points * _DOT_ROOM_PX < width
        for line in drawn.lines:
            if line.process in own:
                colour, key = own[line.process]
                strength = OLD if line.faint else RAW if smooth else 1.0
                curve = self._curve(line.x, line.y, colour, self._strength(strength, key))
                curve.dots = dots and line.exact
                curve.lit = key == content.visibility.highlighted and not smooth and not line.faint
                (view.curves if line.faint else raw if smooth else strong).append(curve)
        for line in smooth:
            if line.process in own:
                colour, key = own[line.process]
                curve = self._curve(line.x, line.y, colour, self._strength(1.0, key))
                curve.lit = key == content.visibility.highlighted
                strong.append(curve)
        if shown.low is not None and shown.high is not None:
            self._band(view, (shown.low, shown.high), x, pixels, next(iter(own.values()))[0])
        self._count(view, drawn, set(own))

    def _strength(self, usual: float, key: str) -> float:
        return (
            usual
            if not self.content.visibility.highlighted or key == self.content.visibility.highlighted
            else usual * DIM
        )

    def _count(self, view: DrawnView, drawn: SeriesWindow, processes: set[str]) -> None:
        if drawn.non_finite:
            odd = (
                np.log10(drawn.non_finite_x[drawn.non_finite_x > 0])
                if self.content.spec.log_x
                else drawn.non_finite_x
            )
            view.odd += odd.tolist()
            view.non_finite += drawn.non_finite
        view.points += drawn.points
        if len(processes) == len({line.process for line in drawn.lines}):
            hidden = self.content.spec.log_y and not drawn.low > 0
            view.reach(*(_positive(drawn.y) if hidden else (drawn.low, drawn.high)))
            return
        for line in drawn.lines:  # some of them are hidden
            if line.process in processes and len(line.y):
                ends = float(line.y.min()), float(line.y.max())
                view.reach(*(_positive(line.y) if self.content.spec.log_y else ends))

    def _curve(self, x: Numbers, y: Numbers, colour: str, strength: float = 1.0) -> Curve:
        spec = self.content.spec
        if spec.log_y or spec.log_x:
            kept = (y > 0) if spec.log_y else (x > 0)
            kept &= (x > 0) if spec.log_x else True
            x, y = x[kept], y[kept]
            x = np.log10(x) if spec.log_x else x
            y = np.log10(y) if spec.log_y else y
        return Curve(x, y, colour, strength)

    def _band(self, view: DrawnView, pair: tuple[Series, Series], x: Range, pixels: int, colour: str) -> None:
        spec, origin = self.content.spec, self.content.x.origin()
        drawn = [one.window(*x, pixels, self.content.x.column, log=spec.log_x, origin=origin) for one in pair]
        if all(part.lines for part in drawn):
            low, high = (self._curve(part.lines[0].x, part.lines[0].y, colour) for part in drawn)
            view.bands.append(Band(low.x, low.y, high.x, high.y, colour))
            for part in drawn:
                ends = _positive(part.y) if spec.log_y else (part.low, part.high)
                view.reach(*ends)

    def _fence(self, view: DrawnView, x: Range) -> None:
        content, spec = self.content, self.content.spec
        shown = {
            id(one.shown): one.shown
            for one in content.curves.all()
            if not content.visibility.is_hidden(one.key)
        }
        series = [one.series for one in shown.values()]
        ends = fence(series, *x, content.x.column, origin=content.x.origin(), log=spec.log_y)
        if ends is not None and ends[0] <= ends[1] and view.low <= view.high:
            low, high = max(view.low, ends[0]), min(view.high, ends[1])
            view.left_out = "outliers" if (low, high) != (view.low, view.high) else ""
            view.low, view.high = low, high

    def _bent(self, xs: Numbers, ys: Numbers, x: Range) -> tuple[Numbers, Numbers]:
        """Return what is straight between its points in numbers is bent where an axis is logarithmic."""
        spec = self.content.spec
        low, high = max(x[0], float(xs[0])), min(x[1], float(xs[-1]))
        if not (spec.log_x or spec.log_y) or low >= high:
            return xs, ys
        even = np.linspace(low, high, _PIECES)
        if spec.log_x and low > 0:
            even = np.geomspace(low, high, _PIECES)
        finer = np.union1d(xs, even)
        return finer, np.interp(finer, xs, ys)

    def _planned(self, view: DrawnView, x: Range, width: int, theme: Theme) -> None:
        plan, spec = self.content.ahead, self.content.spec
        if plan is None or not len(plan.x):
            return
        ends = self.content.x.extent()
        now = ends[1] if ends is not None else float(plan.x[0])
        after = plan.x > now
        if not after.any():
            return
        xs = np.concatenate(([max(now, float(plan.x[0]))], plan.x[after]))
        ys = np.concatenate(([np.interp(xs[0], plan.x, plan.y)], plan.y[after]))
        curve = self._curve(*self._bent(xs, ys, x), theme.curve(0))
        curve.dashed = True
        view.curves.append(curve)
        low, high = max(x[0], float(xs[0])), min(x[1], float(xs[-1]))
        if low < high:
            seen = np.concatenate((np.interp([low, high], xs, ys), ys[(xs >= low) & (xs <= high)]))
            view.reach(*_positive(seen) if spec.log_y else (float(seen.min()), float(seen.max())))
            half = LABEL_PX / 2 * (x[1] - x[0]) / max(1, width)
            middle = max(x[0] + half, min(low + 0.75 * (high - low), x[1] - half))
            height = self._top(plan, middle - half, middle + half)
            if (not spec.log_y or height > 0) and (not spec.log_x or middle > 0):
                place = math.log10(middle) if spec.log_x else middle
                view.label = (place, math.log10(height) if spec.log_y else height, plan.label)

    def _top(self, plan: ShownPlan, low: float, high: float) -> float:
        """Return how high the plan, and what was logged before it, reach between two x."""
        at = np.linspace(low, high, _LOOKED_AT)
        tops = [float(np.interp(at[at >= plan.x[0]], plan.x, plan.y).max())] if high >= plan.x[0] else []
        ends = self.content.x.extent()
        for one in self.content.source.shown[:1]:
            for spot in at[at <= ends[1]].tolist() if ends is not None else ():
                tops += [
                    value
                    for _, _, value, *_ in one.series.nearest(
                        spot, self.content.x.column, self.content.x.origin()
                    )
                    if math.isfinite(value)
                ]
        return max(tops)


def _positive(y: Numbers) -> Range:
    above = y[y > 0]
    return (float(above.min()), float(above.max())) if len(above) else (math.nan, math.nan)
