"""Draws the content of a chart: asks the drawing for a view of the window and shows it on the plot."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.spec import ChartSpec, Draw
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.axis import Labelled
from helm_desktop.views.board.canvas.colour_map import ScaleBar
from helm_desktop.views.board.canvas.picture import Picture
from helm_desktop.views.board.canvas.plot import PlotView
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.legend import Legend
from helm_desktop.views.board.content.omissions import notice
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView
from helm_desktop.views.board.drawing.registry import drawing_of

EMPTY = "No points yet"

_log = logging.getLogger(__name__)


class ChartRenderer(QObject):
    """Draws when `refresh` is called, and by itself only what the reader changes or another size needs."""

    stale = Signal()  # there is something to draw
    drawn = Signal()
    range_changed = Signal()  # another window, or another spec, was drawn
    drawing_changed = Signal()  # to another way of drawing

    def __init__(
        self, content: ChartContent, ranges: ChartRanges, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._ranges = ranges
        self.theme = theme
        self.dirty = False
        self.refreshed_at = 0.0
        self.refresh_cost = 0.001  # seconds that drawing took the last time, painting included
        self.notice = ""  # what the picture leaves out: "3 not finite", "2 hidden"
        self.draw: Draw = "lines"
        self.drawing: Drawing = drawing_of(self.draw, content)
        self.plot = PlotView(self._x_ticks, self._y_ticks, theme)
        self.legend = Legend()
        self.scale = ScaleBar()
        self._shown: tuple[Range, Range, ChartSpec] | None = None
        self._grid: tuple[object, Sequence[float]] = None, ()
        content.changed.connect(self._on_content)
        content.visibility.changed.connect(self.refresh)
        content.visibility.highlight_changed.connect(self.refresh)
        ranges.changed.connect(self.mark_dirty)
        ranges.chosen.connect(self.refresh)
        self.plot.resized.connect(self.redraw)

    def _x_ticks(self, low: float, high: float, length: float) -> Labelled:
        return self.drawing.x_ticks(low, high, length)

    def _y_ticks(self, low: float, high: float, length: float) -> Labelled:
        return self.drawing.y_ticks(low, high, length)

    def _on_content(self) -> None:
        self._choose_drawing()
        self.mark_dirty()

    def _choose_drawing(self) -> None:
        if self._content.draw != self.draw:
            self.draw = self._content.draw
            self.drawing = drawing_of(self.draw, self._content)
            self._ranges.x.own = self.drawing.own_x
            self.drawing_changed.emit()

    def mark_dirty(self) -> None:
        """There is something new; somebody should call `refresh` when the chart can be seen."""
        self.dirty = True
        self.stale.emit()

    def redraw(self) -> None:
        """Draw again what has been drawn before, in another size or with other colours."""
        if self._shown is not None:
            self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of another theme."""
        self.theme = theme
        self.plot.apply_theme(theme)
        self.redraw()

    def refresh(self) -> None:
        """Draw now. What cannot be drawn says so on this one chart, and in the log."""
        self.dirty = False
        try:
            self._draw()
        except Exception as error:
            _log.exception("The chart of %s could not be drawn", self._content.title)
            self._shown = None
            sentence = f"This chart could not be drawn: {type(error).__name__}: {error}"
            self.plot.canvas.show_picture(Picture(empty=sentence))
            self.refreshed_at = time.perf_counter()
            self.drawn.emit()

    def _draw(self) -> None:
        began = time.perf_counter()
        self._content.refresh()
        self._choose_drawing()
        content, plot, drawing, ranges = self._content, self.plot, self.drawing, self._ranges
        drawing.measure()
        plot.set_left(drawing.left_px, buttons=drawing.rows)
        size = plot.canvas.inner()
        ends = drawing.extent()
        x = ranges.x.choose(ends)
        view = drawing.view(x, size, plot.devicePixelRatioF(), self.theme)
        y = ranges.y.choose(drawing, view, size.height())
        spec = content.spec
        if self._shown != (x, y, spec):
            self._shown = (x, y, spec)
            ranges.x.shown, ranges.y.shown = x, y
            plot.set_range(ranges.x.to_axis(x), y)
            self.range_changed.emit()
        elif drawing.rows:
            plot.refresh_axes()
        self.notice = notice(content, content.x, view.non_finite)
        plot.canvas.show_picture(self._picture(view, x, y, ends))
        self.scale.set_ends(view.scale, log=spec.log_y)
        self.legend.set_entries(drawing.entries(self.theme))
        self.drawn.emit()
        self.refreshed_at = time.perf_counter()
        self.refresh_cost = self.refreshed_at - began + plot.canvas.paint_cost
        if view.unfinished:
            self.mark_dirty()

    def _picture(self, view: DrawnView, x: Range, y: Range, ends: Range | None) -> Picture:
        content, drawing = self._content, self.drawing
        axis = self._ranges.x.to_axis(x)
        log = content.spec.log_x
        shared = not drawing.own_x and not drawing.cells
        marks = [
            (mark.kind, math.log10(place) if log else place)
            for place, mark in (content.mark_positions.all() if content.spec.marks and shared else ())
            if x[0] <= place <= x[1] and (place > 0 or not log)
        ]
        now = self._ranges.x.now(ends) if content.live and shared else None
        words = view.words or (self._why_empty() if content.empty else "")
        return Picture(
            *axis,
            *y,
            grid=self._grid_of(y),
            curves=view.curves,
            bands=view.bands,
            layers=view.layers,
            marks=marks,
            odd=view.odd,
            notice=", ".join(part for part in (self.notice, view.left_out and "outliers beyond") if part),
            now=math.log10(now) if log and now is not None and now > 0 else None if log else now,
            label=view.label,
            empty=words,
            tame=not content.spec.log_y and y[0] <= view.low and view.high <= y[1],
        )

    def _grid_of(self, y: Range) -> Sequence[float]:
        """Grid lines are seldom anew."""
        height = self.plot.canvas.height()
        key = (y, height, self._content.spec, self._content.empty)
        if key != self._grid[0]:
            self._grid = key, self.drawing.grid(*y, self.plot.canvas.inner().height())
        return self._grid[1]

    def _why_empty(self) -> str:
        problems = self._content.source.problems
        return problems[0] if problems else EMPTY
