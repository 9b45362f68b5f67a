"""The current chart: the one that had the focus last, which keys and menu entries act on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from helm_desktop.views.board.pages.board_pages import BoardPages
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.cells import ChartCells
from helm_desktop.views.board.pages.charts import BuiltCharts


class CurrentChart(QObject):
    """The id of the current chart; it follows the focus."""

    changed = Signal()

    def __init__(self, board: QWidget, pages: BoardPages, cells: ChartCells, charts: BuiltCharts) -> None:
        super().__init__(board)
        self._board = board
        self._pages = pages
        self._cells = cells
        self._charts = charts
        self._id = ""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    @property
    def id(self) -> str:
        """The id of the current chart; empty when there is none."""
        return self._id if self._id in self._cells.by_id else ""

    def show(self, chart_id: str) -> None:
        """Show the page of a chart, scroll to it and give it the focus."""
        page = self._pages.turn_to_chart(chart_id)
        if page is None:
            return
        (cell,) = self._cells.of(page, [chart_id])
        if cell.chart is None:
            self._charts.build([cell])
        if cell.chart is not None:
            cell.chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self._id = chart_id
        self.changed.emit()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        while now is not None and not isinstance(now, ChartCell):
            now = now.parentWidget()
        if isinstance(now, ChartCell) and self._board.isAncestorOf(now) and now.name != self._id:
            self._id = now.name
            self.changed.emit()
