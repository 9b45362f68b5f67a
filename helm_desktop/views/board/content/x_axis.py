"""The x axis of a chart: which column of the series it is, where it begins, how far the points reach."""

from __future__ import annotations

from helm_desktop.format import number, step
from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL
from helm_desktop.model.series.time_ticks import clock_text
from helm_desktop.views.board.content.shown_data import ShownData


class XAxis:
    """Follow the spec's x: "step", a time, or a metric."""

    def __init__(self, data: ShownData) -> None:
        self._data = data

    @property
    def column(self) -> str:
        """The column of the series that windows are asked over."""
        column = self._data.source.column
        return "wall" if column == RELATIVE else column

    @property
    def on_steps(self) -> bool:
        """Whether x is the step."""
        return self._data.spec.x == STEP

    def origin(self) -> float:
        """Return what is subtracted from times: relative time counts from the first point of the chart."""
        if self._data.spec.x != RELATIVE:
            return 0.0
        firsts = [ends[0] for one in self._data.source.shown if (ends := one.series.extent("wall"))]
        firsts = firsts or [one.times[0] for one in self._data.histograms if len(one)]
        return min(firsts, default=0.0)

    def extent(self) -> tuple[float, float] | None:
        """First and last x of all points."""
        origin, column = self.origin(), self.column
        ends = [end for one in self._data.source.shown if (end := one.series.extent(column)) is not None]
        if not ends:
            return None
        return min(first for first, _ in ends) - origin, max(last for _, last in ends) - origin

    def heading(self, x: float) -> str:
        """Return an x as a tooltip names it: "step 300", "4.5 s"."""
        axis = self._data.spec.x
        if axis == STEP:
            return f"step {step(round(x))}"
        if axis == WALL:
            return clock_text(x)
        if axis in (RELATIVE, ACTIVE):
            return f"{x:,.1f} s" + (" active" if axis == ACTIVE else "")
        return f"{axis} {number(x)}"
