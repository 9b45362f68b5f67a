"""The rows of one table of sources, searched and sorted."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from helm_desktop.model.run.source_columns import SourceColumn
from helm_desktop.theme import figure_font

_Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row", bound="SourceItem")


class SourceItem(Protocol):
    """Anything that stays the same row while what it says changes."""

    @property
    def id(self) -> Hashable: ...


class SourceRows(QAbstractTableModel, Generic[Row]):
    """Sorts by itself, so that what is not known stays last in either order, and thousands take no time."""

    def __init__(self, columns: Sequence[SourceColumn[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self._every: Sequence[Row] = ()
        self._shown: list[Row] = []
        self._words: list[str] = []
        self._column, self._down = -1, False
        self._figures = figure_font()

    @property
    def total(self) -> int:
        """Rows that there are without a search."""
        return len(self._every)

    @property
    def sorted_by(self) -> tuple[int, bool]:
        """The column, -1 for the order in which they came, and whether the largest is first."""
        return self._column, self._down

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Other rows, or the same that say something else now."""
        self._every = rows
        self._arrange()

    def search(self, text: str) -> None:
        """Keep the rows that have each of these words somewhere in their names."""
        self._words = text.lower().split()
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Qt's."""
        self._column, self._down = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def row_text(self, row: int) -> str:
        """Return a row to be copied: its cells with tabs between."""
        return "\t".join(column.text(self._shown[row]) for column in self.columns)

    def _arrange(self) -> None:
        wanted = self._sorted([row for row in self._every if self._keeps(row)])
        if [row.id for row in wanted] != [row.id for row in self._shown]:
            self._move(wanted)
        self._shown = wanted
        if wanted:
            self.dataChanged.emit(self.index(0, 0), self.index(len(wanted) - 1, len(self.columns) - 1))

    def _move(self, wanted: list[Row]) -> None:
        """What is chosen stays chosen, wherever its row goes."""
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        ids = [self._shown[index.row()].id for index in kept]
        places = {row.id: at for at, row in enumerate(wanted)}
        self._shown = wanted
        moved = [
            self.index(places[own], index.column()) if own in places else QModelIndex()
            for own, index in zip(ids, kept, strict=True)
        ]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _keeps(self, row: Row) -> bool:
        if not self._words:
            return True
        message = " ".join(column.text(row) for column in self.columns if column.searched).lower()
        return all(word in message for word in self._words)

    def _sorted(self, rows: list[Row]) -> list[Row]:
        if not 0 <= self._column < len(self.columns):
            return rows
        key = self.columns[self._column].key
        known: list[tuple[Any, Row]] = []
        unknown: list[Row] = []
        for row in rows:
            value = key(row)
            odd = value is None or (isinstance(value, float) and math.isnan(value))
            (unknown.append(row) if odd else known.append((value, row)))
        known.sort(key=itemgetter(0), reverse=self._down)
        return [row for _, row in known] + unknown

    # Qt ------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell says, in full as its tooltip."""
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(self._shown[index.row()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip(self._shown[index.row()]) or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{column.title}: {column.text(self._shown[index.row()])}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        return self._figures if role == Qt.ItemDataRole.FontRole and column.figures else None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the columns' titles, above where their cells stand."""
        if way != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(self.columns[section])
        title, by = self.columns[section].title, section == self._column
        if role == Qt.ItemDataRole.AccessibleTextRole and by:
            return f"{title}, {'largest' if self._down else 'smallest'} first"
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{title} {'↓' if self._down else '↑'}" if by else title
        return None


def _side(column: SourceColumn[Any]) -> int:
    side = Qt.AlignmentFlag.AlignRight if column.figures else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
