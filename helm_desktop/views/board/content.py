"""What a chart shows: its curves with names and colours, marks and plan. Drawings make pictures of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm_desktop.format import figure, number, step
from helm_desktop.model.active_time import ActiveTime
from helm_desktop.model.chart_source import ChartSource, Shown
from helm_desktop.model.chart_spec import ACTIVE, RELATIVE, STEP, WALL, ChartSpec, Draw
from helm_desktop.model.histograms import Histograms
from helm_desktop.model.marks import Mark
from helm_desktop.model.series import Near, Series
from helm_desktop.model.time_ticks import clock_text
from helm_desktop.theme import Theme
from helm_desktop.views.board import curve_words
from helm_desktop.views.board.bundle import FROM_CURVES
from helm_desktop.views.board.legend import Entry
from helm_desktop.views.board.mark_places import MarkPlaces
from helm_desktop.views.board.picture import Numbers
from helm_desktop.views.board.tip import Reading


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned for a curve: linear between its knots."""

    x: Numbers
    y: Numbers
    label: str
    axis: str = STEP  # what x counts


@dataclass(frozen=True, slots=True)
class Strand:
    """One curve: what a process logged of a series, its name where it must be told from the others."""

    shown: Shown
    process: str
    name: str
    key: str


class Content:
    """Follows a spec. What is hidden or alone for a while belongs to the view and not to the spec."""

    def __init__(self) -> None:
        self.spec = ChartSpec()
        self.source = ChartSource(self.spec, {})
        self.marks: Sequence[Mark] = ()
        self.places = MarkPlaces(self)
        self.plan: Plan | None = None
        self.histograms: Sequence[Histograms] = ()  # what the run logged as such under its names
        self.hidden: set[str] = set()
        self.solo = ""
        self.lit = ""
        self._known: Mapping[str, Series] = {}
        self._clock: ActiveTime | None = None
        self._fixed: list[Series] | None = None
        self._strands_key: object = None
        self._strands: list[Strand] = []
        self._summary: tuple[object, str] = None, ""
        self._legend_key: object = None
        self._legend: list[Entry] = []

    # What there is -----------------------------------------------------------------------------

    def set_spec(
        self, spec: ChartSpec, known: Mapping[str, Series] | None = None, clock: ActiveTime | None = None
    ) -> None:
        """Shows this; `known` are the run's series, with which the source starts anew."""
        if known is not None:
            self._known, self._clock, self._fixed = known, clock, None
        final, before = self.source.final, self.spec
        self.spec = spec
        same = (before.series, before.derived, before.left_out, before.ranks, before.x) == (
            spec.series,
            spec.derived,
            spec.left_out,
            spec.ranks,
            spec.x,
        )
        if same and known is None:
            self.source.spec = spec
            return
        self._renew_source(final)

    def set_fixed(self, series: Sequence[Series]) -> None:
        """Shows these series whatever they are called."""
        self._fixed = list(series)
        self._renew_source(self.source.final)

    def _renew_source(self, final: bool) -> None:
        self.source = ChartSource(self.spec, self._known, self._clock, self._fixed)
        self.source.final = final

    def renew(self) -> None:
        """Brings everything computed up to date."""
        self.source.renew()

    @property
    def series(self) -> list[Series]:
        """What it draws."""
        return [one.origin for one in self.source.renew()]

    def other(self, name: str) -> Series | None:
        """A series of the run, in the chart or not."""
        return self._known.get(name) or next((one for one in self._fixed or () if one.name == name), None)

    def axes(self) -> list[str]:
        """The axes that the run logged."""
        return [name for name, one in self._known.items() if one.kind == "axis"]

    @property
    def axis(self) -> str:
        """The x axis over which series are asked for windows."""
        return "wall" if self.source.column == RELATIVE else self.source.column

    @property
    def on_steps(self) -> bool:
        """Whether x is the step."""
        return self.spec.x == STEP

    @property
    def ahead(self) -> Plan | None:
        """What is planned, where it has a place on the x axis."""
        return self.plan if self.plan is not None and self.plan.axis == self.spec.x else None

    def origin(self) -> float:
        """What is taken off the times: relative time counts from the first point of the chart."""
        if self.spec.x != RELATIVE:
            return 0.0
        firsts = [ends[0] for one in self.source.shown if (ends := one.series.extent("wall"))]
        firsts = firsts or [one.times[0] for one in self.histograms if len(one)]
        return min(firsts, default=0.0)

    @property
    def point_count(self) -> int:
        """Every point of every series."""
        values = sum(one.origin.count for one in self.source.renew())
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
        return "histogram" if lines and self.histograms and not self.source.renew() else self.spec.draw

    @property
    def logged_over_time(self) -> bool | None:
        """Whether logged histograms stand on times now, or on steps; None where they have no place."""
        return {STEP: False, RELATIVE: True, WALL: True}.get(self.spec.x)

    def logged_extent(self) -> tuple[float, float] | None:
        """First and last x of the logged histograms."""
        over_time = self.logged_over_time
        xs = [one.times if over_time else one.steps for one in self.histograms if len(one)]
        if not xs or over_time is None:
            return None
        origin = self.origin()
        return float(min(one[0] for one in xs) - origin), float(max(one[-1] for one in xs) - origin)

    def extent(self) -> tuple[float, float] | None:
        """First and last x of all points."""
        origin = self.origin()
        ends = [end for one in self.source.shown if (end := one.series.extent(self.axis)) is not None]
        if not ends:
            return None
        return min(first for first, _ in ends) - origin, max(last for _, last in ends) - origin

    def from_zero(self) -> bool:
        """Rates and shares are read against zero; other values against each other."""
        return bool(self.source.shown) and all(
            self.unit(one.origin) == "%"
            or one.origin.unit.endswith("/s")
            or one.origin.name.endswith("_per_s")
            for one in self.source.shown
        )

    # Curves ------------------------------------------------------------------------------------

    def strands(self) -> list[Strand]:
        """Every curve, hidden or not."""
        shown = self.source.shown
        key = [(id(one.series), len(one.series.segments)) for one in shown]
        if key != self._strands_key:
            self._strands_key, self._strands = key, self._name_strands()
        return self._strands

    def _name_strands(self) -> list[Strand]:
        shown = self.source.shown
        names = curve_words.names_of(self.spec, shown)
        made = []
        for one, name in zip(shown, names, strict=True):
            processes = one.series.processes()
            several = len(processes) > 1
            for process in processes:
                first = name if len(shown) > 1 or not several else ""
                text = " ".join(part for part in (first, process if several else "") if part)
                made.append(Strand(one, process, text, f"{one.label}\n{process}"))
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

    def legend(self, theme: Theme) -> list[Entry]:
        """Names and colours of the curves."""
        strands = self.strands()
        key = (id(strands), theme.name, self.solo, tuple(self.hidden))
        if key != self._legend_key:
            self._legend_key = key
            self._legend = [
                Entry(strand.key, strand.name, self.colour(theme, at), self.is_off(strand.key))
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
        return curve_words.counted(
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

    def hidden_points(self) -> int:
        """How many finite points logarithmic axes cannot show."""
        count = sum(one.series.non_positive for one in self.source.shown) if self.spec.log_y else 0
        if self.spec.log_x:
            origin = self.origin()
            for one in self.source.shown:
                for segment in one.series.segments.values():
                    track = segment.track(self.axis)
                    count += track.axis(self.axis).search(origin, "right") if len(track) else 0
        return count

    def notice(self, non_finite: int) -> str:
        """What the picture leaves out, in words."""
        hidden, unplaced = self.hidden_points(), self.source.unplaced
        parts = [f"{non_finite:,} not finite"] if non_finite else []
        parts += [f"{hidden:,} hidden"] if hidden else []
        parts += [f"{unplaced:,} without {self.spec.x}"] if unplaced else []
        return ", ".join(parts)

    def readings(self, x: float, theme: Theme) -> tuple[float, list[Reading]]:
        """The values nearest to x, and the x that they stand at."""
        made: list[Reading] = []
        at, away, origin = x, math.inf, self.origin()
        strands = self.strands()
        nearest: dict[int, dict[str, Near]] = {}
        weight = self.spec.smoothing if self.draw == "lines" else 0.0
        for number_, strand in enumerate(strands):
            if self.is_off(strand.key):
                continue
            series = strand.shown.series
            if id(series) not in nearest:
                found = series.near(x, self.axis, origin, weight)
                nearest[id(series)] = {near.process: near for near in found}
            point = nearest[id(series)].get(strand.process)
            if point is None:
                continue
            name = strand.name if len(strands) > 1 else strand.shown.label
            drawn = point.average if math.isfinite(point.average) else point.value
            text = self.figure(strand.shown.origin, drawn)
            raw = f" · raw {number(point.value)}" if drawn is point.average else ""
            made.append(Reading(name, drawn, text, self.colour(theme, number_), strand.key, raw))
            if abs(point.x - x) < away:
                away, at = abs(point.x - x), point.x
        return at, made

    def heading(self, x: float) -> str:
        """Where the crosshair stands, in words."""
        if self.spec.x == STEP:
            return f"step {step(round(x))}"
        if self.spec.x == WALL:
            return clock_text(x)
        if self.spec.x in (RELATIVE, ACTIVE):
            return f"{x:,.1f} s" + (" active" if self.spec.x == ACTIVE else "")
        return f"{self.spec.x} {number(x)}"

    def note_on(self, step: int) -> bool:
        """Whether a note of the reader's stands on a step."""
        return any(mark.step == step and mark.own for mark in self.marks)

    def marks_near(self, x: float, reach: float) -> list[Mark]:
        """Marks within reach of an x."""
        if not self.spec.marks:
            return []
        return [mark for place, mark in self.places.all() if abs(place - x) <= reach]
