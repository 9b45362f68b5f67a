"""What a chart shows and which stretch of it, as it is told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Signal
from PySide6.QtWidgets import QWidget

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import STEP, ChartSpec
from helm_desktop.model.media.histograms import Histograms
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import Series
from helm_desktop.views.board.canvas.picture import Numbers
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.chart.chart_card import ChartCard
from helm_desktop.views.board.content.content import ShownPlan


class ShownChart(ChartCard):
    """Tells of what the reader changes on it; who changes it by call knows already."""

    crosshair_set = Signal(object)  # an x of the board, or None

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.legend.solo_requested.connect(self.set_solo)
        self.legend.toggle_requested.connect(self.toggle_curve)
        self.legend.hovered.connect(self.highlight)
        plot = self._plot
        plot.range_requested.connect(self._asked)
        plot.y_requested.connect(self._asked_y)
        plot.follow_requested.connect(self.follow)
        plot.fit_requested.connect(self.fit_y)
        self._name()

    # What it shows -----------------------------------------------------------------------------

    def set_title(self, title: str) -> None:
        """Names the chart."""
        self._title = title
        self._name()

    def set_tag(self, text: str) -> None:
        """A word beside the title, such as "drafting a change"."""
        self.header.set_words(self.header.tag, text)

    def set_editable(self, on: bool = True) -> None:
        """Whether the header has the button that edits."""
        self.header.edit.setVisible(on)

    def set_row_buttons(self, on: bool, words: str = "Inspect {value} in the model") -> None:
        """Whether rows are buttons that say which one was clicked; `words` tell what a click does."""
        self.rows_are_buttons, self.row_words = on, words

    def set_spec(
        self, spec: ChartSpec, known: Mapping[str, Series] | None = None, clock: ActiveTime | None = None
    ) -> None:
        """Shows what a spec says, of a run's series when these are given. Tells nobody: the caller knows."""
        before = self.content.spec
        self.content.set_spec(spec, known, clock)
        self._choose_drawing()
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

    def set_histograms(self, histograms: Sequence[Histograms]) -> None:
        """What the run logged as histograms under its names; a histogram over time draws these."""
        self.content.histograms = list(histograms)
        self._choose_drawing()
        self.mark_dirty()

    def set_planned(
        self,
        x: Sequence[float] | Numbers,
        y: Sequence[float] | Numbers,
        label: str = "planned ahead",
        axis: str = STEP,
    ) -> None:
        """What is planned for the first series over an axis: dashed after now. Empty: no plan."""
        xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
        self.content.plan = ShownPlan(xs, ys, label, axis) if len(xs) else None
        self.mark_dirty()

    def set_drafted(self, values: Range | None, until: float | None = None) -> None:
        """The least and the greatest value of a draft over the picture, and the x until which it may go: they
        are kept in sight."""
        if self.ranges.set_drafted(values, until):
            self.mark_dirty()

    def hold_y(self, y: Range | None) -> None:
        """Keeps the y range as a hand needs it while it drags, in the axis's numbers; None: fits it again."""
        if y != self.ranges.held_y:
            self.ranges.held_y = y
            self.refresh()

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

    def follow(self) -> None:
        """The reader wants to see the whole run again: follows, and tells the board."""
        self.set_follow()
        self.refresh()
        self.follow_requested.emit()

    # For others ----------------------------------------------------------------------------------

    def set_crosshair(self, x: float | None) -> None:
        """The crosshair of the board, from another chart: a line, and the value there in the header."""
        self.crosshair_set.emit(x)

    def elided_labels(self) -> list[str]:
        """Whole texts of labels that had to be shortened."""
        title = self.header.title
        return [title.text()] if title.property("elided") else []

    def grab_point(self, x: float) -> QPoint:
        """Where an x is on this widget: for tests and tools that use the real mouse."""
        rect = self._plot.picture_rect()
        place = self._plot.place_of(self.ranges.to_axis((x, x), own=self.drawing.own_x)[0])
        return QPoint(self._plot.mapTo(self, QPointF(rect.left() + place, rect.center().y()).toPoint()))
