"""Bars of the last value: one for each curve, against zero."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter

from helm_desktop.theme import Theme, figure_font
from helm_desktop.views.board.canvas import ranges, ticks
from helm_desktop.views.board.canvas.axis import Labelled
from helm_desktop.views.board.canvas.picture import PlotFrame
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.drawing.curve_rows import RowDrawing
from helm_desktop.views.board.drawing.drawing import DrawnView, PointerReport

_FIGURE_PX = 60
_THICK_PX = 36.0
_LOW = -300.0


@dataclass(frozen=True, slots=True)
class BarsLayer:
    """Where each bar ends, its colour and its figure; nan where the last value is not finite."""

    bars: tuple[tuple[float, str, str], ...]
    base: float

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        each = frame.high / max(1, len(self.bars))
        thick = max(1.0, min(each * 0.62, _THICK_PX))
        painter.setFont(figure_font(11))
        zero = frame.x(min(max(self.base, frame.x0), frame.x1))
        for at, (value, colour, text) in enumerate(self.bars):
            top = at * each + (each - thick) / 2
            end = frame.x(min(max(value, frame.x0), frame.x1)) if math.isfinite(value) else zero
            painter.fillRect(QRectF(min(zero, end), top, max(1.0, abs(end - zero)), thick), QColor(colour))
            if each >= 11:
                painter.setPen(QColor(frame.theme.quiet if math.isfinite(value) else frame.theme.bad))
                left = max(zero, end) + 5
                room = QRectF(left, top - 4, max(_FIGURE_PX, frame.wide - left), thick + 8)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)


class BarsDrawing(RowDrawing):
    """x is the value."""

    own_x = True

    def extent(self) -> Range | None:
        values = [value for value in (self._last(at) for at in range(len(self.named()))) if value == value]
        values = [value for value in values if math.isfinite(value)]
        if self.content.spec.log_y:
            values = [math.log10(value) for value in values if value > 0]
            return ranges.fit_log(10 ** min(values), 10 ** max(values)) if values else None
        if not values:
            return None
        low, high = ranges.fit_y(min(*values, 0.0), max(*values, 0.0))
        return low, high + (high - low) * 0.18  # room for figures

    def _last(self, at: int) -> float:
        strand = self.named()[at][0]
        segments = [
            s for s in strand.shown.series.segments.values() if s.process == strand.process and s.count
        ]
        newest = max(segments, key=lambda segment: segment.attempt, default=None)
        return newest.last_value if newest is not None else math.nan

    def _place(self, value: float) -> float:
        if not self.content.spec.log_y or not math.isfinite(value):
            return value
        return math.log10(value) if value > 0 else _LOW

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        view, content = DrawnView(), self.content
        bars = []
        for at, (strand, _, _) in enumerate(self.named()):
            value = self._last(at)
            view.non_finite += not math.isfinite(value)
            figure = content.curves.figure(strand.shown.origin, value)
            bars.append((self._place(value), theme.curve(0), figure))
        view.layers = [BarsLayer(tuple(bars), _LOW if content.spec.log_y else 0.0)]
        view.points = len(bars)
        return view

    def x_ticks(self, low: float, high: float, length: float) -> Labelled:
        most = ticks.most_values(length)
        log = self.content.spec.log_y
        return ticks.logarithmic(low, high, most) if log else ticks.plain(low, high, most)

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        at = self.index_at(y)
        if at < 0:
            return PointerReport("")
        strand, _, label = self.named()[at]
        step = strand.shown.series.last_step
        figure = self.content.curves.figure(strand.shown.origin, self._last(at))
        return PointerReport(label, (), (figure, f"at step {step:,}" if step is not None else ""))
