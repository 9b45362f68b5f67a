"""The board of the open run: page tabs over pages of charts that share crosshair and zoom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from helm_desktop.model.board_model import BoardModel
from helm_desktop.model.board_shown import BadPattern, Find, ShownPage, finder
from helm_desktop.theme import set_look
from helm_desktop.views.board.cell import ChartCell
from helm_desktop.views.board.cells import Cells
from helm_desktop.views.board.charts import Charts
from helm_desktop.views.board.desk import BoardDesk
from helm_desktop.views.board.empty import EmptyBoard
from helm_desktop.views.board.facts import ChartFacts, facts_of
from helm_desktop.views.board.full import FullChart
from helm_desktop.views.board.head import BoardHead
from helm_desktop.views.board.page import BoardPage
from helm_desktop.views.board.page_set import PageSet, listen

if TYPE_CHECKING:
    from helm_desktop.model.session import Session
    from helm_desktop.views.board.chart import ChartView


class BoardView(QWidget):
    """Laid out by its model. Charts are built when they come into view, a few at a time."""

    current_changed = Signal()  # another chart has the focus
    inspect_requested = Signal(str)  # words to search the model for
    edit_requested = Signal(str)  # a chart's id
    session_left = Signal()  # another run takes this one's place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self._session: Session | None = None
        self.model = BoardModel(self)
        self._plans: tuple[ShownPage, ...] = ()
        self._current = ""
        self._find: Find | None = None
        self.hidden_too = False
        self.charts = Charts(self.model, self)
        self._cells = Cells(self.model, self.charts, self)
        self.head = BoardHead()
        self.tabs = self.head.tabs
        self._empty = EmptyBoard()
        self._stack = PageSet(self._empty)
        self._build()
        self.full = FullChart(self._stack)
        self.desk = BoardDesk(self)
        self._connect()
        self._say_empty()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        self.head.hide()

    def _connect(self) -> None:
        head = self.head
        head.pills.whole_requested.connect(self.follow)
        head.find_changed.connect(self._search)
        head.found_wanted.connect(self._show_first)
        self.tabs.currentChanged.connect(self._turn_page)
        self.model.changed.connect(self.lay_out)
        self.charts.zoom_changed.connect(self._show_zoom)
        self.charts.full_requested.connect(self.toggle_full)
        self.charts.edit_requested.connect(self.edit_requested)
        self.charts.row_requested.connect(self.inspect_requested)
        self.full.left.connect(self._leave_full)
        self._cells.made.connect(self.desk.look_after)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    # The run -------------------------------------------------------------------------------------

    def set_session(self, session: Session | None) -> None:
        """Shows another run; the charts of the one before are given up."""
        self.session_left.emit()
        before, self._session = self._session, session
        if before is not None:
            before.streams_changed.disconnect(self._take_names)
            before.standing_changed.disconnect(self._say_empty)
        self.full.leave()
        self.charts.set_session(session)
        self._forget_cells(list(self._cells.by_id))
        if session is not None:
            session.streams_changed.connect(self._take_names)
            session.standing_changed.connect(self._say_empty)
        self._take_names()

    @property
    def session(self) -> Session | None:
        """The open run."""
        return self._session

    def _take_names(self) -> None:
        session = self._session
        self.model.set_names(session.charted if session is not None else [])
        if session is not None:
            axes = [name for name, series in session.store.series.items() if series.kind == "axis"]
            self.head.pills.set_axes(axes)

    def built(self) -> Iterator[ChartView]:
        """The charts that have been in sight."""
        return iter(self.charts)

    def facts(self) -> list[ChartFacts]:
        """What each chart of the board shows now."""
        page = self.current_page if self.full.chart_id == "" else None
        return facts_of(self._plans, page, self.charts, self.model, self._session)

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model: on a run that offers captures."""
        self.charts.set_inspects(on)

    # Pages ---------------------------------------------------------------------------------------

    @property
    def plans(self) -> tuple[ShownPage, ...]:
        """What is shown: pages, sections, charts."""
        return self._plans

    @property
    def current_page(self) -> BoardPage | None:
        """The page in sight."""
        return self._stack.page(self.tabs.current_page)

    def step_page(self, by: int) -> None:
        """Turns to the next or the previous page."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def fold_all(self, on: bool) -> None:
        """Folds or unfolds every section of the page."""
        page = self.current_page
        if page is not None:
            self.desk.sections.fold([section.id for section in page.sections], on)

    @property
    def empty_words(self) -> str:
        """What the board says while it has no chart."""
        return self._empty.words

    def lay_out(self) -> None:
        """Shows the layout anew, hidden charts with it or not."""
        model, layout = self.model, self.model.layout
        plans = model.shown(self._find, hidden_too=self.hidden_too)
        self._plans = plans if model.names else ()
        spans = {key: (chart.columns, chart.rows) for key, chart in layout.charts.items()}
        there = {chart for plan in self._plans for chart in plan.charts}
        self._forget_cells([name for name in self._cells.by_id if name not in there])
        folded = set(layout.folded) if self._find is None else set()
        for page in self._stack.show_plans(self._plans, self._cells.by_id, folded, spans):
            listen(page, self.desk, self._cells)
        self.tabs.show_pages(self._plans)
        self._stack.keep({plan.id for plan in self._plans})
        self.head.setVisible(bool(model.names) and self.full.chart_id == "")
        self.head.pills.show_state(layout.x, layout.smoothing)
        self.charts.renew()
        self._say_found()
        self._say_empty()
        self._turn_page()

    def _turn_page(self) -> None:
        page = self.current_page
        self._cells.page = page
        self.desk.drag.show_page(page)
        if self.full.chart_id:
            return
        self._stack.turn_to(page)
        self._cells.fill_soon()

    # Search --------------------------------------------------------------------------------------

    def open_search(self) -> None:
        """Opens the search for charts."""
        self.full.leave()
        self.head.open_search()

    def _search(self, text: str, regex: bool) -> None:
        try:
            self._find = finder(text, regex=regex)
        except BadPattern as error:
            self.head.say_found(str(error), wrong=True)
            return
        self.lay_out()

    def _show_first(self) -> None:
        """From the search to the first chart that it has found."""
        first = next((chart for plan in self._plans for chart in plan.charts), "")
        if first:
            self.show_chart(first)

    def _say_found(self) -> None:
        if self._find is None:
            self.head.say_found("")
            return
        found = sum(len(plan.charts) for plan in self._plans)
        total = sum(len(page.charts) for page in self.model.shown(hidden_too=self.hidden_too))
        self.head.say_found(f"{found:,} of {total:,} charts")

    # One chart in the whole board ----------------------------------------------------------------

    def toggle_full(self, chart_id: str) -> None:
        """One chart over the whole board, or back."""
        cell = self._cells.by_id.get(chart_id)
        if self.full.chart_id == chart_id:
            self.full.leave()
        elif cell is not None and cell.chart is not None:
            self.head.hide()
            self.full.show_cell(cell)

    def _leave_full(self) -> None:
        self.head.setVisible(bool(self.model.names))
        self._turn_page()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape goes back from one chart to the board, and from a search to all charts."""
        if event.key() == Qt.Key.Key_Escape and self.full.chart_id:
            self.full.leave()
        elif event.key() == Qt.Key.Key_Escape and self.head.searching:
            self.head.close_search()
        else:
            super().keyPressEvent(event)

    # Charts --------------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The chart that keys and menus mean: the one that had the focus last."""
        return self._current if self._current in self._cells.by_id else ""

    def cell(self, chart_id: str) -> ChartCell | None:
        """The place of a chart that has been in sight."""
        return self._cells.by_id.get(chart_id)

    def show_chart(self, chart_id: str) -> None:
        """Turns and scrolls to a chart and gives it the focus."""
        plan = next((plan for plan in self._plans if chart_id in plan.charts), None)
        if plan is None:
            return
        self.full.leave()
        self.tabs.turn_to(plan.id)
        page = self._stack.page(plan.id)
        if page is None:
            return
        page.show_chart(chart_id)
        (cell,) = self._cells.of(page, [chart_id])
        if cell.chart is None:
            self.charts.build([cell])
        if cell.chart is not None:
            cell.chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self._current = chart_id
        self.current_changed.emit()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        while now is not None and not isinstance(now, ChartCell):
            now = now.parentWidget()
        if isinstance(now, ChartCell) and self.isAncestorOf(now) and now.name != self._current:
            self._current = now.name
            self.current_changed.emit()

    def _forget_cells(self, names: Sequence[str]) -> None:
        if self.full.chart_id in names:
            self.full.leave()
        self._cells.forget(names)

    def draw_page(self, most: int) -> bool:
        """Builds and draws up to so many charts of the page, in sight or not; whether that is done."""
        return self._cells.draw(most)

    def follow(self) -> None:
        """Undoes every zoom: all charts show the whole run and follow it."""
        self.charts.follow()

    def show_step(self, step: int) -> None:
        """Marks a step on every chart."""
        self.charts.show_step(step)

    def _show_zoom(self, zoom: tuple[float, float] | None) -> None:
        self.head.pills.show_range(zoom, self.model.layout.x)

    @property
    def drawn(self) -> bool:
        """Whether every chart in sight is there and shows the newest points."""
        return self._cells.drawn

    def elided(self) -> list[str]:
        """Texts of chart titles that had to be shortened."""
        return self.charts.elided()

    def _say_empty(self) -> None:
        self._empty.say(self._session, searching=self._find is not None)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._cells.fill_soon()
