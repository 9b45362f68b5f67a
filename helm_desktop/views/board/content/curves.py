"""The curves of a chart: their names, colours and figures, and which are not drawn now."""

from __future__ import annotations

from dataclasses import dataclass

from helm_desktop.format import figure
from helm_desktop.model.chart.chart_source import ChartSource, ShownSeries
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.bundle import FROM_CURVES
from helm_desktop.views.board.content import curve_labels
from helm_desktop.views.board.content.legend import LegendEntry


@dataclass(frozen=True, slots=True)
class ChartCurve:
    """One curve: what a process logged of a series, its name where it must be told from the others."""

    shown: ShownSeries
    process: str
    name: str
    key: str


class ChartCurves:
    """What is hidden or alone for a while belongs to the view and not to the spec."""

    def __init__(self) -> None:
        self.spec = ChartSpec()
        self.source = ChartSource(self.spec, {})
        self.hidden: set[str] = set()
        self.solo = ""
        self.lit = ""
        self._strands_key: object = None
        self._strands: list[ChartCurve] = []
        self._summary: tuple[object, str] = None, ""
        self._legend_key: object = None
        self._legend: list[LegendEntry] = []

    def strands(self) -> list[ChartCurve]:
        """Every curve, hidden or not."""
        shown = self.source.shown
        key = [(id(one.series), len(one.series.segments)) for one in shown]
        if key != self._strands_key:
            self._strands_key, self._strands = key, self._name_strands()
        return self._strands

    def _name_strands(self) -> list[ChartCurve]:
        shown = self.source.shown
        names = curve_labels.names_of(self.spec, shown)
        made = []
        for one, name in zip(shown, names, strict=True):
            processes = one.series.processes()
            several = len(processes) > 1
            for process in processes:
                first = name if len(shown) > 1 or not several else ""
                text = " ".join(part for part in (first, process if several else "") if part)
                made.append(ChartCurve(one, process, text, f"{one.label}\n{process}"))
        return made

    def is_off(self, key: str) -> bool:
        """Whether a curve is not drawn now."""
        return key != self.solo if self.solo else key in self.hidden

    @property
    def some_off(self) -> bool:
        """Whether some curve is not drawn now."""
        return bool(self.solo or self.hidden)

    def colour(self, theme: Theme, at: int) -> str:
        """A curve's colour; where there are very many each has one of the first few."""
        many = len(self.source.shown) >= FROM_CURVES
        return theme.curves[at % len(theme.curves)] if many else theme.curve(at)

    def legend(self, theme: Theme) -> list[LegendEntry]:
        """Names and colours of the curves."""
        strands = self.strands()
        key = (id(strands), theme.name, self.solo, tuple(self.hidden))
        if key != self._legend_key:
            self._legend_key = key
            self._legend = [
                LegendEntry(strand.key, strand.name, self.colour(theme, at), self.is_off(strand.key))
                for at, strand in enumerate(strands)
            ]
        return self._legend

    # Words -------------------------------------------------------------------------------------

    def unit(self, series: Series) -> str:
        """The chart's unit, or the one that was logged."""
        return self.spec.unit or series.unit

    def figure(self, series: Series, value: float) -> str:
        """A value with its unit."""
        return figure(value, self.unit(series))

    def counted(self) -> str:
        """How many curves there are, and of what: 3 layers, 2 ranks, 3 layers × 2 ranks."""
        return curve_labels.counted(
            self.spec, self.source.shown, {strand.process for strand in self.strands()}
        )

    def summary(self) -> str:
        """The latest value, or how many curves there are."""
        strands = self.strands()
        if len(strands) > 1:
            return self.counted()
        origin = self.source.shown[0].origin if self.source.shown else None
        value = origin.last_value if origin is not None else None
        if value is None or origin is None:
            return ""
        key = (value, self.unit(origin))
        if key != self._summary[0]:
            self._summary = key, self.figure(origin, value)
        return self._summary[1]
