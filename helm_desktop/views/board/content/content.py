"""What a chart shows: a spec and its series, marks, plan and histograms, and what is read of them.

Drawings make pictures of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.chart_source import ChartSource
from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import STEP, ChartSpec, Draw
from helm_desktop.model.media.histograms import Histograms
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import Series
from helm_desktop.views.board.canvas.picture import Numbers
from helm_desktop.views.board.content.curves import ChartCurves
from helm_desktop.views.board.content.legend_entries import LegendEntries
from helm_desktop.views.board.content.logged_histograms import LoggedHistograms
from helm_desktop.views.board.content.mark_positions import MarkPositions
from helm_desktop.views.board.content.readings import CurveReadings
from helm_desktop.views.board.content.shown_data import ShownPlan
from helm_desktop.views.board.content.visibility import CurveVisibility
from helm_desktop.views.board.content.x_axis import XAxis


class ChartContent(QObject):
    """Follow a spec. Whoever changes it by call knows already: only the chart listens to the signals."""

    replaced = Signal(object)  # the ChartSpec before: the spec or the series are others
    live_changed = Signal()
    changed = Signal()  # there is something else to draw

    def __init__(self, title: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.spec = ChartSpec()
        self.source = ChartSource(self.spec, {})
        self.marks: Sequence[Mark] = ()
        self.plan: ShownPlan | None = None
        self.histograms: Sequence[Histograms] = ()
        self.live = True
        self._title = title
        self._known: Mapping[str, Series] = {}
        self._clock: ActiveTime | None = None
        self._fixed: list[Series] | None = None
        self.x = XAxis(self)
        self.curves = ChartCurves(self)
        self.visibility = CurveVisibility(self.curves, self)
        self.legend = LegendEntries(self.curves, self.visibility)
        self.readings = CurveReadings(self, self.x, self.curves, self.visibility)
        self.mark_positions = MarkPositions(self, self.x)
        self.logged = LoggedHistograms(self, self.x)

    # What to show ------------------------------------------------------------------------------

    def set_spec(
        self, spec: ChartSpec, known: Mapping[str, Series] | None = None, clock: ActiveTime | None = None
    ) -> None:
        """Show this; `known` are the run's series, with which the source starts anew."""
        if known is not None:
            self._known, self._clock, self._fixed = known, clock, None
        before, self.spec = self.spec, spec
        same = (before.series, before.derived, before.left_out, before.ranks, before.x) == (
            spec.series,
            spec.derived,
            spec.left_out,
            spec.ranks,
            spec.x,
        )
        if same and known is None:
            self.source.spec = spec
        else:
            self._make_source()
        self.replaced.emit(before)
        self.changed.emit()

    def change(self, **parts: object) -> None:
        """Show the same spec with some parts changed."""
        spec = self.spec.with_(**parts)
        if spec != self.spec:
            self.set_spec(spec)

    def set_series(self, series: Sequence[Series]) -> None:
        """Show these series whatever they are called, each a curve for every process."""
        self._fixed = list(series)
        self._make_source()
        self.replaced.emit(self.spec)
        self.changed.emit()

    def _make_source(self) -> None:
        self.source = ChartSource(self.spec, self._known, self._clock, self._fixed)
        self.source.final = not self.live

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Show marks on the x axis."""
        self.marks = list(marks)
        self.changed.emit()

    def set_histograms(self, histograms: Sequence[Histograms]) -> None:
        """Take what the run logged as histograms under its names; a histogram over time draws these."""
        self.histograms = list(histograms)
        self.changed.emit()

    def set_plan(
        self,
        x: Sequence[float] | Numbers,
        y: Sequence[float] | Numbers,
        label: str = "planned ahead",
        axis: str = STEP,
    ) -> None:
        """Show what is planned for the first series over an axis: dashed after now. Empty: no plan."""
        xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
        self.plan = ShownPlan(xs, ys, label, axis) if len(xs) else None
        self.changed.emit()

    def set_live(self, live: bool) -> None:
        """Whether the run goes on; one that has ended is shown to its last point exactly."""
        if live != self.live:
            self.live = live
            self.source.final = not live
            self.live_changed.emit()
            self.changed.emit()

    # What there is -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring everything computed up to date."""
        self.source.refresh()

    @property
    def title(self) -> str:
        """What the chart is called."""
        spec = self.spec
        if self._title or spec.title:
            return spec.title or self._title
        if spec.heading:
            return spec.heading
        series = self.series
        return series[0].name if series else ""

    @property
    def series(self) -> list[Series]:
        """What it draws."""
        return [one.origin for one in self.source.refresh()]

    def other(self, name: str) -> Series | None:
        """Return a series of the run, in the chart or not."""
        return self._known.get(name) or next((one for one in self._fixed or () if one.name == name), None)

    def axes(self) -> list[str]:
        """Return the axes that the run logged."""
        return [name for name, one in self._known.items() if one.kind == "axis"]

    @property
    def ahead(self) -> ShownPlan | None:
        """What is planned, where it has a place on the x axis."""
        return self.plan if self.plan is not None and self.plan.axis == self.spec.x else None

    @property
    def point_count(self) -> int:
        """Every point of every series."""
        values = sum(one.origin.count for one in self.source.refresh())
        return values or sum(map(len, self.histograms))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw: no points and no plan."""
        return (
            self.plan is None
            and not self.histograms
            and not any(one.series.count for one in self.source.shown)
        )

    @property
    def draw(self) -> Draw:
        """How it is drawn: what was logged as histograms alone cannot be lines."""
        lines = self.spec.draw == "lines"
        return "histogram" if lines and self.histograms and not self.source.refresh() else self.spec.draw
