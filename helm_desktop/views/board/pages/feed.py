"""The feed of one chart: it gives the chart what its specification names in the open run."""

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
    """The feed of one chart of the board, or of the preview of the chart editor."""

    row_requested = Signal(str)  # the row to look up in the model, such as "layer 2"
    changed = Signal(str, dict)  # the chart's id, and the parts of its specification that the reader changed

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
        self._inspects = False
        self._per_step = 0.0  # how much the x axis grows for each step of the plan that is shown
        self.chart.content.set_spec(spec, session.store.series, session.clock)
        self._show()
        if session.streams.step_range is not None:
            self.chart.ranges.set_reach(*session.streams.step_range)
        self.show_status()

    def set_spec(self, spec: ChartSpec) -> None:
        """Show what another specification names."""
        if spec != self.spec:
            self.spec = spec
            self.chart.content.set_spec(spec)
            self._show()

    def set_inspects(self, on: bool) -> None:
        """Set whether a click on a heatmap's row opens the model."""
        self._inspects = on
        label = INSPECT.format(what=f"{self._variable} {{value}}".strip())
        self.chart.rows.set_buttons(on and bool(self._variable), label)

    def refresh_points(self, dirty: set[str]) -> None:
        """Draw the chart again when one of the streams with new points belongs to it."""
        if not self._needs.isdisjoint(dirty):
            self.chart.renderer.mark_dirty()
            if self.spec.x != STEP:
                self._follow_rate()

    def refresh_streams(self) -> None:
        """Look for streams and histograms of the chart again, after the run logged new names."""
        if self.chart.content.source.needs != self._needs:
            self._show()
            self.chart.renderer.mark_dirty()
        self.refresh_histograms()

    def refresh_histograms(self) -> None:
        """Give the chart the histograms that the run logged under its names."""
        logged = self._session.histograms.by_name
        found: dict[str, Histograms] = {}
        for text in self.spec.series:
            names = [text] if text in logged else [one.name for one in matches(text, logged)]
            found |= {name: logged[name] for name in names if name not in self.spec.left_out}
        if list(found) != list(self._histograms):
            self._histograms = found
            self.chart.content.set_histograms(list(found.values()))

    def redraw_histograms(self, names: set[str]) -> None:
        """Draw the chart again when one of its histograms has more steps."""
        if not names.isdisjoint(self._histograms):
            self.chart.renderer.mark_dirty()

    def refresh_marks(self) -> None:
        """Give the chart the marks of the run: changes, checkpoints, notes and firings."""
        self.chart.content.set_marks(self._session.marks.all())

    def refresh_plan(self) -> None:
        """Give the chart the plan of its only series, over steps or over an axis that grows with them."""
        names, axis = self.spec.series, self.spec.x
        curve = self._session.plan.curve(names[0]) if len(names) == 1 else None
        projection = projection_of(self._session.store, axis) if curve is not None else None
        self._per_step = projection.per_step if projection is not None else 0.0
        if curve is None or projection is None:
            self.chart.content.set_plan((), ())
        elif axis == STEP:
            self.chart.content.set_plan(curve.steps, curve.values)
        else:
            positions = projection.positions(np.asarray(curve.steps, np.float64))
            self.chart.content.set_plan(positions, curve.values, axis=axis)

    def _follow_rate(self) -> None:
        """Place the plan again when a step adds more or less to the x axis, such as tokens, than before."""
        projection = projection_of(self._session.store, self.spec.x)
        if (
            projection is not None
            and abs(projection.per_step - self._per_step) > RATE_TOLERANCE * projection.per_step
        ):
            self.refresh_plan()

    def show_status(self) -> None:
        """Tell the chart whether the run goes on."""
        self.chart.content.set_live(not self._session.status.state.ended)

    @property
    def _variable(self) -> str:
        """The variable whose values are the rows; empty when the chart has none."""
        found = [name for text in self.spec.series for name in variables(text)]
        return found[0] if found else ""

    def _show(self) -> None:
        self._needs = self.chart.content.source.needs
        self.refresh_histograms()
        self.refresh_marks()
        self.refresh_plan()
        self.set_inspects(self._inspects)

    def _on_row(self, value: str) -> None:
        self.row_requested.emit(f"{self._variable} {value}".strip())

    def _on_changed(self, spec: ChartSpec) -> None:
        """Report only the parts that differ. What the board sets for all charts is not this chart's own."""
        before, self.spec = self.spec, spec
        parts = {
            name: getattr(spec, name)
            for name in spec.__struct_fields__
            if getattr(spec, name) != getattr(before, name)
        }
        if parts:
            self.changed.emit(self.chart_id, parts)
