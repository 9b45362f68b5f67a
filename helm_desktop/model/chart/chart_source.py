"""The series that a chart shows: those of a run that match its specification, and computed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm_desktop.model.chart.derived import DerivedSeries, ExpressionError
from helm_desktop.model.chart.rank_aggregates import RankAggregate
from helm_desktop.model.chart.rebased import (
    ActiveTimePositions,
    AxisPositions,
    JoinedPositions,
    RebasedSeries,
)
from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL, ChartSpec
from helm_desktop.model.series import name_patterns
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import Series


@dataclass(frozen=True, slots=True)
class ShownSeries:
    """One series of a chart, ready to be drawn."""

    series: Series  # to be drawn over the axis `ChartSource.column`
    origin: Series  # the series whose latest value and unit are shown
    label: str
    values: tuple[str, ...] = ()  # the values of the variables of its pattern
    low: Series | None = None  # the lower edge of the band around it; None without a band
    high: Series | None = None


class ChartSource:
    """The series of one chart. `shown` has what there is to draw as of the last `refresh`."""

    def __init__(
        self,
        spec: ChartSpec,
        known: Mapping[str, Series],
        clock: ActiveTime | None = None,
        fixed: Sequence[Series] | None = None,
    ) -> None:
        self.spec = spec
        self.shown: list[ShownSeries] = []
        self.problems: list[str] = []
        self.final = False
        self._known = known
        self._fixed = list(fixed) if fixed is not None else None
        self._clock = clock if clock is not None else ActiveTime()
        self._own_clock = clock is None
        self._names: tuple[int, list[name_patterns.NameMatch]] = (-1, [])
        self._ranks: dict[int, RankAggregate] = {}
        self._plain = not spec.derived and spec.ranks == "each" and spec.x in (STEP, RELATIVE, WALL)
        self._known_count = -1
        self._rebased: dict[int, RebasedSeries] = {}
        self._derived: list[DerivedSeries] = []
        for one in spec.derived:
            try:
                self._derived.append(DerivedSeries(one.expression, one.name))
            except ExpressionError as error:
                self.problems.append(f"{one.expression}: {error}")
        self._expression_problems = list(self.problems)

    @property
    def column(self) -> str:
        """The x axis over which `ShownSeries.series` is drawn: "step", "relative" or "wall"."""
        return self.spec.x if self.spec.x in (STEP, RELATIVE, WALL) else WALL

    @property
    def unplaced(self) -> int:
        """The number of points that have no position on the x axis."""
        return sum(one.unplaced for one in self._rebased.values())

    @property
    def needs(self) -> frozenset[str]:
        """The names of the series whose new points change the chart."""
        derived = [name for one in self._derived for name in one.names]
        joined = [self.spec.x] if self.spec.x not in (STEP, RELATIVE, WALL, ACTIVE) else []
        own = [one.name for one in self._fixed or ()] if self._fixed is not None else []
        return frozenset([*own, *(match.name for match in self.matches()), *derived, *joined])

    def matches(self) -> list[name_patterns.NameMatch]:
        """Return the names that match the specification, in order, each once."""
        if self._names[0] != len(self._known):
            found: dict[str, name_patterns.NameMatch] = {}
            for text in self.spec.series if self._fixed is None else ():
                exact = (
                    [name_patterns.NameMatch(text, ())]
                    if text in self._known
                    else name_patterns.matches(text, self._known)
                )
                found |= {one.name: one for one in exact if one.name not in found}
            kept = [one for one in found.values() if one.name not in self.spec.left_out]
            self._names = len(self._known), kept
        return self._names[1]

    def refresh(self) -> list[ShownSeries]:
        """Bring the computed series up to date, and return what there is to draw."""
        if self._plain and self._known_count == len(self._known):
            return self.shown
        self._known_count = len(self._known)
        self.problems = list(self._expression_problems)
        origins = self._found()
        for derived in self._derived:
            derived.refresh(self._known)
            if problem := derived.problem():
                self.problems.append(f"{derived.series.name}: {problem}")
            origins.append(self._aggregated(derived.series, ()))
        positions = self._positions(origins)
        self.shown = origins if positions is None else [self._rebased_over(one, positions) for one in origins]
        return self.shown

    def _found(self) -> list[ShownSeries]:
        if self._fixed is not None:
            return [self._aggregated(series, ()) for series in self._fixed]
        return [self._aggregated(self._known[one.name], one.values) for one in self.matches()]

    def _aggregated(self, series: Series, values: tuple[str, ...]) -> ShownSeries:
        if self.spec.ranks == "each" or len(series.processes()) < 2:
            return ShownSeries(series, series, series.name, values)
        ranks = self._ranks.get(id(series))
        if ranks is None or ranks.source is not series:
            ranks = self._ranks[id(series)] = RankAggregate(series, self.spec.ranks)
        ranks.refresh(final=self.final)
        band = self.spec.ranks == "band"
        return ShownSeries(
            ranks.middle,
            ranks.middle,
            series.name,
            values,
            ranks.low if band else None,
            ranks.high if band else None,
        )

    def _positions(self, origins: list[ShownSeries]) -> AxisPositions | None:
        x = self.spec.x
        if x in (STEP, RELATIVE, WALL):
            return None
        if x == ACTIVE:
            if self._own_clock:
                self._clock.follow([one.origin for one in origins])
            return ActiveTimePositions(self._clock)
        other = self._known.get(x)
        if other is None:
            self.problems.append(f"The x axis is {x}, which this run has not logged")
            other = Series(x)
        return JoinedPositions(other, final=self.final)

    def _rebased_over(self, one: ShownSeries, positions: AxisPositions) -> ShownSeries:
        low, high = (None if part is None else self._rebase(part, positions) for part in (one.low, one.high))
        series = self._rebase(one.series, positions)
        return ShownSeries(series, one.origin, one.label, one.values, low, high)

    def _rebase(self, series: Series, positions: AxisPositions) -> Series:
        rebased = self._rebased.get(id(series))
        if rebased is None or rebased.origin is not series:
            rebased = self._rebased[id(series)] = RebasedSeries(series, positions)
        rebased.positions = positions
        rebased.refresh()
        return rebased.series
