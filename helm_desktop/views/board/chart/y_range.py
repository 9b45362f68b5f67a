"""Which stretch of y a chart shows: fitted to the values, or set by hand."""

from __future__ import annotations

import math

from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.chart.x_range import DECADES
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView


class YRange:
    """In the numbers of the axis: exponents where it is logarithmic."""

    def __init__(self, content: ChartContent) -> None:
        self._content = content
        self.shown: Range = (0.0, 1.0)  # as drawn last
        self.held: Range | None = None  # while a hand drags
        self.drafted: Range | None = None  # values that a draft reaches: they are to be in sight
        self._fitted: Range | None = None

    def forget(self) -> None:
        """Fit the range anew, whatever it was."""
        self._fitted = None

    def choose(self, drawing: Drawing, view: DrawnView, height: float) -> Range:
        """Return the range for a view: held, by hand, or fitted; a draft is in sight either way."""
        spec = self._content.spec
        if self.held is not None:
            return self.held
        if self.drafted is not None:
            view.reach(*self.drafted)
        if spec.y_range is not None and not drawing.rows:
            low, high = spec.y_range
            if self.drafted is not None:
                low, high = min(low, self.drafted[0]), max(high, self.drafted[1])
            if not spec.log_y:
                return low, high
            if high > 0:
                top = math.log10(high)
                return (math.log10(low) if low > 0 else top - DECADES), top
        self._fitted = drawing.fit(view, self._fitted, height)
        return self._fitted
