"""The pages of the board: what each one shows, and which one is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.board.shown_board import Find, ShownPage
from helm_desktop.views.board.pages.cells import ChartCells
from helm_desktop.views.board.pages.charts import BuiltCharts
from helm_desktop.views.board.pages.full_chart import FullChart
from helm_desktop.views.board.pages.head import BoardHead
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.page_set import PageSet

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel


class BoardPages(QObject):
    """The pages, laid out by the board's model and by the search."""

    page_made = Signal(object)  # a PageView
    turned = Signal(object)  # the PageView in front, or None
    laid_out = Signal()

    def __init__(
        self,
        model: BoardModel,
        head: BoardHead,
        stack: PageSet,
        cells: ChartCells,
        charts: BuiltCharts,
        full: FullChart,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._head = head
        self._stack = stack
        self._cells = cells
        self._charts = charts
        self._full = full
        self.shown: tuple[ShownPage, ...] = ()  # the pages with their sections and charts
        self.hidden_too = False  # True: hidden charts are shown as well
        self.filter: Find | None = None  # what the search matches; None shows all
        head.tabs.currentChanged.connect(self._turn)
        model.changed.connect(self.lay_out)
        full.entered.connect(head.hide)
        full.left.connect(self._on_full_left)

    @property
    def current(self) -> PageView | None:
        """The page in front."""
        return self._stack.page(self._head.tabs.current_page)

    def of_chart(self, chart_id: str) -> ShownPage | None:
        """Return the page that shows a chart."""
        return next((page for page in self.shown if chart_id in page.charts), None)

    def step(self, by: int) -> None:
        """Show the page that is `by` tabs further on; after the last page comes the first."""
        tabs = self._head.tabs
        if tabs.count():
            tabs.setCurrentIndex((tabs.currentIndex() + by) % tabs.count())

    def turn_to_chart(self, chart_id: str) -> PageView | None:
        """Show the page of a chart, scroll to it and return the page; None when no page shows the chart."""
        shown = self.of_chart(chart_id)
        if shown is None:
            return None
        self._full.leave()
        self._head.tabs.turn_to(shown.id)
        page = self._stack.page(shown.id)
        if page is not None:
            page.show_chart(chart_id)
        return page

    def show_hidden(self, on: bool) -> None:
        """Show or stop showing the charts that are hidden."""
        self.hidden_too = on
        self.lay_out()

    def set_filter(self, find: Find | None) -> None:
        """Show only the charts that match a search; None shows all."""
        self.filter = find
        self.lay_out()

    def lay_out(self) -> None:
        """Lay all pages out again, after a change of the board, of the search or of the run's streams."""
        model, layout = self._model, self._model.layout
        pages = model.shown(self.filter, hidden_too=self.hidden_too)
        self.shown = pages if model.names else ()
        spans = {key: (chart.columns, chart.rows) for key, chart in layout.charts.items()}
        shown = {chart for page in self.shown for chart in page.charts}
        self._cells.forget([name for name in self._cells.by_id if name not in shown])
        folded = set(layout.folded) if self.filter is None else set()
        for page in self._stack.lay_out(self.shown, self._cells.by_id, folded, spans):
            page.view_changed.connect(self._cells.fill_soon)
            self.page_made.emit(page)
        self._head.tabs.show_pages(self.shown)
        self._stack.remove_others({page.id for page in self.shown})
        self._show_head()
        self._head.pills.show_state(layout.x, layout.smoothing)
        self._charts.refresh()
        self.laid_out.emit()
        self._turn()

    def _show_head(self) -> None:
        self._head.setVisible(bool(self._model.names) and self._full.chart_id == "")

    def _turn(self) -> None:
        page = self.current
        self._cells.page = page
        self.turned.emit(page)
        if not self._full.chart_id:
            self._stack.turn_to(page)
            self._cells.fill_soon()

    def _on_full_left(self) -> None:
        self._show_head()
        self._turn()
