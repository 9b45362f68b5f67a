"""The Details page: the settings, versions and model of the open run, in a tree that can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHeaderView,
    QLabel,
    QMenu,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.run.details import Detail
from helm_desktop.model.run.model_search import found_in_model
from helm_desktop.theme import set_look
from helm_desktop.widgets import EmptyState, SearchField

_Index = QModelIndex | QPersistentModelIndex


class _Node:
    """A detail with its place in the tree; its children are made at the first access."""

    __slots__ = ("_children", "detail", "parent", "row")

    def __init__(self, detail: Detail, parent: _Node | None, row: int) -> None:
        self.detail = detail
        self.parent = parent
        self.row = row
        self._children: list[_Node] | None = None

    @property
    def children(self) -> list[_Node]:
        """The nodes below this one."""
        if self._children is None:
            self._children = [_Node(child, self, row) for row, child in enumerate(self.detail.children)]
        return self._children


class DetailsModel(QAbstractItemModel):
    """The tree of details, with a column for names and one for values."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = _Node(Detail("root"), None, 0)

    def set_details(self, details: Sequence[Detail]) -> None:
        """Replace the tree."""
        self.beginResetModel()
        self._root = _Node(Detail("root", "", tuple(details)), None, 0)
        self.endResetModel()

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        node = self._node(parent)
        if not 0 <= row < len(node.children):
            return QModelIndex()
        return self.createIndex(row, column, node.children[row])

    def parent(self, index: _Index = QModelIndex()) -> Any:  # noqa: B008
        above = self._node(index).parent if index.isValid() else None
        return (
            QModelIndex() if above is None or above is self._root else self.createIndex(above.row, 0, above)
        )

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._node(parent).children) if parent.column() <= 0 else 0

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, for the cell and for its tooltip."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        detail = self._node(index).detail
        return detail.name if index.column() == 0 else detail.value

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title of a column."""
        return ("Name", "Value")[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _node(self, index: _Index) -> _Node:
        node = index.internalPointer() if index.isValid() else None
        return node if isinstance(node, _Node) else self._root


class DetailsFilter(QSortFilterProxyModel):
    """Shows the rows that contain the text, and the parts of the model that it names, such as "layer 2"."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._found: set[int] = set()
        self.setRecursiveFilteringEnabled(True)
        self.setAutoAcceptChildRows(True)
        self.setFilterKeyColumn(-1)
        self.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def search(self, text: str, details: Sequence[Detail]) -> None:
        """Search for another text."""
        self._found = found_in_model(details, text)
        self.setFilterFixedString(text)

    def filterAcceptsRow(self, row: int, parent: _Index) -> bool:
        if super().filterAcceptsRow(row, parent):
            return True
        node = self.sourceModel().index(row, 0, parent).internalPointer() if self._found else None
        return isinstance(node, _Node) and id(node.detail) in self._found


class DetailsView(QWidget):
    """The search field with the tree below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details: tuple[Detail, ...] = ()
        self._model = DetailsModel(self)
        self._proxy = DetailsFilter(self)
        self._proxy.setSourceModel(self._model)
        self.search = SearchField("Search settings, versions, tensors", "Search details")
        self._empty = EmptyState(
            "No details yet", "The run's settings, source, versions and model are listed here."
        )
        self._no_match = QLabel()
        self._no_match.setWordWrap(True)
        set_look(self._no_match, "quiet")
        self._no_match.hide()
        self.tree = QTreeView()
        self._style_tree()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self._no_match)
        column.addWidget(self._empty)
        column.addWidget(self.tree, 1)
        column.addStretch(0)
        self.search.textChanged.connect(self._search)
        self.set_details(())

    def _style_tree(self) -> None:
        self.tree.setModel(self._proxy)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(14)
        self.tree.setUniformRowHeights(True)
        self.tree.setAccessibleName("Details")
        self.tree.header().setStretchLastSection(True)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.tree.header().resizeSection(0, 150)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)

    def set_details(self, details: tuple[Detail, ...]) -> None:
        """Show other details; a row stays folded when a row of the same name was folded."""
        if details == self._details and details:
            return
        folded = (
            {detail.name for detail in self._details} - set(self._open_names())
            if self._details
            else {"Model"}
        )
        self._details = details
        self._proxy.search(self.search.text().strip(), details)
        self._model.set_details(details)
        for row in range(self._proxy.rowCount()):
            index = self._proxy.index(row, 0)
            self.tree.setExpanded(index, str(index.data()) not in folded)
        self._empty.setVisible(not details)
        self.tree.setVisible(bool(details))
        self.search.setVisible(bool(details))

    def found_lines(self) -> list[str]:
        """Return the leaves that the search has found, each with the names of the rows above it."""
        found: list[str] = []
        waiting = [(self._proxy.index(row, 0), "") for row in reversed(range(self._proxy.rowCount()))]
        while waiting:
            index, above = waiting.pop()
            path = f"{above}.{index.data()}" if above else str(index.data())
            rows = self._proxy.rowCount(index)
            if not rows:
                found.append(path)
            waiting += [(self._proxy.index(row, 0, index), path) for row in reversed(range(rows))]
        return found

    def lines(self) -> list[str]:
        """Return the top rows with their names and values."""
        return [f"{detail.name} {detail.value}".strip() for detail in self._details]

    def _open_names(self) -> list[str]:
        rows = [self._proxy.index(row, 0) for row in range(self._proxy.rowCount())]
        return [str(index.data()) for index in rows if self.tree.isExpanded(index)]

    def _search(self, text: str) -> None:
        self._proxy.search(text.strip(), self._details)
        self._no_match.setText(f"Nothing here matches “{text.strip()}”. Clear the field to see all details.")
        self._no_match.setVisible(bool(self._details) and not self._proxy.rowCount())
        if text.strip():
            self.tree.expandToDepth(3)

    def _menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value").triggered.connect(self._copy)
        menu.popup(self.tree.cursor().pos())

    def _copy(self) -> None:
        index = self.tree.currentIndex()
        text = str(index.siblingAtColumn(1).data() or index.siblingAtColumn(0).data() or "")
        QApplication.clipboard().setText(text)
