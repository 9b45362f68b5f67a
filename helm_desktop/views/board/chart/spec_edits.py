"""What the reader changes of a chart's spec on the chart itself."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.chart.parts import ChartParts


class SpecEdits(QObject):
    """Show a change at once, and tell the board."""

    spec_changed = Signal(object)  # the ChartSpec that the reader made of it

    def __init__(self, parts: ChartParts) -> None:
        super().__init__(parts.frame)
        self._parts = parts
        parts.plot.y_requested.connect(self._set_y)
        parts.plot.fit_requested.connect(self.fit_y)

    def change(self, **changed: object) -> None:
        """Change parts of the spec."""
        content = self._parts.content
        content.set_spec(content.spec.with_(**changed))
        self._parts.renderer.refresh()
        self.spec_changed.emit(content.spec)

    def fit_y(self) -> None:
        """Fit the y range to the values again."""
        self.change(y_range=None)

    def _set_y(self, a: float, b: float) -> None:
        """Show this stretch of y, given in the numbers of the axis."""
        log = self._parts.content.spec.log_y
        low, high = (10.0 ** max(-300.0, min(300.0, end)) for end in (a, b)) if log else (a, b)
        if not self._parts.renderer.drawing.rows and math.isfinite(high - low) and low < high:
            self.change(y_range=(low, high))
