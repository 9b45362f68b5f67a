"""What every way to draw a chart has in common: one picture of its content for each window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QSize

from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas import ranges, ticks
from helm_desktop.views.board.canvas.axis import LEFT_PX, Labelled
from helm_desktop.views.board.canvas.picture import Band, Curve, PictureLayer
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.legend import LegendEntry
from helm_desktop.views.board.content.tooltip import PointerReading


@dataclass(slots=True)
class DrawnView:
    """The parts of a picture of one window, and what they reach."""

    curves: list[Curve] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)
    layers: list[PictureLayer] = field(default_factory=list)
    odd: list[float] = field(default_factory=list)
    non_finite: int = 0
    points: int = 0
    low: float = math.nan
    high: float = math.nan
    label: tuple[float, float, str] | None = None
    unfinished: bool = False  # there is more to compute: draw again soon
    words: str = ""  # what takes the place of a picture
    left_out: str = ""  # "outliers"
    scale: Range | None = None  # what the first and the last colour stand for

    def reach(self, low: float, high: float) -> None:
        """Widen the reach by a curve's."""
        if not low >= self.low:  # nan on either side
            self.low = low if low == low else self.low
        if not high <= self.high:
            self.high = high if high == high else self.high


@dataclass(frozen=True, slots=True)
class PointerReport:
    """What is under the pointer."""

    heading: str
    readings: Sequence[PointerReading] = ()
    notes: Sequence[str] = ()


class Drawing:
    """Draws over the x axis of the content. What differs is overridden."""

    left_px = LEFT_PX
    own_x = False  # x is not the board's: it is neither shared nor followed
    rows = False  # the left axis names rows, which can be buttons
    legend = True  # names its curves above the picture
    cells = False  # the pointer's x depends on which of several pictures it is in

    def __init__(self, content: ChartContent) -> None:
        self.content = content

    def extent(self) -> Range | None:
        """First and last x."""
        return self.content.x.extent()

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        """Return the picture of a window; x and y are exponents of ten where an axis is logarithmic."""
        raise NotImplementedError

    def fit(self, view: DrawnView, held: Range | None, height: float) -> Range:
        """Return the y range for a view."""
        if self.content.spec.log_y:
            return ranges.fit_log(view.low, view.high, held)
        zero = self.content.curves.from_zero()
        return ranges.fit_y(view.low, view.high, held, most=ticks.most_y(height), zero=zero)

    def x_ticks(self, low: float, high: float, length: float) -> Labelled:
        """Ticks of the lower axis."""
        return [] if self.content.empty else ticks.x_ticks(self.content.spec, low, high, length)

    def y_ticks(self, low: float, high: float, length: float) -> Labelled:
        """Ticks of the left axis."""
        spec = self.content.spec
        unit = "%" if self.content.curves.percent() else ""
        return [] if self.content.empty else ticks.y_ticks(low, high, length, log=spec.log_y, unit=unit)

    def grid(self, low: float, high: float, length: float) -> list[float]:
        """Return where lines lie behind the curves."""
        return [value for value, _ in self.y_ticks(low, high, length)]

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        """Return what is under the pointer; x in the content's own numbers, y in the axis's."""
        at, readings = self.content.readings.at(x, theme)
        return PointerReport(self.content.x.heading(at), readings)

    def measure(self) -> None:
        """Find out how much room it needs, before it is asked."""

    def entries(self, theme: Theme) -> list[LegendEntry]:
        """Return what the legend names."""
        return self.content.legend.all(theme) if self.legend else []

    def summary(self) -> str:
        """Return what the header says."""
        return self.content.curves.summary()

    def row_at(self, y: float) -> str:
        """Return the value of the row at a height of the left axis; nothing where there is none."""
        return ""

    def row_place(self, value: str) -> float | None:
        """Return where a row's label stands on the left axis."""
        return None

    def pointer_report_at(self, px: float, py: float) -> PointerReport:
        """Return what is under a place of the picture in pixels, where there are cells."""
        return PointerReport("")
