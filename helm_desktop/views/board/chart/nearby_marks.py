"""Which marks of a chart the pointer is close enough to."""

from __future__ import annotations

import math

from helm_desktop.model.chart.marks import Mark
from helm_desktop.views.board.canvas.marks import REACH_PX
from helm_desktop.views.board.chart.parts import ChartParts


class NearbyMarks:
    """Measure the distance in pixels of the window that is drawn."""

    def __init__(self, parts: ChartParts) -> None:
        self._parts = parts

    def at(self, x: float) -> list[Mark]:
        """Return the marks within reach of an x."""
        return self._parts.content.mark_positions.near(x, self._reach(x))

    def _reach(self, x: float) -> float:
        parts = self._parts
        low, high = parts.ranges.x.shown
        wide = max(1.0, parts.plot.canvas.inner().width())
        if parts.content.spec.log_x:
            return x * (10 ** (REACH_PX * math.log10(high / low) / wide) - 1)
        return (high - low) * REACH_PX / wide
