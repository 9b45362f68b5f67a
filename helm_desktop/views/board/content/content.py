"""What a chart shows: its curves with names and colours, marks and plan. Drawings make pictures of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm_desktop.format import number, step
from helm_desktop.model.chart.chart_source import ChartSource
from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL, ChartSpec, Draw
from helm_desktop.model.media.histograms import Histograms
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import NearestPoint, Series
from helm_desktop.model.series.time_ticks import clock_text
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.picture import Numbers
from helm_desktop.views.board.content.curves import ChartCurves
from helm_desktop.views.board.content.mark_positions import MarkPositions
from helm_desktop.views.board.content.tooltip import PointerReading


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """What is planned for a curve: linear between its knots."""

    x: Numbers
    y: Numbers
    label: str
    axis: str = STEP  # what x counts


class ChartContent(ChartCurves):
    """Follows a spec."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: Sequence[Mark] = ()
        self.places = MarkPositions(self)
        self.plan: ShownPlan | None = None
        self.histograms: Sequence[Histograms] = ()  # what the run logged as such under its names
        self._known: Mapping[str, Series] = {}
        self._clock: ActiveTime | None = None
        self._fixed: list[Series] | None = None

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
        self.source.refresh()

    @property
    def series(self) -> list[Series]:
        """What it draws."""
        return [one.origin for one in self.source.refresh()]

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
    def ahead(self) -> ShownPlan | None:
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

    # Words -------------------------------------------------------------------------------------

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

    def readings(self, x: float, theme: Theme) -> tuple[float, list[PointerReading]]:
        """The values nearest to x, and the x that they stand at."""
        made: list[PointerReading] = []
        at, away, origin = x, math.inf, self.origin()
        strands = self.strands()
        nearest: dict[int, dict[str, NearestPoint]] = {}
        weight = self.spec.smoothing if self.draw == "lines" else 0.0
        for number_, strand in enumerate(strands):
            if self.is_off(strand.key):
                continue
            series = strand.shown.series
            if id(series) not in nearest:
                found = series.nearest(x, self.axis, origin, weight)
                nearest[id(series)] = {near.process: near for near in found}
            point = nearest[id(series)].get(strand.process)
            if point is None:
                continue
            name = strand.name if len(strands) > 1 else strand.shown.label
            drawn = point.average if math.isfinite(point.average) else point.value
            text = self.figure(strand.shown.origin, drawn)
            raw = f" · raw {number(point.value)}" if drawn is point.average else ""
            made.append(PointerReading(name, drawn, text, self.colour(theme, number_), strand.key, raw))
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
