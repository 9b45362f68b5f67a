"""Which ticks the axes of a chart have."""

from __future__ import annotations

from helm_desktop.views.board import ranges
from helm_desktop.views.board.axis import Labelled
from helm_desktop.views.board.content import Content

_X_PX = 50  # room of a label
_Y_PX = 40


class Ticks:
    """Knows the content and not the chart: a ring of owners would be collected in any order."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._grid_key: object = None
        self._grid: list[float] = []

    @staticmethod
    def most_y(height: float) -> int:
        """How many steps of y have room."""
        return max(2, min(4, int(height // _Y_PX)))

    def x(self, low: float, high: float, length: float) -> Labelled:
        """Ticks of the lower axis."""
        if self._content.empty:
            return []
        step = ranges.nice_step(high - low, max(2, int(length // _X_PX)), whole=self._content.axis == "step")
        values = ranges.ticks(low, high, step)
        return list(zip(values, ranges.labels(values), strict=True))

    def y(self, low: float, high: float, length: float) -> Labelled:
        """Ticks of the left axis."""
        if self._content.empty:
            return []
        log = self._content.log
        most = self.most_y(length)
        values = (
            ranges.log_ticks(low, high, most)
            if log
            else ranges.ticks(low, high, ranges.y_step(low, high, most))
        )
        return list(zip(values, ranges.labels(values, log=log), strict=True))

    def grid(self, low: float, high: float, length: float) -> list[float]:
        """Where the lines behind the curves are; they are seldom anew."""
        key = (low, high, length, self._content.log, self._content.empty)
        if key != self._grid_key:
            self._grid_key = key
            self._grid = [value for value, _ in self.y(low, high, length)]
        return self._grid
