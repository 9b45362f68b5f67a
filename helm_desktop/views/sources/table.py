"""One table of sources: a search above its rows, or a sentence that says what would fill it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.format import plural
from helm_desktop.model.run.source_columns import SourceColumn
from helm_desktop.theme import set_look
from helm_desktop.views.sources.source_rows import SourceItem, SourceRows
from helm_desktop.widgets import EmptyState, SearchField, handle_key

ROW_PX = 28
CELL_MARGIN = 24
LEAST_NAME = 180
SEARCH_PX = 320

Row = TypeVar("Row", bound=SourceItem)


class SourceList(QTableView):
    """Ask by key to sort by the current column, or to copy the selected rows."""

    copy_requested = Signal()
    sort_requested = Signal(int)

    def focusInEvent(self, event: QFocusEvent) -> None:
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex()
        handlers = {
            "copy": self.copy_requested.emit,
            "sort": partial(self.sort_requested.emit, at.column()) if at.isValid() else None,
        }
        if not handle_key(event, places.SOURCES, handlers):
            super().keyPressEvent(event)


class SourceTable(QWidget, Generic[Row]):
    """Rows of one kind."""

    def __init__(
        self,
        title: str,
        noun: str,
        columns: Sequence[SourceColumn[Row]],
        fills: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self._noun, self._fills = noun, fills
        self._open = False
        self.rows: SourceRows[Row] = SourceRows(columns, self)
        self.search = SearchField(f"Search {title.lower()}", f"Search {title.lower()}")
        self.list = SourceList()
        self.said = QLabel()
        self.none = QLabel()
        self.empty = EmptyState(f"No {title.lower()} yet", fills)
        self._set_title(title)
        self._lay_out(title)
        self.search.textChanged.connect(self._search)
        self.list.copy_requested.connect(self.copy)
        self.list.sort_requested.connect(self.sort_by)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self._show_summary()

    def set_rows(self, rows: Sequence[Row], *, run: bool) -> None:
        """What it shows now; without a run there can be nothing."""
        self._open = run
        self.rows.set_rows(rows)
        self._show_summary()

    def forget(self) -> None:
        """Another run: what was searched and chosen is of the one before."""
        self.list.clearSelection()
        self.list.setCurrentIndex(self.rows.index(-1, -1))
        self.search.clear()

    def tick(self) -> None:
        """Ages go on."""
        self.list.viewport().update()

    def sort_by(self, column: int) -> None:
        """Sort by a column, by the same once more the other way."""
        own, down = self.rows.sorted_by
        turned = own == column and not down
        order = Qt.SortOrder.DescendingOrder if turned else Qt.SortOrder.AscendingOrder
        self.rows.sort(column, order)

    def copy(self) -> None:
        """The rows that are chosen, as lines of cells."""
        chosen = sorted({index.row() for index in self.list.selectionModel().selectedRows()})
        if chosen:
            QApplication.clipboard().setText("\n".join(self.rows.row_text(row) for row in chosen))

    def menu(self) -> QMenu:
        """Return what can be done with the rows."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(f"Copy row\t{places.first_key(places.SOURCES, 'copy')}")
        copy.setEnabled(self.list.selectionModel().hasSelection())
        copy.triggered.connect(self.copy)
        menu.addSeparator()
        for number, column in enumerate(self.rows.columns):
            action = menu.addAction(f"Sort by {column.title.lower()}")
            action.triggered.connect(partial(self._sort_from_menu, number))
        return menu

    def _sort_from_menu(self, column: int, _on: bool = False) -> None:
        self.sort_by(column)

    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.list.viewport().mapToGlobal(place))

    def _search(self, text: str) -> None:
        self.rows.search(text)
        self._show_summary()

    def _show_summary(self) -> None:
        total, shown = self.rows.total, self.rows.rowCount()
        text = self.search.text().strip()
        all_of = plural(total, self._noun)
        self.said.setText(f"{shown:,} of {all_of}" if text else all_of)
        self.none.setText(f"No {self._noun} matches “{text}”. Clear the field to see all.")
        self.none.setVisible(bool(total) and not shown)
        self.empty.set_words(
            f"No {self.accessibleName().lower()} yet" if self._open else "No run is open",
            self._fills
            if self._open
            else "Choose one in the runs panel, and what it is made of stands here.",
        )
        self.empty.setVisible(not total)
        for widget in (self.list, self.search, self.said):
            widget.setVisible(bool(total))

    def _set_title(self, title: str) -> None:
        table = self.list
        table.setModel(self.rows)
        table.setAccessibleName(title)
        table.setAccessibleDescription("Return sorts by the column, Ctrl+C copies the row")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setCornerButtonEnabled(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW_PX)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort_by)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(48)
        metrics = QFontMetrics(self.font())
        for number, column in enumerate(self.rows.columns):
            widest = max(map(metrics.horizontalAdvance, (column.sample, f"{column.title} ↓")))
            table.setColumnWidth(number, widest + CELL_MARGIN)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self, title: str) -> None:
        heading = QLabel(title)
        set_look(heading, "heading")
        set_look(self.said, "quiet")
        set_look(self.none, "quiet")
        self.search.setMaximumWidth(SEARCH_PX)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.search, 1)
        row.addWidget(self.said)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(heading)
        column.addLayout(row)
        column.addWidget(self.none)
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addStretch(0)
