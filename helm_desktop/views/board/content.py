"""What a chart shows, as curves in the numbers of its axes: no widget knows about series but through this."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from helm_desktop.format import number, plural, step
from helm_desktop.model.marks import Mark
from helm_desktop.model.series import Series
from helm_desktop.theme import Theme
from helm_desktop.views.board.bundle import FROM_CURVES, Bundle
from helm_desktop.views.board.canvas import Curve, Numbers
from helm_desktop.views.board.legend import short_names
from helm_desktop.views.board.tip import Reading


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned for a curve: linear between its knots."""

    x: Numbers
    y: Numbers
    label: str


@dataclass(slots=True)
class View:
    """The curves of one window, and what they reach."""

    curves: list[Curve] = field(default_factory=list)
    odd: list[float] = field(default_factory=list)
    non_finite: int = 0
    points: int = 0
    low: float = math.nan
    high: float = math.nan
    label: tuple[float, float, str] | None = None

    def reach(self, low: float, high: float) -> None:
        """Widens the reach by a curve's."""
        if not low >= self.low:  # nan on either side
            self.low = low if low == low else self.low
        if not high <= self.high:
            self.high = high if high == high else self.high


class Content:
    """Series with their colours, marks and plan, on one x axis, linear or logarithmic."""

    def __init__(self) -> None:
        self.series: list[Series] = []
        self.marks: list[Mark] = []
        self.plan: Plan | None = None
        self.axis = "step"
        self.log = False
        self._lines_key: object = None
        self._lines: list[tuple[Series, str, str]] = []
        self._legend_key: object = None
        self._legend: list[tuple[str, str]] = []
        self._bundle = Bundle()

    @property
    def point_count(self) -> int:
        """Every point of every series."""
        return sum(series.count for series in self.series)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw: no points and no plan."""
        return not self.point_count and self.plan is None

    def from_zero(self) -> bool:
        """Rates and shares are read against zero; other values against each other."""
        return bool(self.series) and all(
            s.unit == "%" or s.unit.endswith("/s") or s.name.endswith("_per_s") for s in self.series
        )

    def lines(self) -> list[tuple[Series, str, str]]:
        """Each curve: its series, its process, its name where it must be told from the others."""
        key = [(id(series), len(series.segments)) for series in self.series]
        if key != self._lines_key:
            self._lines_key, self._lines = key, self._name_lines()
        return self._lines

    def _name_lines(self) -> list[tuple[Series, str, str]]:
        each = [(series, process) for series in self.series for process in series.processes()]
        names = short_names([series.name for series in self.series])
        by_series = {id(series): name for series, name in zip(self.series, names, strict=True)}
        made = []
        for series, process in each:
            several = len(series.processes()) > 1
            name = by_series[id(series)] if len(self.series) > 1 or not several else ""
            made.append(
                (series, process, " ".join(part for part in (name, process if several else "") if part))
            )
        return made

    def legend(self, theme: Theme) -> list[tuple[str, str]]:
        """Names and colours of the curves."""
        lines = self.lines()
        key = (self._lines_key, theme.name)
        if key != self._legend_key:
            self._legend_key = key
            self._legend = [(name, self._colour(theme, at)) for at, (_, _, name) in enumerate(lines)]
        return self._legend

    def _colour(self, theme: Theme, at: int) -> str:
        """A curve's colour; where there are very many each has one of the first few."""
        many = len(self.series) >= FROM_CURVES
        return theme.curves[at % len(theme.curves)] if many else theme.curve(at)

    def _bundled(self, theme: Theme) -> Bundle | None:
        if not Bundle.serves(self.series, self.axis):
            return None
        self._bundle.renew(self.series, theme, log=self.log)
        return self._bundle

    def extent(self) -> tuple[float, float] | None:
        """First and last x of all points."""
        if Bundle.serves(self.series, self.axis) and self._bundle.points == self.point_count:
            return self._bundle.extent
        ends = [end for series in self.series if (end := series.extent(self.axis)) is not None]
        return (min(first for first, _ in ends), max(last for _, last in ends)) if ends else None

    def view(self, x0: float, x1: float, pixels: int, theme: Theme) -> View:
        """The curves of a window; faint ones first, so that they lie below."""
        view = View()
        bundle = self._bundled(theme)
        if bundle is not None and bundle.fits(x0, x1):
            low, high = bundle.reach(x0, x1)
            view.curves, view.non_finite, view.points = list(bundle.curves), bundle.non_finite, bundle.points
            view.reach(*((10.0**low, 10.0**high) if self.log else (low, high)))
        else:
            self._each(view, x0, x1, pixels, theme)
        if self.plan is not None and self.axis == "step":
            self._planned(view, x0, x1, theme)
        return view

    def _each(self, view: View, x0: float, x1: float, pixels: int, theme: Theme) -> None:
        strong: list[Curve] = []
        colours = iter(self.legend(theme))
        for series in self.series:
            drawn = series.window(x0, x1, pixels, self.axis)
            own = {process: next(colours)[1] for process in series.processes()}
            for line in drawn.lines:
                curve = self._curve(line.x, line.y, own[line.process], faint=line.faint)
                (view.curves if line.faint else strong).append(curve)
            view.odd += drawn.odd_x.tolist()
            view.non_finite += drawn.non_finite
            view.points += drawn.points
            hidden = self.log and not drawn.low > 0
            view.reach(*(self._positive(drawn.y) if hidden else (drawn.low, drawn.high)))
        view.curves += strong
        view.odd.sort()

    @staticmethod
    def _positive(y: Numbers) -> tuple[float, float]:
        above = y[y > 0]
        return (float(above.min()), float(above.max())) if len(above) else (math.nan, math.nan)

    def _curve(
        self, x: Numbers, y: Numbers, colour: str, *, faint: bool = False, dashed: bool = False
    ) -> Curve:
        if self.log:
            kept = y > 0
            x, y = x[kept], np.log10(y[kept])
        return Curve(x, y, colour, faint, dashed)

    def _planned(self, view: View, x0: float, x1: float, theme: Theme) -> None:
        plan = self.plan
        ends = self.extent()
        if plan is None or not len(plan.x):
            return
        now = ends[1] if ends is not None else float(plan.x[0])
        after = plan.x > now
        if not after.any():
            return
        x = np.concatenate(([max(now, float(plan.x[0]))], plan.x[after]))
        y = np.concatenate(([np.interp(x[0], plan.x, plan.y)], plan.y[after]))
        view.curves.append(self._curve(x, y, theme.curve(0), dashed=True))
        low, high = max(x0, float(x[0])), min(x1, float(x[-1]))
        if low < high:
            ends_y = np.interp([low, high], x, y)
            seen = np.concatenate((ends_y, y[(x >= low) & (x <= high)]))
            view.reach(*self._positive(seen) if self.log else (float(seen.min()), float(seen.max())))
            middle = low + 0.75 * (high - low)
            height = float(np.interp(middle, x, y))
            if not self.log or height > 0:
                view.label = (middle, math.log10(height) if self.log else height, plan.label)

    def hidden(self) -> int:
        """How many finite points a logarithmic axis cannot show."""
        return sum(series.non_positive for series in self.series) if self.log else 0

    def notice(self, view: View) -> str:
        """What the picture leaves out, in words."""
        parts = [f"{view.non_finite:,} not finite"] if view.non_finite else []
        hidden = self.hidden()
        return ", ".join([*parts, f"{hidden:,} hidden"] if hidden else parts)

    def summary(self) -> str:
        """The latest value, or how many sources there are."""
        if len(self.lines()) > 1:
            return plural(len(self.lines()), "source")
        value = self.series[0].last_value if self.series else None
        return "" if value is None else self.figure(self.series[0], value)

    @staticmethod
    def figure(series: Series, value: float) -> str:
        """A value with its unit."""
        return f"{number(value)} {series.unit}".strip()

    def readings(self, x: float, theme: Theme) -> tuple[float, list[Reading]]:
        """The values nearest to x, and the x that they stand at."""
        made: list[Reading] = []
        at, away = x, math.inf
        legend = iter(self.legend(theme))
        alone = len(self.lines()) == 1
        for series in self.series:
            for _, near, value in series.near(x, self.axis):
                name, colour = next(legend)
                name = series.name if alone else name
                made.append(Reading(name, value, self.figure(series, value), colour))
                if abs(near - x) < away:
                    away, at = abs(near - x), near
        return at, made

    def heading(self, x: float) -> str:
        """Where the crosshair stands, in words."""
        if self.axis == "step":
            return f"step {step(round(x))}"
        return f"{x:,.1f} s"

    def marks_near(self, x: float, reach: float) -> Sequence[Mark]:
        """Marks within reach of an x."""
        return [mark for mark in self.marks if abs(mark.step - x) <= reach] if self.axis == "step" else []
