"""What keys do on a chart: pan, zoom, follow, lead the crosshair, press a row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QKeyEvent

from helm_desktop.actions import places
from helm_desktop.views.board.chart.key_cursor import ChartKeyCursor
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.chart.row_buttons import RowButtons
from helm_desktop.widgets import handle_key


class ChartKeys:
    """The keys of the window that is shown, of the crosshair and of the rows."""

    def __init__(self, parts: ChartParts, rows: RowButtons) -> None:
        self._ranges = parts.ranges
        self._rows = rows
        self._cursor = ChartKeyCursor(parts)

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was one of these."""
        moves: dict[str, Callable[[], object]] = {
            "pan_back": partial(self._move, -1 / 10, -1 / 10),
            "pan_on": partial(self._move, 1 / 10, 1 / 10),
            "zoom_in": partial(self._move, 1 / 8, -1 / 8),
            "zoom_out": partial(self._move, -1 / 6, 1 / 6),
            "follow": self._ranges.follow,
        }
        open_row = self._rows.press if self._rows.highlighted else None
        return (
            self._cursor.handle(event)
            or handle_key(event, places.CHART_RANGE, moves)
            or handle_key(event, places.CHART_ROW, {"open_row": open_row})
        )

    def _move(self, low_by: float, high_by: float) -> None:
        """Move the ends of the range on x, each by a part of the range."""
        axis = self._ranges.x
        low, high = axis.to_axis(axis.shown)
        span = high - low
        self._ranges.zoom(*axis.from_axis((low + low_by * span, high + high_by * span)))
