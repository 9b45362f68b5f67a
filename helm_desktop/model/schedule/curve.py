"""What drafts of schedules are made of: keyframes, curves, and how much a pixel is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_GRID_PX = 14  # steps of a round grid are at least so far apart


@dataclass(frozen=True, order=True)
class Keyframe:
    """At this step, this value; both as they were typed."""

    at: Decimal
    value: Decimal


@dataclass(frozen=True)
class PlannedCurve:
    """What is planned: linear between its points. Empty where nothing is."""

    steps: Values
    values: Values

    @classmethod
    def of(cls, steps: Sequence[float] | Values, values: Sequence[float] | Values) -> PlannedCurve:
        """From two columns."""
        return cls(np.asarray(steps, np.float64), np.asarray(values, np.float64))

    def at(self, step: float) -> float:
        """Return the value at a step; the nearest end's outside."""
        return float(np.interp(step, self.steps, self.values)) if len(self.steps) else math.nan

    def times(self, factor: float) -> PlannedCurve:
        """Return the same with every value scaled."""
        return PlannedCurve(self.steps, self.values * factor)


@dataclass(frozen=True)
class PixelScale:
    """How much a pixel is where the pointer stands, so that snapping feels the same at every zoom."""

    step: float  # steps a pixel
    value: float  # values a pixel

    @property
    def grid(self) -> int:
        """Round steps to snap to: 1, 2, 5, 10, 20…, some pixels apart."""
        wanted = max(1.0, self.step * _GRID_PX)
        power = 10.0 ** math.floor(math.log10(wanted))
        return round(next(power * part for part in (1, 2, 5, 10) if power * part >= wanted * 0.999))
