"""Places for charts in as many columns as the width has room for."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

LEAST_WIDTH = 296
CELL_HEIGHT = 196
GAP = 10
ROW = CELL_HEIGHT + GAP


def columns_in(width: int) -> int:
    """How many cells stand side by side."""
    return max(1, (width + GAP) // (LEAST_WIDTH + GAP))


def place(number: int, width: int) -> QRect:
    """Where a cell stands; the columns fill the width to the pixel."""
    columns = columns_in(width)
    row, column = divmod(number, columns)
    left, right = (round(edge * (width + GAP) / columns) for edge in (column, column + 1))
    return QRect(left, row * ROW, right - left - GAP, CELL_HEIGHT)


class ChartGrid(QWidget):
    """Knows where each of its names stands. A cell for one is put there when it is wanted."""

    placed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self._cells: dict[str, QWidget] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_names(self, names: tuple[str, ...]) -> None:
        """Other names, in order. Cells of those that stay move to their new places."""
        self.names = names
        known = set(names)
        self._cells = {
            name: cell for name, cell in self._cells.items() if name in known and cell.parentWidget() is self
        }
        self._place()

    def put(self, name: str, cell: QWidget) -> None:
        """Puts a cell at a name's place."""
        self._cells[name] = cell
        if cell.parentWidget() is not self:
            cell.setParent(self)
        cell.setGeometry(place(self.names.index(name), self._room))
        cell.show()

    def names_between(self, top: int, bottom: int) -> tuple[str, ...]:
        """The names whose places reach into these heights."""
        columns = columns_in(self._room)
        first, last = max(0, (top + GAP) // ROW), max(-1, bottom // ROW)
        return self.names[first * columns : (last + 1) * columns]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's."""
        super().resizeEvent(event)
        self._place()

    @property
    def _room(self) -> int:
        return max(self.width(), LEAST_WIDTH)

    def _place(self) -> None:
        width = self._room
        if self._cells:
            numbers = {name: number for number, name in enumerate(self.names)}
            for name, cell in self._cells.items():
                spot = place(numbers[name], width)
                if cell.geometry() != spot:
                    cell.setGeometry(spot)
        height = place(len(self.names) - 1, width).bottom() + 1 if self.names else 0
        if self.minimumHeight() != height:
            self.setFixedHeight(height)
        self.placed.emit()
