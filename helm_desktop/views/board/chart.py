"""A chart on the board: a card with a title, the latest value, and its series drawn as its spec says."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from helm_desktop.model.active_time import ActiveTime
from helm_desktop.model.chart_spec import DRAW_WORDS, ChartSpec
from helm_desktop.model.histograms import Histogram, in_order
from helm_desktop.model.marks import Mark
from helm_desktop.model.series import Series
from helm_desktop.theme import Theme, set_look, theme_of
from helm_desktop.views.board.chart_header import ChartHeader
from helm_desktop.views.board.chart_menu import ChartMenu
from helm_desktop.views.board.chart_pointer import ChartPointer
from helm_desktop.views.board.chart_ranges import ChartRanges
from helm_desktop.views.board.colour_map import ScaleBar
from helm_desktop.views.board.content import Content, Plan
from helm_desktop.views.board.drawing import Drawing, View
from helm_desktop.views.board.drawings import drawing_of
from helm_desktop.views.board.legend import Legend
from helm_desktop.views.board.picture import Numbers, Picture
from helm_desktop.views.board.plot import HELP, PlotView
from helm_desktop.views.board.ranges import Range

EMPTY = "No points yet"


class ChartView(QFrame):
    """Draws when `refresh` is called, and by itself only when it is resized, zoomed or dressed anew."""

    zoomed = Signal(float, float)  # x in steps, seconds or what else the axis counts
    follow_requested = Signal()
    crosshair_moved = Signal(object)  # x, or None
    full_requested = Signal()
    edit_requested = Signal()
    spec_changed = Signal(object)  # the ChartSpec that the reader made of it
    exported = Signal(str)  # the file
    export_failed = Signal(str)  # one sentence
    row_clicked = Signal(str)  # the value of the row's variable
    stale = Signal()  # there is something to draw
    exposed = Signal()  # came into view with something to draw

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dirty = False
        self.refreshed_at = 0.0
        self.refresh_cost = 0.001
        self.notice = ""  # what the picture leaves out: "3 not finite", "2 hidden"
        self.content = Content()
        self.drawing: Drawing = drawing_of("lines", self.content)
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
        self.pointer = ChartPointer(self)
        self.menu = ChartMenu(self)
        self._name()

    def _build(self) -> None:
        self.header = ChartHeader()
        self._value = self.header.figure
        self.header.edit_requested.connect(self.edit_requested)
        self.header.full_requested.connect(self.full_requested)
        self.legend = Legend()
        self.legend.solo_requested.connect(self.set_solo)
        self.legend.toggle_requested.connect(self.toggle_curve)
        self.legend.hovered.connect(self.highlight)
        self._plot = PlotView(self._x_ticks, self._y_ticks, self._theme)
        self._plot.setToolTip("")
        self._below = row = QVBoxLayout()
        row.setContentsMargins(self._plot.left_px + 1, 0, 10, 0)
        row.addWidget(self.legend)
        self.scale = ScaleBar()
        row.addWidget(self.scale)
        plot = self._plot
        plot.range_requested.connect(self._asked)
        plot.y_requested.connect(self._asked_y)
        plot.follow_requested.connect(self._back_to_follow)
        plot.fit_requested.connect(self.fit_y)
        plot.resized.connect(self._resized)
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

    # What it shows -----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the header says."""
        spec = self.content.spec
        if self._title or spec.title:
            return spec.title or self._title
        return spec.heading or (self.content.series[0].name if self.content.series else "")

    def set_title(self, title: str) -> None:
        """Names the chart."""
        self._title = title
        self._name()

    def _name(self) -> None:
        spec = self.content.spec
        self.header.title.setText(self.title)
        self.header.set_kind("" if spec.draw == "lines" else DRAW_WORDS[spec.draw].lower())
        self.setAccessibleName(f"Chart {self.title}".strip())

    def set_tag(self, text: str) -> None:
        """A word beside the title, such as "drafting a change"."""
        self.header.set_words(self.header.tag, text)

    def set_editable(self, on: bool = True) -> None:
        """Whether the header has ✎."""
        self.header.edit.setVisible(on)

    def set_row_buttons(self, on: bool, words: str = "Inspect {value} in the model") -> None:
        """Whether rows are buttons that say which one was clicked; `words` tell what a click does."""
        self.rows_are_buttons, self.row_words = on, words

    @property
    def spec(self) -> ChartSpec:
        """What makes it what it is."""
        return self.content.spec

    def set_spec(
        self, spec: ChartSpec, known: Mapping[str, Series] | None = None, clock: ActiveTime | None = None
    ) -> None:
        """Shows what a spec says, of a run's series when these are given. Tells nobody: the caller knows."""
        before = self.content.spec
        self.content.set_spec(spec, known, clock)
        if spec.draw != before.draw:
            self.drawing = drawing_of(spec.draw, self.content)
        self.ranges.spec_changed(before, spec)
        self._name()
        self.mark_dirty()

    def change(self, **parts: object) -> None:
        """The reader changed parts of the spec here: shows it so and tells."""
        self.set_spec(self.content.spec.with_(**parts))
        self.refresh()
        self.spec_changed.emit(self.content.spec)

    @property
    def series(self) -> list[Series]:
        """What it draws."""
        return self.content.series

    def set_series(self, series: Sequence[Series]) -> None:
        """Draws these whatever they are called, each a curve for every process."""
        self.content.set_fixed(series)
        self.ranges.forget_y()
        self._name()
        self.mark_dirty()

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Marks on the x axis."""
        self.content.marks = list(marks)
        self.mark_dirty()

    def set_histograms(self, histograms: Sequence[Histogram]) -> None:
        """What the run logged as histograms of this name, by step; a histogram over time draws these."""
        self.content.histograms = in_order(histograms)
        self.mark_dirty()

    def set_planned(
        self, x: Sequence[float] | Numbers, y: Sequence[float] | Numbers, label: str = "planned ahead"
    ) -> None:
        """What is planned for the first series: dashed after now. Empty: no plan."""
        xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
        self.content.plan = Plan(xs, ys, label) if len(xs) else None
        self.mark_dirty()

    def set_now(self, x: float | None) -> None:
        """Where the run stands; without it the last point is taken."""
        if self.ranges.set_now(x):
            self.mark_dirty()

    def set_live(self, live: bool) -> None:
        """A run that has ended is shown to its last point exactly."""
        if self.ranges.set_live(live):
            self.content.source.final = not live
            self.mark_dirty()

    def set_reach(self, first: float, last: float) -> None:
        """How far the run goes in steps: every chart that follows covers it, so that all stand alike."""
        if self.ranges.set_reach(first, last):
            self.mark_dirty()

    def set_axis(self, axis: str) -> None:
        """The x axis: "step", "relative", "wall", "active", or the name of an axis or a metric."""
        if axis != self.content.spec.x:
            self.set_spec(self.content.spec.with_(x=axis))

    def set_log_y(self, log: bool) -> None:
        """A logarithmic y axis; what it cannot show is counted."""
        if log != self.content.spec.log_y:
            self.set_spec(self.content.spec.with_(log_y=log))

    def set_smoothing(self, weight: float) -> None:
        """Smooths its curves, with the raw lines faint behind; 0 is off."""
        if weight != self.content.spec.smoothing:
            self.set_spec(self.content.spec.with_(smoothing=weight))

    # Curves ------------------------------------------------------------------------------------

    def set_solo(self, key: str) -> None:
        """Shows one curve alone; the same again shows all."""
        content = self.content
        alone = content.solo == key or (not content.solo and len(content.strands()) == 1)
        content.solo, content.hidden = ("" if alone else key), set()
        self.ranges.forget_y()
        self.refresh()

    def toggle_curve(self, key: str) -> None:
        """Hides or shows one curve."""
        content = self.content
        if content.solo:
            content.hidden, content.solo = {s.key for s in content.strands() if s.key != content.solo}, ""
        content.hidden.symmetric_difference_update({key})
        if all(content.is_off(strand.key) for strand in content.strands()):
            content.hidden.clear()
        self.ranges.forget_y()
        self.refresh()

    def show_all(self) -> None:
        """Hides nothing any more."""
        self.content.solo, self.content.hidden = "", set()
        self.ranges.forget_y()
        self.refresh()

    def highlight(self, key: str) -> None:
        """Lets one curve stand out; nothing: none."""
        if key != self.content.lit:
            self.content.lit = key
            self.refresh()

    @property
    def point_count(self) -> int:
        """All points of its streams."""
        return self.content.point_count

    @property
    def drawn_point_count(self) -> int:
        """Points of the polylines inside the window, as drawn last."""
        return self._plot.canvas.drawn_points

    # Ranges ------------------------------------------------------------------------------------

    @property
    def follows(self) -> bool:
        """Whether the x range covers the data as it grows."""
        return self.ranges.follow

    @property
    def x_range(self) -> Range:
        """The x range, as drawn last."""
        return self._shown[0] if self._shown else (0.0, 1.0)

    @property
    def y_range(self) -> Range:
        """The y range, as drawn last; exponents of ten on a logarithmic axis."""
        return self._shown[1] if self._shown else (0.0, 1.0)

    def set_x_range(self, x0: float, x1: float) -> None:
        """Stays at this range until it is to follow again. Says nothing: the board tells all charts."""
        if self.ranges.stay(x0, x1, own=False):
            self.mark_dirty()

    def set_follow(self) -> None:
        """Covers the data from now on."""
        self.ranges.follow_again()
        self.mark_dirty()

    def zoom(self, x0: float, x1: float) -> None:
        """The reader chose a range: shows it and tells the board."""
        if self.ranges.stay(x0, x1, own=self.drawing.own_x):
            self.refresh()
            if not self.drawing.own_x:
                self.zoomed.emit(x0, x1)

    def _asked(self, a: float, b: float) -> None:
        if self.drawing.cells:
            return
        self.zoom(*self.ranges.from_axis((a, b), own=self.drawing.own_x))

    def _asked_y(self, a: float, b: float) -> None:
        low, high = (10.0 ** max(-300.0, min(300.0, end)) for end in (a, b)) if self.spec.log_y else (a, b)
        if not self.drawing.rows and math.isfinite(high - low) and low < high:
            self.change(y_range=(low, high))

    def fit_y(self) -> None:
        """The y range fits the values again."""
        self.change(y_range=None)

    def _back_to_follow(self) -> None:
        self.set_follow()
        self.refresh()
        self.follow_requested.emit()

    def follow(self) -> None:
        """The reader wants to see the whole run again: follows, and tells the board."""
        self._back_to_follow()

    def _resized(self) -> None:
        if self._shown is not None:
            self.refresh()

    # Drawing -----------------------------------------------------------------------------------

    def mark_dirty(self) -> None:
        """There is something new; somebody should call `refresh` when the chart can be seen."""
        self.dirty = True
        self.stale.emit()

    def refresh(self) -> None:
        """Draws now."""
        began = time.perf_counter()
        self.dirty = False
        content, plot, drawing = self.content, self._plot, self.drawing
        content.renew()
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
        elif drawing.rows:
            plot.renew_axes()
        self.notice = content.notice(view.non_finite)
        plot.show_picture(self._picture(view, x, y, ends))
        self.scale.set_ends(view.scale, log=spec.log_y)
        self.legend.set_entries(content.legend(self._theme) if drawing.legend else [])
        self.pointer.place()
        self.refreshed_at = time.perf_counter()
        self.refresh_cost = self.refreshed_at - began + plot.canvas.paint_cost
        if view.unfinished:
            self.mark_dirty()

    def _picture(self, view: View, x: Range, y: Range, ends: Range | None) -> Picture:
        content, drawing = self.content, self.drawing
        axis = self.ranges.to_axis(x, own=drawing.own_x)
        log = content.spec.log_x
        on_x = content.on_steps and not drawing.own_x and not drawing.cells
        wanted = content.marks if on_x and content.spec.marks else ()
        marks = [
            (mark.kind, math.log10(mark.step) if log else float(mark.step))
            for mark in wanted
            if x[0] <= mark.step <= x[1] and (mark.step > 0 or not log)
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

    # Pointer and keys --------------------------------------------------------------------------

    @property
    def plot(self) -> PlotView:
        """The part inside the card that takes the mouse."""
        return self._plot

    @property
    def theme(self) -> Theme:
        """What it wears."""
        return self._theme

    def set_crosshair(self, x: float | None) -> None:
        """The crosshair of the board, from another chart: a line, and the value there in the header."""
        self.pointer.set_crosshair(x)

    def tip_text(self) -> str:
        """What the tooltip says; empty while there is none."""
        return self.pointer.tip_text()

    def elided_labels(self) -> list[str]:
        """Whole texts of labels that had to be shortened."""
        title = self.header.title
        return [title.text()] if title.property("elided") else []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.pointer.key(event) or self.menu.key(event)):
            super().keyPressEvent(event)

    def hideEvent(self, event: QEvent) -> None:
        self.pointer.hide_tip()
        super().hideEvent(event)  # type: ignore[arg-type]

    def grab_point(self, x: float) -> QPoint:
        """Where an x is on this widget: for tests and tools that use the real mouse."""
        rect = self._plot.picture_rect()
        place = self._plot.place_of(self.ranges.to_axis((x, x), own=self.drawing.own_x)[0])
        return QPoint(self._plot.mapTo(self, QPointF(rect.left() + place, rect.center().y()).toPoint()))
