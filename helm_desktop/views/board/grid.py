"""Cells in as many columns as the width has room for."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

LEAST_WIDTH = 296
CELL_HEIGHT = 196
GAP = 10


def columns_in(width: int) -> int:
    """How many cells stand side by side."""
    return max(1, (width + GAP) // (LEAST_WIDTH + GAP))


def places(count: int, width: int) -> list[QRect]:
    """Where each cell stands; the columns fill the width to the pixel."""
    columns = columns_in(width)
    edges = [round(column * (width + GAP) / columns) for column in range(columns + 1)]
    found = []
    for number in range(count):
        row, column = divmod(number, columns)
        left = edges[column]
        found.append(QRect(left, row * (CELL_HEIGHT + GAP), edges[column + 1] - left - GAP, CELL_HEIGHT))
    return found


class ChartGrid(QWidget):
    """Places its cells itself; a layout would ask each of a thousand for its size."""

    placed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_cells(self, cells: list[QWidget]) -> None:
        """Shows these, in order; a cell that is no longer among them is left without a place."""
        self._cells = cells
        for cell in cells:
            if cell.parentWidget() is not self:
                cell.setParent(self)
            cell.show()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        spots = places(len(self._cells), max(self.width(), LEAST_WIDTH))
        for cell, spot in zip(self._cells, spots, strict=True):
            if cell.geometry() != spot:
                cell.setGeometry(spot)
        height = spots[-1].bottom() + 1 if spots else 0
        if self.minimumHeight() != height:
            self.setFixedHeight(height)
        self.placed.emit()
