"""A histogram over time: how values are spread in each stretch of x, as shades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from helm_desktop.format import number
from helm_desktop.model.histograms import Histogram, spread
from helm_desktop.model.outliers import fence
from helm_desktop.theme import Theme
from helm_desktop.views.board import colour_map
from helm_desktop.views.board.content import Content
from helm_desktop.views.board.drawing import Drawing, Told, View
from helm_desktop.views.board.picture import Frame, Numbers
from helm_desktop.views.board.ranges import Range

_COLUMN_PX = 6
_BINS = 40
_MOST_ROWS = 200_000


@dataclass(frozen=True, slots=True)
class SpreadLayer:
    """Shares of the values by stretch of x and of y."""

    image: QImage
    x0: float
    x1: float
    y0: float
    y1: float

    def paint(self, painter: QPainter, frame: Frame) -> None:
        left, right = frame.x(self.x0), frame.x(self.x1)
        top, foot = frame.y(self.y1), frame.y(self.y0)
        painter.drawImage(QRectF(left, top, right - left, foot - top), self.image)


class HistogramOverTime(Drawing):
    """From logged histograms where there are any, otherwise from the values of the chart's series."""

    legend = False

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self._table: Numbers | None = None
        self._box = (0.0, 1.0, 0.0, 1.0)

    def extent(self) -> Range | None:
        logged = self.content.histograms
        if logged and self.content.on_steps:
            return float(logged[0].step), float(max(logged[-1].step, logged[0].step + 1))
        return super().extent()

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> View:
        view, content = View(), self.content
        columns = max(4, size.width() // _COLUMN_PX)
        self._table = None
        if content.histograms and content.on_steps:
            table, low, high = self._logged(content.histograms, x, columns)
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

    def _logged(
        self, logged: Sequence[Histogram], x: Range, columns: int
    ) -> tuple[Numbers | None, float, float]:
        inside = [one for one in logged if x[0] <= one.step <= x[1]]
        if not inside:
            return None, 0.0, 1.0
        low = min(float(one.edges[0]) for one in inside)
        high = max(float(one.edges[-1]) for one in inside)
        high = high if high > low else low + 1.0
        edges = np.linspace(low, high, _BINS + 1)
        at = np.searchsorted([one.step for one in inside], np.linspace(*x, columns), "right") - 1
        made = [spread(one, edges) for one in inside]
        table = np.array([made[i] if i >= 0 else np.zeros(_BINS) for i in at.tolist()]).T
        return table, low, high

    def _from_values(self, view: View, x: Range, columns: int) -> tuple[Numbers | None, float, float]:
        content, spec = self.content, self.content.spec
        axis, origin = content.axis, content.origin()
        xs, ys = [], []
        for one in content.source.shown:
            for segment in one.series.segments.values():
                track = segment.track(axis)
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

    def told(self, x: float, y: float, theme: Theme) -> Told:
        heading = self.content.heading(x)
        x0, x1, low, high = self._box
        if self._table is None or not low <= y <= high:
            return Told(heading)
        bins, columns = self._table.shape
        place = np.log10(x) if self.content.spec.log_x and x > 0 else x
        column = min(max(int((place - x0) / (x1 - x0) * columns), 0), columns - 1)
        row = min(int((y - low) / (high - low) * bins), bins - 1)
        total = self._table[:, column].sum()
        edges = [low + (high - low) * (row + at) / bins for at in (0, 1)]
        edges = [10.0**edge for edge in edges] if self.content.spec.log_y else edges
        share = f"{self._table[row, column] / total:.0%} of values" if total else "no values"
        return Told(heading, (), (f"{number(edges[0])} to {number(edges[1])}: {share}",))
