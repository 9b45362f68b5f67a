"""Places for charts in as many columns as the width has room for; a chart may take several."""

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
    """Where a chart stands, in columns and rows."""

    row: int
    column: int
    columns: int = 1
    rows: int = 1


def columns_in(width: int) -> int:
    """Return how many cells stand side by side."""
    return max(1, (width + GAP) // (LEAST_WIDTH + GAP))


def pack(spans: Sequence[Span], columns: int) -> list[GridPosition]:
    """Return a position for each, in order; none stands before the one that precedes it."""
    if all(span == (1, 1) for span in spans):
        return [GridPosition(*divmod(number, columns)) for number in range(len(spans))]
    taken: set[tuple[int, int]] = set()
    spots, row, column = [], 0, 0
    for wide, high in spans:
        wide = min(wide, columns)
        while column + wide > columns or any(
            (row + down, column + right) in taken for down in range(high) for right in range(wide)
        ):
            column += 1
            if column >= columns:
                row, column = row + 1, 0
        taken.update((row + down, column + right) for down in range(high) for right in range(wide))
        spots.append(GridPosition(row, column, wide, high))
        column += wide
    return spots


def rect_of(spot: GridPosition, width: int, columns: int) -> QRect:
    """Return the positions of the columns, which fill the width to the pixel."""
    edges = (spot.column, spot.column + spot.columns)
    left, right = (round(edge * (width + GAP) / columns) for edge in edges)
    return QRect(left, spot.row * ROW, right - left - GAP, spot.rows * ROW - GAP)


def place(number: int, width: int) -> QRect:
    """Return where a cell of one column and row stands among others of that size."""
    columns = columns_in(width)
    return rect_of(GridPosition(*divmod(number, columns)), width, columns)


class ChartGrid(QWidget):
    """Knows where each of its charts stands. A cell for one is put there when it is wanted."""

    placed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self._spans: tuple[Span, ...] = ()
        self._spots: dict[str, GridPosition] = {}
        self._rows: list[list[str]] = []
        self._columns = 0
        self._cells: dict[str, QWidget] = {}
        self._hint = QLabel("No chart here yet. Drag one here by its title, or add one from Metrics.", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_look(self._hint, "quiet")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_names(self, names: tuple[str, ...], spans: Mapping[str, Span] | None = None) -> None:
        """Other charts, in order. Cells of those that stay move to their new places."""
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
        """Return where a chart stands."""
        return rect_of(self._spots[name], self._room, self._columns)

    def names_between(self, top: int, bottom: int) -> list[str]:
        """Return the charts whose places reach into these heights."""
        first, last = max(0, (top + GAP) // ROW), max(-1, bottom // ROW)
        return list(dict.fromkeys(name for row in self._rows[first : last + 1] for name in row))

    def name_before(self, point: QPoint) -> str:
        """In front of which chart something would stand that is dropped here; none at the end."""
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
        """Return a line where something would be dropped in front of a chart, or at the end."""
        if name in self._spots:
            rect = self.rect_of(name)
            return QRect(max(0, rect.left() - GAP // 2 - 2), rect.top(), 3, rect.height())
        if not self.names:
            return QRect(0, 0, self.width(), 3)
        rect = self.rect_of(self.names[-1])
        return QRect(min(rect.right() + 3, self.width() - 3), rect.top(), 3, rect.height())

    def span_for(self, name: str, width: int, height: int) -> Span:
        """Return how many columns and rows are nearest to a size in pixels."""
        column = (self._room + GAP) / self._columns
        return max(1, min(round((width + GAP) / column), self._columns)), max(1, round((height + GAP) / ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's."""
        super().resizeEvent(event)
        self._place()

    @property
    def _room(self) -> int:
        return max(self.width(), LEAST_WIDTH)

    def _place(self) -> None:
        columns = columns_in(self._room)
        if columns != self._columns:
            self._columns = columns
            spots = pack(self._spans, columns)
            self._spots = dict(zip(self.names, spots, strict=True))
            deepest = max((spot.row + spot.rows for spot in spots), default=0)
            self._rows = [[] for _ in range(deepest)]
            for name, spot in self._spots.items():
                for row in range(spot.row, spot.row + spot.rows):
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
