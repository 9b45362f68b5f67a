"""The curves of a chart: their names, colours and values in words."""

from __future__ import annotations

from dataclasses import dataclass

from helm_desktop.format import figure
from helm_desktop.model.chart.chart_source import ShownSeries
from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.bundle import FROM_CURVES
from helm_desktop.views.board.content import curve_labels
from helm_desktop.views.board.content.shown_data import ShownData


@dataclass(frozen=True, slots=True)
class ChartCurve:
    """One curve: what a process logged of a series, its name where it must be told from the others."""

    shown: ShownSeries
    process: str
    name: str
    key: str


class ChartCurves:
    """Follow the series of a chart."""

    def __init__(self, data: ShownData) -> None:
        self._data = data
        self._key: object = None
        self._all: list[ChartCurve] = []
        self._summary: tuple[object, str] = None, ""

    def all(self) -> list[ChartCurve]:
        """Return every curve, hidden or not; the same list until the series change."""
        key = [(id(one.series), len(one.series.segments)) for one in self._data.source.shown]
        if key != self._key:
            self._key, self._all = key, self._named()
        return self._all

    def _named(self) -> list[ChartCurve]:
        shown = self._data.source.shown
        names = curve_labels.names_of(self._data.spec, shown)
        made = []
        for one, name in zip(shown, names, strict=True):
            processes = one.series.processes()
            several = len(processes) > 1
            for process in processes:
                first = name if len(shown) > 1 or not several else ""
                text = " ".join(part for part in (first, process if several else "") if part)
                made.append(ChartCurve(one, process, text, f"{one.label}\n{process}"))
        return made

    def colour(self, theme: Theme, at: int) -> str:
        """Return a curve's colour; where there are very many each has one of the first few."""
        many = len(self._data.source.shown) >= FROM_CURVES
        return theme.curves[at % len(theme.curves)] if many else theme.curve(at)

    def unit(self, series: Series) -> str:
        """Return the chart's unit, or the one that was logged."""
        return self._data.spec.unit or series.unit

    def figure(self, series: Series, value: float) -> str:
        """Return a value with its unit."""
        return figure(value, self.unit(series))

    def percent(self) -> bool:
        """Return True when every value is a share in percent."""
        shown = self._data.source.shown
        return bool(shown) and all(self.unit(one.origin) == "%" for one in shown)

    def from_zero(self) -> bool:
        """Whether values are read against zero, as rates and shares are, and not against each other."""
        shown = self._data.source.shown
        return bool(shown) and all(
            self.unit(one.origin) == "%"
            or one.origin.unit.endswith("/s")
            or one.origin.name.endswith("_per_s")
            for one in shown
        )

    def counted(self) -> str:
        """Return how many curves there are, and of what: 3 layers, 2 ranks, 3 layers × 2 ranks."""
        processes = {curve.process for curve in self.all()}
        return curve_labels.counted(self._data.spec, self._data.source.shown, processes)

    def summary(self) -> str:
        """Return the latest value, or how many curves there are."""
        if len(self.all()) > 1:
            return self.counted()
        shown = self._data.source.shown
        origin = shown[0].origin if shown else None
        value = origin.last_value if origin is not None else None
        if value is None or origin is None:
            return ""
        key = (value, self.unit(origin))
        if key != self._summary[0]:
            self._summary = key, self.figure(origin, value)
        return self._summary[1]
