"""Between one chart and the open run: what the chart's spec asks for is found and handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.axis_projection import RATE_TOLERANCE, projection_of
from helm_desktop.model.chart.spec import STEP, ChartSpec
from helm_desktop.model.media.histograms import Histograms
from helm_desktop.model.series.name_patterns import matches, variables
from helm_desktop.views.board.chart.chart import ChartView

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

INSPECT = "Inspect {what} in the model"


class ChartFeed(QObject):
    """One chart on the board, or the editor's preview."""

    row_requested = Signal(str)  # the words to look for in the model: "layer 2"
    changed = Signal(str, dict)  # the chart's id, what the reader changed of its spec by hand

    def __init__(self, chart_id: str, spec: ChartSpec, session: Session) -> None:
        self.chart = ChartView()
        super().__init__(self.chart)
        self.chart_id = chart_id
        self.spec = spec
        self._session = session
        self._needs: frozenset[str] = frozenset()
        self._histograms: dict[str, Histograms] = {}
        self.chart.header.set_editable()
        self.chart.edits.spec_changed.connect(self._on_changed)
        self.chart.rows.clicked.connect(self._on_row)
        self._inspects, self._pace = False, 0.0
        self.chart.content.set_spec(spec, session.store.series, session.clock)
        self._show()
        if session.streams.step_range is not None:
            self.chart.ranges.set_reach(*session.streams.step_range)
        self.show_status()

    def set_spec(self, spec: ChartSpec) -> None:
        """The chart shows something else from now on."""
        if spec != self.spec:
            self.spec = spec
            self.chart.content.set_spec(spec)
            self._show()

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model."""
        self._inspects = on
        words = INSPECT.format(what=f"{self._variable} {{value}}".strip())
        self.chart.rows.set_buttons(on and bool(self._variable), words)

    def points(self, dirty: set[str]) -> None:
        """Streams with new points."""
        if not self._needs.isdisjoint(dirty):
            self.chart.renderer.mark_dirty()
            if self.spec.x != STEP:
                self._follow_rate()

    def streams(self) -> None:
        """There are more streams than before."""
        if self.chart.content.source.needs != self._needs:
            self._show()
            self.chart.renderer.mark_dirty()
        self.histograms()

    def histograms(self) -> None:
        """What the run logged as histograms under the chart's names."""
        logged = self._session.histograms.by_name
        found: dict[str, Histograms] = {}
        for text in self.spec.series:
            exact = [text] if text in logged else [one.name for one in matches(text, logged)]
            found |= {name: logged[name] for name in exact if name not in self.spec.left_out}
        if list(found) != list(self._histograms):
            self._histograms = found
            self.chart.content.set_histograms(list(found.values()))

    def more_histograms(self, names: set[str]) -> None:
        """More of these can be drawn."""
        if not names.isdisjoint(self._histograms):
            self.chart.renderer.mark_dirty()

    def marks(self) -> None:
        """Marks on the x axis."""
        self.chart.content.set_marks(self._session.marks.all())

    def plan(self) -> None:
        """What is planned for the chart's only series, over steps or an axis that grows with them."""
        names, axis = self.spec.series, self.spec.x
        curve = self._session.plan.curve(names[0]) if len(names) == 1 else None
        pace = projection_of(self._session.store, axis) if curve is not None else None
        self._pace = pace.per_step if pace is not None else 0.0
        if curve is None or pace is None:
            self.chart.content.set_plan((), ())
        elif axis == STEP:
            self.chart.content.set_plan(curve.steps, curve.values)
        else:
            places = pace.positions(np.asarray(curve.steps, np.float64))
            self.chart.content.set_plan(places, curve.values, axis=axis)

    def _follow_rate(self) -> None:
        """A plan over tokens lies elsewhere once a step takes in more of them, or fewer."""
        pace = projection_of(self._session.store, self.spec.x)
        if pace is not None and abs(pace.per_step - self._pace) > RATE_TOLERANCE * pace.per_step:
            self.plan()

    def show_status(self) -> None:
        """Whether the run goes on."""
        self.chart.content.set_live(not self._session.status.state.ended)

    @property
    def _variable(self) -> str:
        """The variable that rows stand for."""
        found = [name for text in self.spec.series for name in variables(text)]
        return found[0] if found else ""

    def _show(self) -> None:
        self._needs = self.chart.content.source.needs
        self.histograms()
        self.marks()
        self.plan()
        self.set_inspects(self._inspects)

    def _on_row(self, value: str) -> None:
        self.row_requested.emit(f"{self._variable} {value}".strip())

    def _on_changed(self, spec: ChartSpec) -> None:
        """Only the parts that differ: what the board says for all its charts is not the chart's own."""
        before, self.spec = self.spec, spec
        parts = {
            name: getattr(spec, name)
            for name in spec.__struct_fields__
            if getattr(spec, name) != getattr(before, name)
        }
        if parts:
            self.changed.emit(self.chart_id, parts)
