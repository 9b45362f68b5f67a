"""The parts of a draft of a schedule: keyframes, planned curves, and the size of a pixel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_GRID_PX = 14  # the least distance of two round steps to snap to


@dataclass(frozen=True, order=True)
class Keyframe:
    """A step (or another position) and the value there, both exactly as they were typed."""

    at: Decimal
    value: Decimal


@dataclass(frozen=True)
class PlannedCurve:
    """Planned values, linear between the points. Empty when nothing is planned."""

    steps: Values
    values: Values

    @classmethod
    def of(cls, steps: Sequence[float] | Values, values: Sequence[float] | Values) -> PlannedCurve:
        """Return the curve of two columns."""
        return cls(np.asarray(steps, np.float64), np.asarray(values, np.float64))

    def at(self, step: float) -> float:
        """Return the value at a step, outside of the curve that of the nearest end; nan without points."""
        return float(np.interp(step, self.steps, self.values)) if len(self.steps) else math.nan

    def times(self, factor: float) -> PlannedCurve:
        """Return a copy with all values multiplied by a factor."""
        return PlannedCurve(self.steps, self.values * factor)


@dataclass(frozen=True)
class PixelScale:
    """The size of a pixel at the pointer, so that snapping works alike at every zoom."""

    step: float  # steps per pixel
    value: float  # the value per pixel

    @property
    def grid(self) -> int:
        """The distance of the round steps to snap to: 1, 2, 5, 10, 20…, some pixels apart."""
        least = max(1.0, self.step * _GRID_PX)
        power = 10.0 ** math.floor(math.log10(least))
        return round(next(power * part for part in (1, 2, 5, 10) if power * part >= least * 0.999))
