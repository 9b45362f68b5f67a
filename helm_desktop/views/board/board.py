"""The board of the open run: page tabs over pages of charts that share crosshair and zoom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from helm_desktop.model.board import PagePlan, lay_out
from helm_desktop.theme import set_look
from helm_desktop.views.board.cell import ChartCell
from helm_desktop.views.board.charts import Charts
from helm_desktop.views.board.page import BoardPage
from helm_desktop.widgets import EmptyState, Pill

if TYPE_CHECKING:
    from helm_desktop.model.session import Session
    from helm_desktop.views.board.chart import ChartView

BUILD_AT_ONCE = 3
NEAR_PX = 240


@dataclass(frozen=True)
class ChartFacts:
    """What a chart shows, for scripts that look at the screen."""

    title: str
    points: int
    drawn_points: int
    visible: bool  # on the page in front, in an open section
    in_view: bool  # not scrolled out of sight
    page: str
    section: str


class BoardView(QWidget):
    """Made from the streams alone. Charts are built when they come into view, a few at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self._session: Session | None = None
        self._plans: tuple[PagePlan, ...] = ()
        self._pages: list[BoardPage] = []
        self._cells: dict[str, ChartCell] = {}
        self._folded: set[str] = set()
        self._full: ChartCell | None = None
        self._charts = Charts(self)
        self._charts.full_requested.connect(self._toggle_full)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName("Pages")
        self._stack = QStackedWidget()
        self._empty = EmptyState("", "")
        self._full_page = QWidget()
        self._full_column = QVBoxLayout(self._full_page)
        self._rule = QFrame()
        self._whole = Pill("zoomed in: show the whole run", "accent", clickable=True)
        self._build()
        self._filler = QTimer(self)
        self._filler.setSingleShot(True)
        self._filler.setInterval(0)
        self._filler.timeout.connect(self._fill)
        self.tabs.currentChanged.connect(self._turn_page)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 16, 0)
        head.addWidget(self.tabs, 1)
        head.addWidget(self._whole)
        self._whole.hide()
        self._whole.clicked.connect(self.follow)
        self._charts.zoom_changed.connect(self._whole.setVisible)
        self._rule.setFixedHeight(1)
        set_look(self._rule, "line")
        rule = QHBoxLayout()
        rule.setContentsMargins(16, 0, 16, 0)
        rule.addWidget(self._rule)
        holder = QWidget()
        inner = QVBoxLayout(holder)
        inner.setContentsMargins(16, 16, 16, 16)
        inner.addWidget(self._empty)
        inner.addStretch(1)
        self._stack.addWidget(holder)
        self._full_column.setContentsMargins(16, 16, 16, 16)
        self._stack.addWidget(self._full_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(rule)
        column.addWidget(self._stack, 1)
        self.tabs.hide()
        self._rule.hide()
        self._say_empty()

    # The run ---------------------------------------------------------------------------------

    def set_session(self, session: Session | None) -> None:
        """Shows another run; the charts of the one before are given up."""
        before, self._session = self._session, session
        if before is not None:
            before.streams_changed.disconnect(self._lay_out)
            before.standing_changed.disconnect(self._say_empty)
        self._show_full(None)
        self._charts.set_session(session)
        self._drop()
        if session is not None:
            session.streams_changed.connect(self._lay_out)
            session.standing_changed.connect(self._say_empty)
        self._lay_out()

    def built(self) -> Iterator[ChartView]:
        """The charts that have been in sight."""
        return iter(self._charts)

    def facts(self) -> list[ChartFacts]:
        """What each chart of the board shows now."""
        page = self._page() if self._full is None else None
        seen = set(page.names_in_view()) if page is not None else set()
        shown = set(page.open_names()) if page is not None else set()
        return [
            self._facts(name, plan.title, section.title, name in shown, name in seen)
            for plan in self._plans
            for section in plan.sections
            for name in section.charts
        ]

    def _facts(self, name: str, page: str, section: str, shown: bool, seen: bool) -> ChartFacts:
        series = self._session.store.series.get(name) if self._session is not None else None
        cell = self._cells.get(name)
        chart = cell.chart if cell is not None else None
        return ChartFacts(
            title=name,
            points=series.count if series is not None else 0,
            drawn_points=chart.drawn_point_count if chart is not None else 0,
            visible=shown and chart is not None,
            in_view=seen and chart is not None,
            page=page,
            section=section,
        )

    # Pages -----------------------------------------------------------------------------------

    def step_page(self, by: int) -> None:
        """Turns to the next or the previous page."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def fold_all(self, on: bool) -> None:
        """Folds or unfolds every section of the page."""
        page = self._page()
        if page is not None:
            page.fold_all(on)

    @property
    def current_page(self) -> BoardPage | None:
        """The page in sight."""
        return self._page()

    @property
    def empty_words(self) -> str:
        """What the board says while it has no chart."""
        return self._empty.accessibleName()

    def _page(self) -> BoardPage | None:
        number = self.tabs.currentIndex()
        return self._pages[number] if 0 <= number < len(self._pages) else None

    def _drop(self) -> None:
        self._plans = ()
        for cell in self._cells.values():
            cell.hide()
            cell.setParent(None)
            cell.deleteLater()
        self._cells = {}
        self._trim(0)

    def _trim(self, count: int) -> None:
        """Gives up pages and tabs past this number."""
        while len(self._pages) > count:
            page = self._pages.pop()
            self._stack.removeWidget(page)
            page.deleteLater()
            self.tabs.removeTab(len(self._pages))

    def _lay_out(self) -> None:
        names = self._session.streams if self._session is not None else []
        plans = lay_out(names)
        if plans == self._plans and plans:
            return
        self._plans = plans
        for number, plan in enumerate(plans):
            if number == len(self._pages):
                self._add_page()
            self.tabs.setTabText(number, plan.title)
            self._pages[number].show_plan(plan, self._cells, self._folded)
        self._trim(len(plans))
        self.tabs.setVisible(bool(plans) and self._full is None)
        self._rule.setVisible(self.tabs.isVisibleTo(self))
        self._turn_page()
        self._say_empty()
        self._fill_soon()

    def _add_page(self) -> None:
        page = BoardPage()
        page.view_changed.connect(self._fill_soon)
        page.folded.connect(self._on_folded)
        self._pages.append(page)
        self._stack.addWidget(page)
        self.tabs.addTab("")

    def _on_folded(self, title: str, on: bool) -> None:
        (self._folded.add if on else self._folded.discard)(title)

    def _turn_page(self) -> None:
        page = self._page()
        if self._full is not None:
            return
        if page is not None:
            self._stack.setCurrentWidget(page)
        else:
            self._stack.setCurrentIndex(0)
        self._fill_soon()

    # One chart in the whole board ------------------------------------------------------------

    def _toggle_full(self, cell: ChartCell) -> None:
        self._show_full(None if self._full is cell else cell)

    def _show_full(self, cell: ChartCell | None) -> None:
        before, self._full = self._full, cell
        if before is not None and before.chart is not None:
            before.take_back()
        if cell is not None and cell.chart is not None:
            self._full_column.addWidget(cell.chart)
            cell.chart.show()
            self._stack.setCurrentWidget(self._full_page)
            cell.chart.setFocus()
        self.tabs.setVisible(cell is None and bool(self._plans))
        self._rule.setVisible(self.tabs.isVisibleTo(self))
        if cell is None and before is not None:
            self._turn_page()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape goes back from one chart to the board."""
        if event.key() == Qt.Key.Key_Escape and self._full is not None:
            self._show_full(None)
        else:
            super().keyPressEvent(event)

    # Charts ----------------------------------------------------------------------------------

    def _fill_soon(self) -> None:
        if not self._filler.isActive():
            self._filler.start()

    def _fill(self) -> None:
        """Builds a few of the charts that are in sight and not there yet."""
        page = self._page()
        if page is None or self._session is None or not self.isVisible():
            return
        cells = self._cells_of(page, page.names_in_view(NEAR_PX))
        missing = [cell for cell in cells if cell.chart is None]
        self._charts.build(missing[:BUILD_AT_ONCE])
        if len(missing) > BUILD_AT_ONCE:
            self._filler.start()

    def draw_page(self, most: int) -> bool:
        """Builds and draws up to so many charts of the page, in sight or not; whether that is done."""
        page = self._page()
        if page is None or self._session is None:
            return True
        names = page.open_names()[:most]
        missing = [cell for cell in self._cells_of(page, names) if cell.chart is None]
        self._charts.build(missing[:BUILD_AT_ONCE])
        if missing:
            return False
        for name in names:
            chart = self._cells[name].chart
            if chart is not None and chart.dirty:
                chart.refresh()
        return True

    def _cells_of(self, page: BoardPage, names: Sequence[str]) -> list[ChartCell]:
        for name in names:
            if name not in self._cells:
                self._cells[name] = ChartCell(name)
                page.put(name, self._cells[name])
        return [self._cells[name] for name in names]

    def follow(self) -> None:
        """Undoes every zoom: all charts show the whole run and follow it."""
        self._charts.follow()

    def show_step(self, step: int) -> None:
        """Marks a step on every chart."""
        self._charts.show_step(step)

    @property
    def drawn(self) -> bool:
        """Whether every chart in sight is there and shows the newest points."""
        page = self._page()
        if page is None:
            return True
        names = page.names_in_view()
        if not names:
            return page.all_folded
        charts = [self._cells[name].chart if name in self._cells else None for name in names]
        return all(chart is not None and not chart.dirty for chart in charts)

    def elided(self) -> list[str]:
        """Texts of chart titles that had to be shortened."""
        return self._charts.elided()

    def _say_empty(self) -> None:
        session = self._session
        if session is None:
            self._empty.set_words("No run is open", "Choose one in the runs panel at the left.")
        elif session.standing.state.ended:
            self._empty.set_words("This run logged no points", "It ended before its first log call.")
        else:
            self._empty.set_words(
                "No points yet",
                "A chart appears here for each name that the script logs, with its first log call.",
            )

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._fill_soon()
