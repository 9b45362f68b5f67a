"""Between one chart and the open run: what the chart's spec asks for is found and handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart_source import ChartSource
from helm_desktop.model.chart_spec import STEP, ChartSpec
from helm_desktop.views.board.chart import ChartView

if TYPE_CHECKING:
    from helm_desktop.model.session import Session


class Feed(QObject):
    """One chart on the board, or the editor's preview."""

    row_requested = Signal(str)

    def __init__(self, chart_id: str, spec: ChartSpec, session: Session) -> None:
        self.chart = ChartView(spec.heading)
        super().__init__(self.chart)
        self.chart_id = chart_id
        self.spec = spec
        self._session = session
        self._source = ChartSource(spec, session.store.series)
        self._needs: frozenset[str] = frozenset()
        self._show()
        if session.reach is not None:
            self.chart.set_reach(*session.reach)
        self.marks()
        self.standing()

    def set_spec(self, spec: ChartSpec) -> None:
        """The chart shows something else from now on."""
        if spec != self.spec:
            self.spec = spec
            self._source = ChartSource(spec, self._session.store.series)
            self._show()

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model."""

    def points(self, dirty: set[str]) -> None:
        """Streams with new points."""
        if not self._needs.isdisjoint(dirty):
            self.chart.mark_dirty()

    def streams(self) -> None:
        """There are more streams than before."""
        needs = self._source.needs
        if needs != self._needs:
            self._show()

    def marks(self) -> None:
        """Marks on the x axis."""
        self.chart.set_marks(self._session.marks if self.spec.marks else [])

    def plan(self) -> None:
        """What is planned for the chart's only series."""
        names = self.spec.series
        curve = self._session.planned(names[0]) if len(names) == 1 and self.spec.x == STEP else None
        if curve is not None:
            self.chart.set_planned(curve.steps, curve.values)
        else:
            self.chart.set_planned((), ())

    def standing(self) -> None:
        """Whether the run goes on."""
        self.chart.set_live(not self._session.standing.state.ended)

    def _show(self) -> None:
        self._needs = self._source.needs
        known = self._session.store.series
        self.chart.set_title(self.spec.heading)
        self.chart.set_series([known[match.name] for match in self._source.matches()])
        self.plan()
