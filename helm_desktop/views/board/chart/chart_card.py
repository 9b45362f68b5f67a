"""The card of a chart: its widgets, and the picture that is drawn from its content."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from helm_desktop.model.chart.spec import ChartSpec, Draw
from helm_desktop.theme import Theme, set_look, theme_of
from helm_desktop.views.board.canvas.colour_map import ScaleBar
from helm_desktop.views.board.canvas.picture import Picture
from helm_desktop.views.board.canvas.plot import HELP, PlotView
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.header import ChartHeader
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.legend import Legend
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView
from helm_desktop.views.board.drawing.registry import drawing_of

EMPTY = "No points yet"


class ChartCard(QFrame):
    """Draws when `refresh` is called, and by itself only when it is resized, zoomed or dressed anew."""

    zoomed = Signal(float, float)  # x in steps, seconds or what else the axis counts
    follow_requested = Signal()
    crosshair_moved = Signal(object)  # x, or None
    full_requested = Signal()
    edit_requested = Signal()
    note_requested = Signal(int)  # at this step
    note_removed = Signal(int)
    takes_notes = False  # offered only where somebody keeps them
    spec_changed = Signal(object)  # the ChartSpec that the reader made of it
    save_requested = Signal(str, object)  # the file; a QImage, bytes, or a list of RowSnapshot
    copied = Signal()
    export_failed = Signal(str)  # one sentence
    row_clicked = Signal(str)  # the value of the row's variable
    range_changed = Signal()
    drawing_changed = Signal()  # to another way of drawing
    drawn = Signal()
    stale = Signal()  # there is something to draw
    exposed = Signal()  # came into view with something to draw

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dirty = False
        self.refreshed_at = 0.0
        self.refresh_cost = 0.001
        self.notice = ""  # what the picture leaves out: "3 not finite", "2 hidden"
        self.content = ChartContent()
        self._draw: Draw = "lines"
        self.drawing: Drawing = drawing_of(self._draw, self.content)
        self.ranges = ChartRanges(self.content)
        self._title = title
        self._theme = theme_of(self)
        self.rows_are_buttons = False
        self.row_words = "Inspect {value} in the model"
        self._shown: tuple[Range, Range, ChartSpec] | None = None
        self._grid: tuple[object, Sequence[float]] = None, ()
        set_look(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._build()

    def _build(self) -> None:
        self.header = ChartHeader()
        self._value = self.header.figure
        self.header.edit_requested.connect(self.edit_requested)
        self.header.full_requested.connect(self.full_requested)
        self.legend = Legend()
        self._plot = PlotView(self._x_ticks, self._y_ticks, self._theme)
        self._below = row = QVBoxLayout()
        row.setContentsMargins(self._plot.left_px + 1, 0, 10, 0)
        row.addWidget(self.legend)
        self.scale = ScaleBar()
        row.addWidget(self.scale)
        self._plot.resized.connect(self._resized)
        self.setWhatsThis(HELP)
        column = QVBoxLayout(self)
        column.setContentsMargins(3, 5, 5, 3)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(row)
        column.addWidget(self._plot, 1)

    def _x_ticks(self, low: float, high: float, length: float) -> list[tuple[float, str]]:
        return self.drawing.x_ticks(low, high, length)

    def _y_ticks(self, low: float, high: float, length: float) -> list[tuple[float, str]]:
        return self.drawing.y_ticks(low, high, length)

    def sizeHint(self) -> QSize:
        return QSize(320, 196)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 140)

    # What it is --------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the header says."""
        spec = self.content.spec
        if self._title or spec.title:
            return spec.title or self._title
        return spec.heading or (self.content.series[0].name if self.content.series else "")

    def _name(self) -> None:
        spec = self.content.spec
        self.header.title.setText(self.title)
        self.header.set_kind(spec.with_(draw=self._draw).manner)
        self.setAccessibleName(f"Chart {self.title}".strip())

    def _choose_drawing(self) -> None:
        if self.content.draw != self._draw:
            self._draw = self.content.draw
            self.drawing = drawing_of(self._draw, self.content)
            self.drawing_changed.emit()
            self._name()

    @property
    def spec(self) -> ChartSpec:
        """What makes it what it is."""
        return self.content.spec

    @property
    def plot(self) -> PlotView:
        """The part inside the card that takes the mouse."""
        return self._plot

    @property
    def theme(self) -> Theme:
        """What it wears."""
        return self._theme

    @property
    def x_range(self) -> Range:
        """The x range, as drawn last."""
        return self._shown[0] if self._shown else (0.0, 1.0)

    @property
    def y_range(self) -> Range:
        """The y range, as drawn last; exponents of ten on a logarithmic axis."""
        return self._shown[1] if self._shown else (0.0, 1.0)

    # Drawing -----------------------------------------------------------------------------------

    def mark_dirty(self) -> None:
        """There is something new; somebody should call `refresh` when the chart can be seen."""
        self.dirty = True
        self.stale.emit()

    def refresh(self) -> None:
        """Draws now."""
        began = time.perf_counter()
        self.dirty = False
        self.content.renew()
        self._choose_drawing()
        content, plot, drawing = self.content, self._plot, self.drawing
        drawing.settle()
        if (drawing.left_px, drawing.rows) != (plot.left_px, plot.left.buttons):
            plot.set_left(drawing.left_px, buttons=drawing.rows)
            self._below.setContentsMargins(drawing.left_px + 1, 0, 10, 0)
        size = plot.canvas.inner()
        ends = drawing.extent()
        x = self.ranges.choose_x(ends, own=drawing.own_x)
        view = drawing.view(x, size, plot.devicePixelRatioF(), self._theme)
        y = self.ranges.choose_y(drawing, view, size.height())
        spec = content.spec
        if self._shown != (x, y, spec):
            self._shown = (x, y, spec)
            plot.set_range(self.ranges.to_axis(x, own=drawing.own_x), y)
            self.range_changed.emit()
        elif drawing.rows:
            plot.renew_axes()
        self.notice = content.notice(view.non_finite)
        plot.show_picture(self._picture(view, x, y, ends))
        self.scale.set_ends(view.scale, log=spec.log_y)
        self.legend.set_entries(drawing.entries(self._theme))
        self.drawn.emit()
        self.refreshed_at = time.perf_counter()
        self.refresh_cost = self.refreshed_at - began + plot.canvas.paint_cost
        if view.unfinished:
            self.mark_dirty()

    def _picture(self, view: DrawnView, x: Range, y: Range, ends: Range | None) -> Picture:
        content, drawing = self.content, self.drawing
        axis = self.ranges.to_axis(x, own=drawing.own_x)
        log = content.spec.log_x
        marked = content.spec.marks and not drawing.own_x and not drawing.cells
        marks = [
            (mark.kind, math.log10(place) if log else place)
            for place, mark in (content.places.all() if marked else ())
            if x[0] <= place <= x[1] and (place > 0 or not log)
        ]
        live = self.ranges.live and not drawing.own_x and not drawing.cells
        now = self.ranges.standing(ends) if live else None
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
        height = self._plot.canvas.height()
        key = (y, height, self.content.spec, self.content.empty)
        if key != self._grid[0]:
            self._grid = key, self.drawing.grid(*y, self._plot.canvas.inner().height())
        return self._grid[1]

    def _why_empty(self) -> str:
        problems = self.content.source.problems
        return problems[0] if problems else EMPTY

    def _dress(self, theme: Theme) -> None:
        self._theme = theme
        self._plot.dress(theme)
        if self._shown is not None:
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange) and hasattr(self, "_plot"):
            theme = theme_of(self)
            if theme != self._theme:
                self._dress(theme)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange and self._shown is not None:
            self.refresh()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.dirty:
            self.exposed.emit()

    def _resized(self) -> None:
        if self._shown is not None:
            self.refresh()
