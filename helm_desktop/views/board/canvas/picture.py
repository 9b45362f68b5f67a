"""What a canvas shows, in the numbers of the axes, and the room that it is shown in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from helm_desktop.theme import Theme

Numbers = NDArray[np.float64]
Height = TypeVar("Height", float, Numbers)


@dataclass(slots=True)
class Curve:
    """A polyline in the numbers of the axes."""

    x: Numbers
    y: Numbers
    colour: str
    strength: float = 1.0  # how far it stands out from the card: 1 wholly
    dashed: bool = False
    broken: bool = False  # nan between parts
    dots: bool = False  # few enough points to tell them apart
    lit: bool = False  # under the pointer: stronger than the others


@dataclass(slots=True)
class Band:
    """The room between two polylines."""

    low_x: Numbers
    low_y: Numbers
    high_x: Numbers
    high_y: Numbers
    colour: str
    strength: float = 0.22


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """The room inside the axes in pixels, and which numbers its edges stand for."""

    wide: float
    high: float
    x0: float
    x1: float
    y0: float
    y1: float
    theme: Theme

    @property
    def kx(self) -> float:
        """Pixels a number."""
        return self.wide / (self.x1 - self.x0)

    def x(self, value: float) -> float:
        """Return where an x is."""
        return (value - self.x0) * self.kx

    def y(self, value: Height) -> Height:
        """Return where a y is. In halves: a value may lie as far outside of the range as a float reaches."""
        return (self.y1 / 2 - value / 2) * (self.high / (self.y1 / 2 - self.y0 / 2))


class PictureLayer(Protocol):
    """Something else than a curve: the rows of a heatmap, bars, dots."""

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        """Paint itself; the painter's origin is the upper left of the frame."""


@dataclass(slots=True)
class Picture:
    """All that a canvas shows, in the numbers of the axes."""

    x0: float = 0.0
    x1: float = 1.0
    y0: float = 0.0
    y1: float = 1.0
    grid: Sequence[float] = ()
    curves: Sequence[Curve] = ()
    bands: Sequence[Band] = ()
    layers: Sequence[PictureLayer] = ()
    marks: Sequence[tuple[str, float]] = ()
    odd: Sequence[float] = ()
    notice: str = ""  # "3 not finite"
    now: float | None = None
    label: tuple[float, float, str] | None = None  # beside the planned line
    empty: str = ""
    tame: bool = field(default=False)  # no y is far outside of the range

    def frame(self, wide: float, high: float, theme: Theme) -> PlotFrame:
        """Return the rectangle for it."""
        return PlotFrame(wide, high, self.x0, self.x1, self.y0, self.y1, theme)
