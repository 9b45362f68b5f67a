"""A chart on the board: what it shows, and what the reader does with it by pointer, keys and menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from helm_desktop.views.board.chart.chart_card import EMPTY
from helm_desktop.views.board.chart.menu import ChartMenu
from helm_desktop.views.board.chart.pointer import ChartPointer
from helm_desktop.views.board.chart.shown_chart import ShownChart

__all__ = ["EMPTY", "ChartView"]


class ChartView(ShownChart):
    """Draws when `refresh` is called, and by itself only when it is resized, zoomed or dressed anew."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.pointer = ChartPointer(self)
        self.menu = ChartMenu(self, self.pointer)

    def tip_text(self) -> str:
        """What the tooltip says; empty while there is none."""
        return self.pointer.tip_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.pointer.key(event) or self.menu.key(event)):
            super().keyPressEvent(event)

    def hideEvent(self, event: QEvent) -> None:
        self.pointer.hide_tip()
        super().hideEvent(event)  # type: ignore[arg-type]
