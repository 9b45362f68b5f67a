"""One chart over the whole board."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from helm_desktop.views.board.pages.cell import ChartCell


class FullChart(QWidget):
    """Borrows a cell's chart and gives it back."""

    left = Signal()

    def __init__(self, stack: QStackedWidget) -> None:
        super().__init__()
        self._stack = stack
        self._cell: ChartCell | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 16, 16, 16)
        stack.addWidget(self)

    @property
    def chart_id(self) -> str:
        """The chart that is shown; empty while none is."""
        return self._cell.name if self._cell is not None else ""

    def show_cell(self, cell: ChartCell) -> None:
        """Shows a cell's chart."""
        if cell.chart is None:
            return
        self._cell = cell
        self._column.addWidget(cell.chart)
        cell.chart.show()
        self._stack.setCurrentWidget(self)
        cell.chart.setFocus()

    def leave(self) -> None:
        """Back to the board."""
        cell, self._cell = self._cell, None
        if cell is not None:
            cell.take_back()
            self.left.emit()
