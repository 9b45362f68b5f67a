"""Small multiples: a small picture for each series, all on the same axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from helm_desktop.format import number
from helm_desktop.theme import Theme, figure_font, mix, text_font
from helm_desktop.views.board.canvas.axis import TICK_PX, Choose, Labelled
from helm_desktop.views.board.canvas.picture import Curve, PlotFrame
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.canvas.strokes import paint_strokes, strokes_of
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.curves import ChartCurve
from helm_desktop.views.board.drawing.drawing import DrawnView, PointerReport
from helm_desktop.views.board.drawing.lines import LinesDrawing

_LEAST_WIDE, _LEAST_HIGH = 60.0, 32.0
_GAP = 8.0
_TITLE_PX, _FOOT_PX = 13.0, 15.0
_TICKED_WIDE, _TICKED_HIGH = 150.0, 100.0  # a cell from here on has ticks


@dataclass(frozen=True, slots=True)
class MultiplesGrid:
    """Cells in rows and columns that fill a room."""

    count: int
    columns: int
    rows: int
    wide: float
    high: float

    @staticmethod
    def of(count: int, wide: float, high: float) -> MultiplesGrid:
        """About as wide as one and a half times their height, none smaller than can be read."""
        most = max(1, int((wide + _GAP) // (_LEAST_WIDE + _GAP)))
        fit = max(1, int((high + _GAP) // (_LEAST_HIGH + _GAP)))
        columns = min(most, max(1, round(math.sqrt(count * wide / max(1.0, high) / 1.5))))
        columns = min(most, max(columns, -(-count // fit)))
        rows = min(fit, -(-count // columns)) if count else 1
        each = (wide - _GAP * (columns - 1)) / columns, (high - _GAP * (rows - 1)) / rows
        return MultiplesGrid(min(count, columns * rows), columns, rows, *each)

    def rect(self, at: int) -> QRectF:
        """Return where a cell is."""
        row, column = divmod(at, self.columns)
        return QRectF(column * (self.wide + _GAP), row * (self.high + _GAP), self.wide, self.high)

    def at(self, x: float, y: float) -> int:
        """Return which cell is at a place; -1 for none."""
        for number_ in range(self.count):
            if self.rect(number_).contains(x, y):
                return number_
        return -1


@dataclass(frozen=True, slots=True)
class CellsLayer:
    """Pictures side by side with their names, and with ticks where there is room for them."""

    cells: tuple[tuple[str, tuple[Curve, ...]], ...]
    x_ticks: Choose
    y_ticks: Choose

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        places = MultiplesGrid.of(len(self.cells), frame.wide, frame.high)
        font = text_font(11)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        for at in range(places.count):
            name, curves = self.cells[at]
            rect = places.rect(at)
            ticked = rect.width() >= _TICKED_WIDE and rect.height() >= _TICKED_HIGH
            room = rect.adjusted(0, _TITLE_PX, 0, -_FOOT_PX if ticked else 0)
            painter.fillRect(room, QColor(mix(frame.theme.card, frame.theme.line, 0.35)))
            left = len(self.cells) - places.count
            text = f"{left + 1:,} more" if left and at == places.count - 1 else name
            painter.setPen(QColor(frame.theme.quiet))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(rect.width()))
            painter.drawText(QRectF(rect.x(), rect.y(), rect.width(), _TITLE_PX - 1), 0, shown)
            if left and at == places.count - 1:
                continue
            own = PlotFrame(room.width(), room.height(), frame.x0, frame.x1, frame.y0, frame.y1, frame.theme)
            if ticked:
                self._ticks(painter, room, own)
                painter.setFont(font)
            painter.save()
            painter.setClipRect(room)
            painter.translate(room.topLeft())
            paint_strokes(painter, strokes_of(list(curves), own, tame=False)[0], 1.0)
            painter.restore()

    def _ticks(self, painter: QPainter, room: QRectF, own: PlotFrame) -> None:
        """Grid lines with their values at the right, where most curves are low, and x below."""
        painter.setFont(figure_font(TICK_PX))
        metrics, taken = painter.fontMetrics(), -1e9
        for x, text in self.x_ticks(own.x0, own.x1, own.wide):
            wide = metrics.horizontalAdvance(text)
            left = min(max(own.x(x) - wide / 2, 0.0), own.wide - wide)
            if left >= taken + _GAP:
                taken = left + wide
                spot = QRectF(room.x() + left, room.bottom() + 1, wide + 2, _FOOT_PX - 1)
                painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, text)
        for y, text in self.y_ticks(own.y0, own.y1, own.high):
            line = room.y() + round(own.y(y))
            painter.fillRect(QRectF(room.x(), line, room.width(), 1), QColor(own.theme.line))
            if own.y(y) >= TICK_PX + 2:
                left = room.right() - metrics.horizontalAdvance(text) - 4
                painter.drawText(QPointF(left, line - 3), text)


class MultiplesDrawing(LinesDrawing):
    """x is the board's, but the pointer is in one of the cells."""

    left_px = 10
    legend = False
    cells = True

    def __init__(self, content: ChartContent) -> None:
        super().__init__(content)
        self._size = (1.0, 1.0)
        self._groups: list[tuple[str, list[ChartCurve]]] = []
        self._x: Range = (0.0, 1.0)
        self._y: Range = (0.0, 1.0)

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        content = self.content
        self._size, self._x = (size.width(), size.height()), x
        groups: dict[int, tuple[str, list[ChartCurve]]] = {}
        for strand in content.curves.all():
            several = len(strand.shown.series.processes()) > 1
            name = strand.name.removesuffix(f" {strand.process}") if several else strand.name
            groups.setdefault(id(strand.shown), (name or strand.shown.label, []))[1].append(strand)
        self._groups = list(groups.values())
        places = MultiplesGrid.of(len(self._groups), *self._size)
        whole, cells = DrawnView(), []
        for name, strands in self._groups:
            view = DrawnView()
            numbered = [(0, strand) for strand in strands]
            self._strands_drawn(view, numbered, x, max(8, round(places.wide)), ratio, theme)
            for curve in view.curves:
                curve.dots = False
            cells.append((name, tuple(view.curves)))
            whole.reach(view.low, view.high)
            whole.non_finite += view.non_finite
            whole.points += view.points
            whole.unfinished = whole.unfinished or view.unfinished
        whole.layers = [CellsLayer(tuple(cells), super().x_ticks, super().y_ticks)]
        return whole

    def fit(self, view: DrawnView, held: Range | None, height: float) -> Range:
        self._y = super().fit(view, held, height)
        return self._y

    def summary(self) -> str:
        ends = [10.0**end for end in self._y] if self.content.spec.log_y else self._y
        return f"y {number(ends[0])} to {number(ends[1])}"

    def y_ticks(self, low: float, high: float, length: float) -> Labelled:
        return []

    def x_ticks(self, low: float, high: float, length: float) -> Labelled:
        return []

    def grid(self, low: float, high: float, length: float) -> list[float]:
        return []

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        return PointerReport("")

    def pointer_report_at(self, px: float, py: float) -> PointerReport:
        """Return what is under a place of the picture, in pixels."""
        places = MultiplesGrid.of(len(self._groups), *self._size)
        at = places.at(px, py)
        if at < 0:
            return PointerReport("")
        name, strands = self._groups[at]
        rect = places.rect(at)
        share = (px - rect.x()) / max(1.0, rect.width())
        low, high = self._x
        x = low + (high - low) * share
        if self.content.spec.log_x:
            x = 10 ** (math.log10(low) + (math.log10(high) - math.log10(low)) * share)
        notes = []
        for strand in strands:
            for process, near, value, _ in strand.shown.series.nearest(
                x, self.content.x.column, self.content.x.origin()
            ):
                if process == strand.process:
                    figure = self.content.curves.figure(strand.shown.origin, value)
                    notes.append(f"{figure} at {self.content.x.heading(near)}")
        return PointerReport(name, (), tuple(notes[:6]))
