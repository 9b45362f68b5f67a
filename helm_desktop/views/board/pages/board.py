"""The board of the open run: page tabs over pages of charts that share crosshair and zoom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.theme import set_look
from helm_desktop.views.board.pages.board_pages import BoardPages
from helm_desktop.views.board.pages.board_search import BoardSearch
from helm_desktop.views.board.pages.cells import ChartCells
from helm_desktop.views.board.pages.charts import BuiltCharts
from helm_desktop.views.board.pages.current_chart import CurrentChart
from helm_desktop.views.board.pages.edits import BoardEdits
from helm_desktop.views.board.pages.empty_board import EmptyBoard
from helm_desktop.views.board.pages.full_chart import FullChart
from helm_desktop.views.board.pages.head import BoardHead
from helm_desktop.views.board.pages.menus import BoardMenus
from helm_desktop.views.board.pages.page_set import PageSet
from helm_desktop.views.board.pages.parts import BoardParts
from helm_desktop.views.board.pages.screen_report import ChartReport, chart_reports
from helm_desktop.widgets import handle_key

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class BoardView(QWidget):
    """The widget of the board. It composes the parts and gives them the open run."""

    edit_requested = Signal(str)  # a chart's id
    inspect_requested = Signal(str)  # the text to search the model for
    session_left = Signal()  # the open run is about to be replaced by another, or by none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self._session: Session | None = None
        self.model = BoardModel(self)
        self.charts = BuiltCharts(self.model, self)
        self.cells = ChartCells(self.model, self.charts, self)
        self.head = BoardHead()
        self.empty = EmptyBoard()
        stack = PageSet(self.empty)
        self.full = FullChart(stack, self.cells)
        self.pages = BoardPages(self.model, self.head, stack, self.cells, self.charts, self.full, self)
        self.current = CurrentChart(self, self.pages, self.cells, self.charts)
        self.search = BoardSearch(self.model, self.head, self.pages, self.full, self.current)
        self.parts = BoardParts(
            self, self.model, self.head, self.charts, self.cells, self.full, self.pages, self.current
        )
        self.edits = BoardEdits(self.parts)
        self._menus = BoardMenus(self.parts, self.edits)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(stack, 1)
        self.head.hide()
        self._connect()
        self._show_empty()

    def _connect(self) -> None:
        self.head.pills.whole_requested.connect(self.charts.window.follow)
        self.charts.window.zoom_changed.connect(self._show_zoom)
        self.charts.row_requested.connect(self.inspect_requested)
        self.charts.full_requested.connect(self.full.toggle)
        self.charts.edit_requested.connect(self.edit_requested)
        self.edits.charts.edit_requested.connect(self.edit_requested)
        self.pages.laid_out.connect(self._show_empty)

    # The run -------------------------------------------------------------------------------------

    @property
    def session(self) -> Session | None:
        """The open run."""
        return self._session

    def set_session(self, session: Session | None) -> None:
        """Show another run and drop the charts of the one before; None shows that no run is open."""
        self.session_left.emit()
        before, self._session = self._session, session
        if before is not None:
            before.streams_changed.disconnect(self._show_names)
            before.status_changed.disconnect(self._show_empty)
        self.full.leave()
        self.charts.set_session(session)
        self.cells.forget(list(self.cells.by_id))
        if session is not None:
            session.streams_changed.connect(self._show_names)
            session.status_changed.connect(self._show_empty)
        self._show_names()

    def _show_names(self) -> None:
        session = self._session
        self.model.set_names(session.charted if session is not None else [])
        if session is not None:
            axes = [name for name, series in session.store.series.items() if series.kind == "axis"]
            self.head.pills.set_axes(axes)

    def _show_zoom(self, zoom: tuple[float, float] | None) -> None:
        self.head.pills.show_range(zoom, self.model.layout.x)

    def _show_empty(self) -> None:
        self.empty.explain(self._session, searching=self.search.active)

    def chart_reports(self) -> list[ChartReport]:
        """Return a report on each chart of the board: its points, and whether it is in view."""
        page = self.pages.current if self.full.chart_id == "" else None
        return chart_reports(self.pages.shown, page, self.charts, self.model, self._session)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        search = self.head.close_search if self.head.searching else None
        if not handle_key(event, places.BOARD, {"leave": self.full.leave if self.full.chart_id else search}):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.cells.fill_soon()
