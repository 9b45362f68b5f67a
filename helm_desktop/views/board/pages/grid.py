"""A grid of charts with as many columns as fit into its width; a chart may span several columns and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from helm_desktop.theme import set_look

LEAST_WIDTH = 296
CELL_HEIGHT = 196
GAP = 10
ROW = CELL_HEIGHT + GAP
EMPTY_HEIGHT = 64

Span = tuple[int, int]  # columns, rows


@dataclass(frozen=True, slots=True)
class GridPosition:
    """The place of a chart in columns and rows."""

    row: int
    column: int
    columns: int = 1
    rows: int = 1


def columns_in(width: int) -> int:
    """Return how many columns fit into a width in pixels; at least 1."""
    return max(1, (width + GAP) // (LEAST_WIDTH + GAP))


def pack(spans: Sequence[Span], columns: int) -> list[GridPosition]:
    """Return a position for each span, in order; a later chart never fills a gap before an earlier one."""
    if all(span == (1, 1) for span in spans):
        return [GridPosition(*divmod(number, columns)) for number in range(len(spans))]
    occupied: set[tuple[int, int]] = set()
    positions, row, column = [], 0, 0
    for columns_wide, rows_high in spans:
        columns_wide = min(columns_wide, columns)
        while column + columns_wide > columns or any(
            (row + down, column + right) in occupied
            for down in range(rows_high)
            for right in range(columns_wide)
        ):
            column += 1
            if column >= columns:
                row, column = row + 1, 0
        occupied.update(
            (row + down, column + right) for down in range(rows_high) for right in range(columns_wide)
        )
        positions.append(GridPosition(row, column, columns_wide, rows_high))
        column += columns_wide
    return positions


def rect_of(position: GridPosition, width: int, columns: int) -> QRect:
    """Return the rectangle of a position in pixels; the columns fill the width exactly."""
    edges = (position.column, position.column + position.columns)
    left, right = (round(edge * (width + GAP) / columns) for edge in edges)
    return QRect(left, position.row * ROW, right - left - GAP, position.rows * ROW - GAP)


def place(number: int, width: int) -> QRect:
    """Return the rectangle in pixels of cell `number` in a grid where each cell spans one column and row."""
    columns = columns_in(width)
    return rect_of(GridPosition(*divmod(number, columns)), width, columns)


class ChartGrid(QWidget):
    """The charts of one section. It has a place for each chart; its cell is put there when it is needed."""

    placed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self._spans: tuple[Span, ...] = ()
        self._positions: dict[str, GridPosition] = {}
        self._rows: list[list[str]] = []
        self._columns = 0
        self._cells: dict[str, QWidget] = {}
        self._hint = QLabel(
            "There is no chart here yet. Drag one here by its title, or add one from Metrics.", self
        )
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_look(self._hint, "quiet")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_names(self, names: tuple[str, ...], spans: Mapping[str, Span] | None = None) -> None:
        """Show these charts in this order and move their cells. The default span is one column and row."""
        wanted = spans or {}
        self.names, self._columns = names, 0
        self._spans = tuple(wanted.get(name, (1, 1)) for name in names)
        known = set(names)
        self._cells = {
            name: cell for name, cell in self._cells.items() if name in known and cell.parentWidget() is self
        }
        self._place()

    def put(self, name: str, cell: QWidget) -> None:
        """Put a cell at a chart's place."""
        self._cells[name] = cell
        if cell.parentWidget() is not self:
            cell.setParent(self)
        cell.setGeometry(self.rect_of(name))
        cell.show()

    def rect_of(self, name: str) -> QRect:
        """Return the rectangle of a chart in pixels."""
        return rect_of(self._positions[name], self._usable_width, self._columns)

    def names_between(self, top: int, bottom: int) -> list[str]:
        """Return the charts of which a part lies between two heights in pixels."""
        first, last = max(0, (top + GAP) // ROW), max(-1, bottom // ROW)
        return list(dict.fromkeys(name for row in self._rows[first : last + 1] for name in row))

    def name_before(self, point: QPoint) -> str:
        """Return the chart in front of which a drop at `point` goes; empty for the end."""
        for at, name in enumerate(self.names):
            rect = self.rect_of(name)
            if point.y() > rect.bottom() + GAP:
                continue
            if point.x() < rect.center().x() and point.y() >= rect.top() - GAP:
                return name
            if point.y() < rect.top() - GAP:
                return name
            if rect.left() <= point.x() <= rect.right() + GAP:
                return self.names[at + 1] if at + 1 < len(self.names) else ""
        return ""

    def edge_before(self, name: str) -> QRect:
        """Return the rectangle of the marker in front of a chart, or at the end for another name."""
        if name in self._positions:
            rect = self.rect_of(name)
            return QRect(max(0, rect.left() - GAP // 2 - 2), rect.top(), 3, rect.height())
        if not self.names:
            return QRect(0, 0, self.width(), 3)
        rect = self.rect_of(self.names[-1])
        return QRect(min(rect.right() + 3, self.width() - 3), rect.top(), 3, rect.height())

    def span_for(self, name: str, width: int, height: int) -> Span:
        """Return the columns and rows that come nearest to a size in pixels."""
        column = (self._usable_width + GAP) / self._columns
        return max(1, min(round((width + GAP) / column), self._columns)), max(1, round((height + GAP) / ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @property
    def _usable_width(self) -> int:
        return max(self.width(), LEAST_WIDTH)

    def _place(self) -> None:
        columns = columns_in(self._usable_width)
        if columns != self._columns:
            self._columns = columns
            positions = pack(self._spans, columns)
            self._positions = dict(zip(self.names, positions, strict=True))
            deepest = max((position.row + position.rows for position in positions), default=0)
            self._rows = [[] for _ in range(deepest)]
            for name, position in self._positions.items():
                for row in range(position.row, position.row + position.rows):
                    self._rows[row].append(name)
        for name, cell in self._cells.items():
            rect = self.rect_of(name)
            if cell.geometry() != rect:
                cell.setGeometry(rect)
        self._hint.setVisible(not self.names)
        self._hint.setGeometry(0, 0, self.width(), EMPTY_HEIGHT)
        height = len(self._rows) * ROW - GAP if self.names else EMPTY_HEIGHT
        if self.minimumHeight() != height:
            self.setFixedHeight(height)
        self.placed.emit()
