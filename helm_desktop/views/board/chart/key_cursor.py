"""The place in a chart that keys lead about: what the pointer is to the mouse."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtGui import QKeyEvent

from helm_desktop.actions import places
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.widgets import handle_key

_FAR_PX = 20.0
_SMALL, _LARGE = 0.02, 0.2  # of the picture, where there is no next point to go to
_HEIGHTS = 20


class ChartKeyCursor:
    """Belongs to one chart, which takes it as if the mouse were there. Its numbers are those of the axes."""

    def __init__(self, parts: ChartParts) -> None:
        self._parts = parts
        self._at: tuple[float, float] | None = None
        parts.plot.hovered.connect(self._follow)

    def _follow(self, x: float | None, y: float) -> None:
        self._at = (x, y) if x is not None else None

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was one of the crosshair's."""
        read = bool(self._parts.renderer.drawing.rows) or self._at is not None
        handlers = {
            "point_before": partial(self._across, -1.0),
            "point_after": partial(self._across, 1.0),
            "far_before": partial(self._across, -_FAR_PX),
            "far_after": partial(self._across, _FAR_PX),
            "cursor_up": partial(self._up, 1) if read else None,
            "cursor_down": partial(self._up, -1) if read else None,
        }
        return handle_key(event, places.CHART_CURSOR, handlers)

    def _go(self, x: float, y: float) -> None:
        self._parts.plot.hovered.emit(x, y)
        if self._parts.renderer.drawing.rows:
            self._parts.plot.left_hovered.emit(y)

    def _up(self, by: int) -> None:
        """To the next row, or a part of the height."""
        low, high = self._parts.ranges.y.shown
        lit = self._parts.plot.left.hover
        x = self._at[0] if self._at is not None else self._last()
        y = self._at[1] if self._at is not None else lit
        if y is None:
            y = self._height()
        elif self._parts.renderer.drawing.rows:
            y = min(max(y + by, low + 0.5), high - 0.5)
        else:
            y = min(max(y + by * (high - low) / _HEIGHTS, low), high)
        if x is not None:
            self._go(x, y)

    def _height(self) -> float:
        """Return where it begins: at the first row, or half way up."""
        low, high = self._parts.ranges.y.shown
        return high - 0.5 if self._parts.renderer.drawing.rows else (low + high) / 2

    def _across(self, away_px: float) -> None:
        """To the next logged point that is so many pixels away or more; below 0 back."""
        parts = self._parts
        low, high = parts.ranges.x.to_axis(parts.ranges.x.shown)
        x, y = self._at if self._at is not None else (None, self._height())
        if x is None:
            found = self._last()
        elif self._alone:
            share = math.copysign(_SMALL if abs(away_px) == 1 else _LARGE, away_px)
            found = min(max(x + (high - low) * share, low), high)
        else:
            aim = x + (high - low) * away_px / max(1.0, parts.plot.canvas.inner().width())
            here = parts.ranges.x.from_axis((aim, aim))[0]
            found = self._on_axis(point_beside(parts.content, here, away_px > 0))
        if found is not None and low <= found <= high:
            self._go(found, y)

    @property
    def _alone(self) -> bool:
        """Whether its x is not the one that the points were logged at."""
        return self._parts.renderer.drawing.own_x or self._parts.renderer.drawing.cells

    def _last(self) -> float | None:
        """Return where it begins: at the last point in sight, or in the middle."""
        parts = self._parts
        if self._alone:
            low, high = parts.ranges.x.to_axis(parts.ranges.x.shown)
            return (low + high) / 2
        ends = parts.content.x.extent()
        return self._on_axis(min(ends[1], parts.ranges.x.shown[1])) if ends is not None else None

    def _on_axis(self, x: float | None) -> float | None:
        return self._parts.ranges.x.to_axis((x, x))[0] if x is not None else None


def point_beside(content: ChartContent, x: float, onwards: bool) -> float | None:
    """Return the x of the first logged point at x or after it; backwards the last one at it or before."""
    found: list[float] = []
    origin = content.x.origin()
    for one in content.source.shown:
        for segment in one.series.segments.values():
            column = segment.pyramid(content.x.column).axis(content.x.column)
            at = column.search(x + origin) if onwards else column.search(x + origin, "right") - 1
            if 0 <= at < len(column):
                found.append(float(column.at(at)) - origin)
    return (min if onwards else max)(found, default=None)
