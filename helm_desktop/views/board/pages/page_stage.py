"""The pages of the board as they stand: which is in front, where each chart is, which has the keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.shown_board import Find, ShownPage
from helm_desktop.theme import set_look
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.cells import ChartCells
from helm_desktop.views.board.pages.charts import BuiltCharts
from helm_desktop.views.board.pages.empty_board import EmptyBoard
from helm_desktop.views.board.pages.full_chart import FullChart
from helm_desktop.views.board.pages.head import BoardHead
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.page_set import PageSet


class BoardStage(QWidget):
    """Laid out by its model. Charts are built when they come into view, a few at a time."""

    current_changed = Signal()  # another chart has the focus
    edit_requested = Signal(str)  # a chart's id
    page_made = Signal(object)  # a BoardPage
    page_turned = Signal(object)  # the BoardPage in front, or None
    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self.model = BoardModel(self)
        self._plans: tuple[ShownPage, ...] = ()
        self._current = ""
        self.searched: Find | None = None  # what the search lets through
        self.hidden_too = False
        self.charts = BuiltCharts(self.model, self)
        self.cells = ChartCells(self.model, self.charts, self)
        self.head = BoardHead()
        self.tabs = self.head.tabs
        self.empty = EmptyBoard()
        self._stack = PageSet(self.empty)
        self.full = FullChart(self._stack)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        self.head.hide()
        self.tabs.currentChanged.connect(self._turn_page)
        self.model.changed.connect(self.lay_out)
        self.charts.full_requested.connect(self.toggle_full)
        self.charts.edit_requested.connect(self.edit_requested)
        self.full.left.connect(self._leave_full)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    # Pages ---------------------------------------------------------------------------------------

    @property
    def plans(self) -> tuple[ShownPage, ...]:
        """What is shown: pages, sections, charts."""
        return self._plans

    @property
    def current_page(self) -> PageView | None:
        """The page in sight."""
        return self._stack.page(self.tabs.current_page)

    def step_page(self, by: int) -> None:
        """Turns to the next or the previous page."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def lay_out(self) -> None:
        """Shows the layout anew, hidden charts with it or not."""
        model, layout = self.model, self.model.layout
        plans = model.shown(self.searched, hidden_too=self.hidden_too)
        self._plans = plans if model.names else ()
        spans = {key: (chart.columns, chart.rows) for key, chart in layout.charts.items()}
        there = {chart for plan in self._plans for chart in plan.charts}
        self.forget_cells([name for name in self.cells.by_id if name not in there])
        folded = set(layout.folded) if self.searched is None else set()
        for page in self._stack.show_plans(self._plans, self.cells.by_id, folded, spans):
            page.view_changed.connect(self.cells.fill_soon)
            self.page_made.emit(page)
        self.tabs.show_pages(self._plans)
        self._stack.keep({plan.id for plan in self._plans})
        self.head.setVisible(bool(model.names) and self.full.chart_id == "")
        self.head.pills.show_state(layout.x, layout.smoothing)
        self.charts.renew()
        self.laid_out.emit()
        self._turn_page()

    def _turn_page(self) -> None:
        page = self.current_page
        self.cells.page = page
        self.page_turned.emit(page)
        if self.full.chart_id:
            return
        self._stack.turn_to(page)
        self.cells.fill_soon()

    # One chart in the whole board ----------------------------------------------------------------

    def toggle_full(self, chart_id: str) -> None:
        """One chart over the whole board, or back."""
        cell = self.cells.by_id.get(chart_id)
        if self.full.chart_id == chart_id:
            self.full.leave()
        elif cell is not None and cell.chart is not None:
            self.head.hide()
            self.full.show_cell(cell)

    def _leave_full(self) -> None:
        self.head.setVisible(bool(self.model.names))
        self._turn_page()

    # Charts --------------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The chart that keys and menus mean: the one that had the focus last."""
        return self._current if self._current in self.cells.by_id else ""

    def cell(self, chart_id: str) -> ChartCell | None:
        """The place of a chart that has been in sight."""
        return self.cells.by_id.get(chart_id)

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
        (cell,) = self.cells.of(page, [chart_id])
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

    def forget_cells(self, names: Sequence[str]) -> None:
        """These charts are not on the board any more."""
        if self.full.chart_id in names:
            self.full.leave()
        self.cells.forget(names)

    def draw_page(self, most: int) -> bool:
        """Builds and draws up to so many charts of the page, in sight or not; whether that is done."""
        return self.cells.draw(most)

    @property
    def drawn(self) -> bool:
        """Whether every chart in sight is there and shows the newest points."""
        return self.cells.drawn

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self.cells.fill_soon()
