"""Where histograms that a run logged stand on the x axis of a chart."""

from __future__ import annotations

from helm_desktop.model.chart.spec import RELATIVE, STEP, WALL
from helm_desktop.views.board.content.shown_data import ShownData
from helm_desktop.views.board.content.x_axis import XAxis


class LoggedHistograms:
    """Follow the histograms that a chart was given."""

    def __init__(self, data: ShownData, x: XAxis) -> None:
        self._data = data
        self._x = x

    @property
    def over_time(self) -> bool | None:
        """Whether they stand on times, or on steps; None where they have no place."""
        return {STEP: False, RELATIVE: True, WALL: True}.get(self._data.spec.x)

    def extent(self) -> tuple[float, float] | None:
        """First and last x of them."""
        over_time = self.over_time
        xs = [one.times if over_time else one.steps for one in self._data.histograms if len(one)]
        if not xs or over_time is None:
            return None
        origin = self._x.origin()
        return float(min(one[0] for one in xs) - origin), float(max(one[-1] for one in xs) - origin)
