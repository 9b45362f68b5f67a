"""Every metric of the open run: families with facets, a small curve and the last value each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QMenu, QTreeView, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.format import plural
from helm_desktop.model.board.shown_board import BadPattern, Find, finder
from helm_desktop.theme import set_look
from helm_desktop.views.metrics.metric_rows import MetricRows
from helm_desktop.views.metrics.tree import MetricTree
from helm_desktop.widgets import (
    EmptyState,
    FindField,
    FlowLayout,
    Pill,
    handle_key,
)

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

GROUP_MS = 60
OPEN_UPTO = 300  # names found by a search that are shown with their families open
MOST_VALUES = 64


class MetricList(QTreeView):
    """Enter adds to the chart in focus, Shift+Enter makes a chart."""

    key_add = Signal(bool)  # whether to a chart of its own

    def focusInEvent(self, event: QFocusEvent) -> None:
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and not self.currentIndex().isValid() and self.model() is not None:
            self.setCurrentIndex(self.model().index(0, 0))
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        handlers = {"add": partial(self.key_add.emit, False), "new_chart": partial(self.key_add.emit, True)}
        if not handle_key(event, places.METRICS, handlers):
            super().keyPressEvent(event)


class MetricsView(QWidget):
    """Search, facets, and the tree below. A row is dragged onto a chart, or added by key or menu."""

    add_requested = Signal(list)  # names or patterns, to the chart in focus
    chart_requested = Signal(list)  # the same, as a chart of its own
    show_requested = Signal(str)  # a name, to be shown on the board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self.current_title: Callable[[], str] = str  # of the chart that a metric would be added to
        self._find: Find | None = None
        self._chosen: dict[str, set[str]] = {}
        self._stale = False
        self.model = MetricTree(self)
        self.finding = FindField("Search metrics", "Search metrics")
        self.search = self.finding.field
        self._facets = QWidget()
        self._pills = FlowLayout(self._facets, gap=6, line_gap=6)
        self._said = QLabel()
        self._said.setWordWrap(True)
        set_look(self._said, "small")
        self.tree = MetricList()
        self._rows = MetricRows(self.tree)
        self._empty = EmptyState(
            "No metrics yet", "Each name that the script logs is listed here with its last value."
        )
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(GROUP_MS)
        self._clock.timeout.connect(self._group)
        self._build()
        self._switch()

    def _build(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setItemDelegate(self._rows)
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(14)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setMouseTracking(True)
        tree.setAccessibleName("Metrics")
        tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        tree.setDragEnabled(True)
        tree.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        tree.setDefaultDropAction(Qt.DropAction.CopyAction)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._open_menu)
        tree.doubleClicked.connect(self._show)
        tree.key_add.connect(self._add_by_key)
        self.finding.find_changed.connect(self._search)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.finding, self._facets, self._said, self._empty):
            column.addWidget(widget)
        column.addWidget(tree, 1)

    # The run -------------------------------------------------------------------------------------

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        if self._session is not None:
            self._session.streams_changed.disconnect(self._grow)
            self._session.points_arrived.disconnect(self._refresh)
        self._session = session
        self._rows.forget()
        self._chosen = {}
        self._clock.stop()
        if session is not None:
            session.streams_changed.connect(self._grow)
            session.points_arrived.connect(self._refresh)
        self.model.search(self._find, {})
        self.model.set_session(session)
        self._after()

    def showEvent(self, event: QShowEvent) -> None:
        """Names that came while nobody looked are sorted in."""
        super().showEvent(event)
        if self._stale:
            self._group()

    def _grow(self) -> None:
        self._stale = True
        if self.isVisible() and not self._clock.isActive():
            self._clock.start()
        self._switch()

    def _group(self) -> None:
        self._stale = False
        opened = {
            self.model.rows[row].family.pattern
            for row in range(len(self.model.rows))
            if self.tree.isExpanded(self.model.index(row, 0))
        }
        self.model.group()
        for row, one in enumerate(self.model.rows):
            if one.family.pattern in opened:
                self.tree.expand(self.model.index(row, 0))
        self._after()

    def _refresh(self) -> None:
        if self.tree.isVisible():
            self.tree.viewport().update()

    def _after(self) -> None:
        self._fill_facets()
        self._show_summary()
        self._switch()

    def _switch(self) -> None:
        filled = self._session is not None and bool(self._session.streams.names)
        self._empty.setVisible(not filled)
        for widget in (self.tree, self.finding):
            widget.setVisible(filled)
        self._facets.setVisible(filled and self._pills.count() > 0)

    # Search and facets ---------------------------------------------------------------------------

    def _search(self, text: str, regex: bool) -> None:
        try:
            self._find = finder(text, regex=regex)
        except BadPattern as error:
            self.finding.set_wrong(str(error))
            self._said.setText(str(error))
            self._said.show()
            return
        self.finding.set_wrong("")
        self._filter()

    def _filter(self) -> None:
        self.model.search(self._find, self._chosen)
        if (self._find is not None or self._chosen) and self.model.count <= OPEN_UPTO:
            self.tree.expandAll()
        self._show_summary()

    def _show_summary(self) -> None:
        searching = self._find is not None or bool(self._chosen)
        self._said.setVisible(searching)
        if not searching:
            return
        if self.model.count:
            self._said.setText(f"{self.model.count:,} of {plural(self.model.total, 'metric')}")
        else:
            self._said.setText("No metric is left by this search. Clear it to see all.")

    def _fill_facets(self) -> None:
        while (item := self._pills.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for facet, values in self.model.facets().items():
            chosen = self._chosen.get(facet, set())
            words = ", ".join(sorted(chosen)[:3]) + ("…" if len(chosen) > 3 else "")
            pill = Pill(
                f"{facet}: {words or f'all {len(values)}'}", "accent" if chosen else "", clickable=True
            )
            pill.setToolTip(f"Show only some values of {facet}")
            pill.clicked.connect(partial(self._open_facet, facet, values, pill))
            self._pills.addWidget(pill)

    def _open_facet(self, facet: str, values: list[str], pill: Pill) -> None:
        menu = self.facet_menu(facet, values)
        menu.popup(pill.mapToGlobal(pill.rect().bottomLeft()))

    def facet_menu(self, facet: str, values: list[str]) -> QMenu:
        """Return the values of a facet to choose from."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("All").triggered.connect(partial(self.choose, facet, ""))
        menu.addSeparator()
        for value in values[:MOST_VALUES]:
            action = menu.addAction(value)
            action.setCheckable(True)
            action.setChecked(value in self._chosen.get(facet, ()))
            action.triggered.connect(partial(self.choose, facet, value))
        if len(values) > MOST_VALUES:
            rest = menu.addAction(f"and {len(values) - MOST_VALUES:,} more: use the search")
            rest.setEnabled(False)
        return menu

    def choose(self, facet: str, value: str, _on: bool = False) -> None:
        """Show one value of a facet more or less; all with none."""
        chosen = self._chosen.setdefault(facet, set())
        if value:
            chosen.symmetric_difference_update({value})
        else:
            chosen.clear()
        if not chosen:
            del self._chosen[facet]
        self._filter()
        self._fill_facets()

    # To the board --------------------------------------------------------------------------------

    def chosen_names(self) -> list[str]:
        """Return the names or patterns of the rows that are chosen."""
        indexes = self.tree.selectionModel().selectedIndexes() or [self.tree.currentIndex()]
        names = [name for index in indexes for name in self.model.dragged_names(index)]
        return list(dict.fromkeys(names))

    def add_chosen(self) -> None:
        """Add what is chosen to the chart in focus."""
        names = self.chosen_names()
        if names:
            self.add_requested.emit(names)

    def chart_chosen(self) -> None:
        """Make a chart of what is chosen."""
        names = self.chosen_names()
        if names:
            self.chart_requested.emit(names)

    def _add_by_key(self, own: bool) -> None:
        (self.chart_chosen if own else self.add_chosen)()

    def _show(self, index: object) -> None:
        names = self.chosen_names()
        if names:
            self.show_requested.emit(names[0])

    def _copy(self) -> None:
        QApplication.clipboard().setText("\n".join(self.chosen_names()))

    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.tree.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """Return what can be done with the rows that are chosen."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = self.current_title()
        add = menu.addAction(f"Add to {title}\tReturn" if title else "Add to the chart in focus\tReturn")
        add.setEnabled(bool(title))
        add.triggered.connect(self.add_chosen)
        menu.addAction(f"New chart\t{places.first_key(places.METRICS, 'new_chart')}").triggered.connect(
            self.chart_chosen
        )
        menu.addAction("Show on the board").triggered.connect(self._show)
        menu.addSeparator()
        menu.addAction("Copy name").triggered.connect(self._copy)
        return menu
