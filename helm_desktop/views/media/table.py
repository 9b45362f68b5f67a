"""A table's cells for a QTableView."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from helm_desktop.model.media.content import TableContent
from helm_desktop.theme import figure_font

_Index = QModelIndex | QPersistentModelIndex
_WIDEST = 220


class CellsModel(QAbstractTableModel):
    """Read only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content = TableContent((), (), ())
        self._figures = figure_font()

    def set_content(self, content: TableContent) -> None:
        """Another table."""
        self.beginResetModel()
        self._content = content
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self._content.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self._content.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the cell's text; numbers stand at the right, in the font of figures."""
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._content.rows[index.row()][index.column()]
        if self._content.numeric[index.column()]:
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if role == Qt.ItemDataRole.FontRole:
                return self._figures
        return None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the columns' names, above where their cells stand."""
        if way != Qt.Orientation.Horizontal:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._content.columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = (
                Qt.AlignmentFlag.AlignRight if self._content.numeric[section] else Qt.AlignmentFlag.AlignLeft
            )
            return int(right | Qt.AlignmentFlag.AlignVCenter)
        return None


class TableView(QTableView):
    """Columns as wide as they need, up to a bound."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = CellsModel(self)
        self.setModel(self.cells)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().setDefaultSectionSize(24)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.horizontalHeader().setMaximumSectionSize(600)
        self.setAccessibleName("Table")

    def set_content(self, content: TableContent) -> None:
        """Another table."""
        self.cells.set_content(content)
        for column in range(min(50, len(content.columns))):
            self.resizeColumnToContents(column)
            if self.columnWidth(column) > _WIDEST:
                self.setColumnWidth(column, _WIDEST)
