"""What keys do on a chart: pan, zoom, follow, lead the crosshair, press a row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from helm_desktop.views.board.chart.key_cursor import ChartKeyCursor
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.chart.row_buttons import RowButtons


class ChartKeys:
    """← → pan, + and − zoom, Home follows, Return presses a row."""

    def __init__(self, parts: ChartParts, rows: RowButtons) -> None:
        self._ranges = parts.ranges
        self._rows = rows
        self._cursor = ChartKeyCursor(parts)

    def handle(self, event: QKeyEvent) -> bool:
        """Take a key; whether it was one of these."""
        key, axis = Qt.Key(event.key()), self._ranges.x
        low, high = axis.to_axis(axis.shown)
        span = high - low
        moves = {
            Qt.Key.Key_Left: (low - span / 10, high - span / 10),
            Qt.Key.Key_Right: (low + span / 10, high + span / 10),
            Qt.Key.Key_Plus: (low + span / 8, high - span / 8),
            Qt.Key.Key_Equal: (low + span / 8, high - span / 8),
            Qt.Key.Key_Minus: (low - span / 6, high + span / 6),
        }
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        if self._cursor.handle(event):
            return True
        if key in moves:
            self._ranges.zoom(*axis.from_axis(moves[key]))
        elif key == Qt.Key.Key_Home:
            self._ranges.follow()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self._rows.press()
        else:
            return False
        return True
