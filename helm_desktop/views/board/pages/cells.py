"""The cells of charts that are or were in view; their charts are built a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from helm_desktop.views.board.pages.cell import ChartCell

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel
    from helm_desktop.views.board.pages.charts import BuiltCharts
    from helm_desktop.views.board.pages.page import PageView

BUILD_AT_ONCE = 3
NEAR_PX = 240


class ChartCells(QObject):
    """The cells by chart id. A cell is created when its place comes near the view, its chart soon after."""

    made = Signal(object)  # a ChartCell
    forgotten = Signal(str)  # the chart's id; its cell still exists when this is emitted

    def __init__(self, model: BoardModel, charts: BuiltCharts, board: QWidget) -> None:
        super().__init__(board)
        self._model = model
        self._charts = charts
        self._board = board
        self.page: PageView | None = None  # the page in front
        self.by_id: dict[str, ChartCell] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._fill)

    def __iter__(self) -> Iterator[ChartCell]:
        return iter(self.by_id.values())

    def get(self, chart_id: str) -> ChartCell | None:
        """Return the cell of a chart; None when the chart has not been in view."""
        return self.by_id.get(chart_id)

    def of(self, page: PageView, names: Sequence[str]) -> list[ChartCell]:
        """Return the cells of some charts of a page; create those that are missing."""
        for name in names:
            if name not in self.by_id:
                cell = self.by_id[name] = ChartCell(name, self._model.spec(name).heading)
                self.made.emit(cell)
                page.put(name, cell)
        return [self.by_id[name] for name in names]

    def forget(self, names: Sequence[str]) -> None:
        """Remove the cells and the charts of charts that are no longer on the board."""
        for name in names:
            self.forgotten.emit(name)
            cell = self.by_id.pop(name)
            self._charts.forget(name)
            cell.hide()
            cell.setParent(None)
            cell.deleteLater()

    def fill_soon(self) -> None:
        """Build the charts that have come into view, as soon as the event loop is idle."""
        if not self._timer.isActive():
            self._timer.start()

    def _fill(self) -> None:
        """Build a few of the charts that are in view and not built yet."""
        page = self.page
        if page is None or not self._charts.ready or not self._board.isVisible():
            return
        missing = [cell for cell in self.of(page, page.names_in_view(NEAR_PX)) if cell.chart is None]
        self._charts.build(missing[:BUILD_AT_ONCE])
        if len(missing) > BUILD_AT_ONCE:
            self._timer.start()

    def draw(self, most: int) -> bool:
        """Build and draw the first `most` charts of the page, even out of view; return True when done."""
        page = self.page
        if page is None or not self._charts.ready:
            return True
        cells = self.of(page, page.open_names()[:most])
        missing = [cell for cell in cells if cell.chart is None]
        self._charts.build(missing[:BUILD_AT_ONCE])
        if missing:
            return False
        for cell in cells:
            if cell.chart is not None and cell.chart.renderer.dirty:
                cell.chart.renderer.refresh()
        return True

    @property
    def drawn(self) -> bool:
        """True when every chart in view is built and shows the newest points."""
        page = self.page
        if page is None:
            return True
        names = page.names_in_view()
        if not names:
            return page.all_folded or not page.open_names()
        charts = [self.by_id[name].chart if name in self.by_id else None for name in names]
        return all(chart is not None and not chart.renderer.dirty for chart in charts)
