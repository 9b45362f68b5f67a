"""A histogram over time: how values are spread in each stretch of x, as shades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from helm_desktop.format import number, step
from helm_desktop.model.chart.outliers import fence
from helm_desktop.model.media.histograms import LoggedHistogram, common_edges, rebinned
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas import colour_map
from helm_desktop.views.board.canvas.picture import Numbers, PlotFrame
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView, PointerReport

_COLUMN_PX = 6
_BINS = 40
_MOST_BINS = 256
_MOST_ROWS = 200_000


@dataclass(frozen=True, slots=True)
class SpreadLayer:
    """Shares of the values by stretch of x and of y."""

    image: QImage
    x0: float
    x1: float
    y0: float
    y1: float

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        left, right = frame.x(self.x0), frame.x(self.x1)
        top, foot = frame.y(self.y1), frame.y(self.y0)
        colour_map.draw(painter, QRectF(left, top, right - left, foot - top), self.image)


class HistogramOverTime(Drawing):
    """From logged histograms where there are any, otherwise from the values of the chart's series."""

    legend = False

    def __init__(self, content: ChartContent) -> None:
        super().__init__(content)
        self._table: Numbers | None = None
        self._box = (0.0, 1.0, 0.0, 1.0)
        self._steps: list[int | None] = []  # of each column: when what it shows was logged

    def extent(self) -> Range | None:
        ends = self.content.logged.extent()
        return (ends[0], ends[1] if ends[1] > ends[0] else ends[0] + 1) if ends else super().extent()

    def summary(self) -> str:
        return "" if self.content.histograms else super().summary()

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        view, content = DrawnView(), self.content
        columns = max(4, size.width() // _COLUMN_PX)
        self._table = None
        self._steps = []
        if content.histograms:
            if content.logged.over_time is None:
                view.words = "Logged histograms stand on steps or times: choose one of them as the x axis"
                return view
            table, low, high = self._logged(x, columns)
        else:
            table, low, high = self._from_values(view, x, columns)
        if table is None or not table.any():
            return view
        self._table = table
        log = content.spec.log_y
        view.reach(*((10.0**low, 10.0**high) if log else (low, high)))
        ends = np.log10(x) if content.spec.log_x else np.array(x)
        self._box = (float(ends[0]), float(ends[1]), low, high)
        most = table.max(axis=0, keepdims=True)
        part = np.sqrt(table / np.where(most > 0, most, 1.0))
        pixels = colour_map.colours(np.where(table > 0, part, np.nan), theme.card)
        view.layers = [SpreadLayer(colour_map.image_of(pixels[::-1]), *self._box)]
        return view

    def _logged(self, x: Range, columns: int) -> tuple[Numbers | None, float, float]:
        """Return the newest histogram that was logged up to the end of each column."""
        log_x, log_y = self.content.spec.log_x, self.content.spec.log_y
        first, last = (float(np.log10(end)) for end in x) if log_x else x
        even = np.linspace(first, last, columns + 1)[1:]
        places = (10.0**even if log_x else even).tolist()
        found: list[list[LoggedHistogram]] = []
        over_time, origin = bool(self.content.logged.over_time), self.content.x.origin()
        for place in places:
            x_at = place + origin
            newest = [(one, one.index_at(x_at, over_time=over_time)) for one in self.content.histograms]
            found.append([one for logged, at in newest if at >= 0 and (one := logged.at(at)) is not None])
        seen = {id(one): one for column in found for one in column}
        used = [one for one in seen.values() if one.edges[-1] > 0 or not log_y]
        if not used:
            return None, 0.0, 1.0
        self._steps = [max((one.step for one in column), default=None) for column in found]
        edges = common_edges(used, _BINS, _MOST_BINS)
        if log_y:
            least = min(float(one.edges[one.edges > 0][0]) for one in used)
            edges = np.logspace(np.log10(least), np.log10(max(edges[-1], least * 1.001)), _BINS + 1)
        made = {id(one): rebinned(one, edges) for one in used}
        nothing = np.zeros(len(edges) - 1)
        table = np.array([sum((made.get(id(one), nothing) for one in column), nothing) for column in found])
        ends = np.log10(edges[[0, -1]]) if log_y else edges[[0, -1]]
        return table.T, float(ends[0]), float(ends[1])

    def _from_values(self, view: DrawnView, x: Range, columns: int) -> tuple[Numbers | None, float, float]:
        content, spec = self.content, self.content.spec
        axis, origin = content.x.column, content.x.origin()
        xs, ys = [], []
        for one in content.source.shown:
            for segment in one.series.segments.values():
                track = segment.pyramid(axis)
                column = track.axis(axis)
                start, end = column.search(x[0] + origin), column.search(x[1] + origin, "right")
                index = np.arange(start, end, max(1, (end - start) // _MOST_ROWS))
                xs.append(column.take(index).astype(float) - origin)
                ys.append(track.value.take(index))
                view.points += end - start
        at, values = (np.concatenate(part) if part else np.empty(0) for part in (xs, ys))
        good = (
            np.isfinite(values) & ((values > 0) if spec.log_y else True) & ((at > 0) if spec.log_x else True)
        )
        view.non_finite = int((~np.isfinite(values)).sum())
        at, values = at[good], values[good]
        if not len(values):
            return None, 0.0, 1.0
        at = np.log10(at) if spec.log_x else np.clip(at, -1e300, 1e300)
        values = np.log10(values) if spec.log_y else np.clip(values, -1e300, 1e300)
        low, high = float(values.min()), float(values.max())
        if spec.ignore_outliers:
            series = [one.series for one in content.source.shown]
            ends = fence(series, *x, axis, origin=origin, log=spec.log_y)
            if ends is not None:
                beyond = np.log10(ends) if spec.log_y else np.array(ends)
                low, high = max(low, float(beyond[0])), min(high, float(beyond[1]))
        if not high > low:
            away = abs(low) * 0.1 or 1.0
            low, high = low - away, high + away
        span = np.log10(x) if spec.log_x else np.clip(x, -1e300, 1e300)
        columns = min(columns, max(4, max(len(part) for part in xs) // 2))  # few points are not combed
        bins = min(_BINS, max(8, int(2 * np.sqrt(len(values) / columns))))
        table, _, _ = np.histogram2d(values, at, bins=(bins, columns), range=((low, high), tuple(span)))
        return table, low, high

    def grid(self, low: float, high: float, length: float) -> list[float]:
        return []

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        heading = self.content.x.heading(x)
        x0, x1, low, high = self._box
        if self._table is None or not low <= y <= high:
            return PointerReport(heading)
        bins, columns = self._table.shape
        place = np.log10(x) if self.content.spec.log_x and x > 0 else x
        column = min(max(int((place - x0) / (x1 - x0) * columns), 0), columns - 1)
        row = min(int((y - low) / (high - low) * bins), bins - 1)
        total = self._table[:, column].sum()
        edges = [low + (high - low) * (row + at) / bins for at in (0, 1)]
        edges = [10.0**edge for edge in edges] if self.content.spec.log_y else edges
        share = f"{self._table[row, column] / total:.0%} of values" if total else "no values"
        logged = self._steps[column] if self._steps else None
        if logged is not None:
            share += f", logged at step {step(logged)}"
        return PointerReport(heading, (), (f"{number(edges[0])} to {number(edges[1])}: {share}",))
