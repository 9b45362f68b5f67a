"""One chart shown over the whole board."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.cells import ChartCells


class FullChart(QWidget):
    """Shows the chart of one cell over the whole board, and puts it back into its cell on leave."""

    entered = Signal()
    left = Signal()

    def __init__(self, stack: QStackedWidget, cells: ChartCells) -> None:
        super().__init__()
        self._stack = stack
        self._cells = cells
        self._cell: ChartCell | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 16, 16, 16)
        stack.addWidget(self)
        cells.forgotten.connect(self._on_forgotten)

    @property
    def chart_id(self) -> str:
        """The id of the chart that is shown; empty while there is none."""
        return self._cell.name if self._cell is not None else ""

    def toggle(self, chart_id: str) -> None:
        """Show a chart over the whole board; return to the board when that chart is shown already."""
        cell = self._cells.get(chart_id)
        if self.chart_id == chart_id:
            self.leave()
        elif cell is not None and cell.chart is not None:
            self._cell = cell
            self.entered.emit()
            self._column.addWidget(cell.chart)
            cell.chart.show()
            self._stack.setCurrentWidget(self)
            cell.chart.setFocus()

    def leave(self) -> None:
        """Return to the board."""
        cell, self._cell = self._cell, None
        if cell is not None:
            cell.restore_chart()
            self.left.emit()

    def _on_forgotten(self, chart_id: str) -> None:
        if chart_id == self.chart_id:
            self.leave()
