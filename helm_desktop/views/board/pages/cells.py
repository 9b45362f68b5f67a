"""The places of charts that have been in sight, filled a few at a time."""

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
    """A cell is made when its place comes near, its chart soon after."""

    made = Signal(object)  # a ChartCell
    forgotten = Signal(str)  # the chart's id; its cell is still there

    def __init__(self, model: BoardModel, charts: BuiltCharts, board: QWidget) -> None:
        super().__init__(board)
        self._model = model
        self._charts = charts
        self._board = board
        self.page: PageView | None = None  # the one in front
        self.by_id: dict[str, ChartCell] = {}
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(0)
        self._clock.timeout.connect(self._fill)

    def __iter__(self) -> Iterator[ChartCell]:
        return iter(self.by_id.values())

    def get(self, chart_id: str) -> ChartCell | None:
        """Return the place of a chart that has been in sight."""
        return self.by_id.get(chart_id)

    def of(self, page: PageView, names: Sequence[str]) -> list[ChartCell]:
        """Return the cells of these charts of a page, made where they are missing."""
        for name in names:
            if name not in self.by_id:
                cell = self.by_id[name] = ChartCell(name, self._model.spec(name).heading)
                self.made.emit(cell)
                page.put(name, cell)
        return [self.by_id[name] for name in names]

    def forget(self, names: Sequence[str]) -> None:
        """These charts are gone from the board."""
        for name in names:
            self.forgotten.emit(name)
            cell = self.by_id.pop(name)
            self._charts.forget(name)
            cell.hide()
            cell.setParent(None)
            cell.deleteLater()

    def fill_soon(self) -> None:
        """Other charts may be in sight now."""
        if not self._clock.isActive():
            self._clock.start()

    def _fill(self) -> None:
        """Build a few of the charts that are in sight and not there yet."""
        page = self.page
        if page is None or not self._charts.ready or not self._board.isVisible():
            return
        missing = [cell for cell in self.of(page, page.names_in_view(NEAR_PX)) if cell.chart is None]
        self._charts.build(missing[:BUILD_AT_ONCE])
        if len(missing) > BUILD_AT_ONCE:
            self._clock.start()

    def draw(self, most: int) -> bool:
        """Build and draw up to so many charts of the page, in sight or not; whether that is done."""
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
        """Whether every chart in sight is there and shows the newest points."""
        page = self.page
        if page is None:
            return True
        names = page.names_in_view()
        if not names:
            return page.all_folded or not page.open_names()
        charts = [self.by_id[name].chart if name in self.by_id else None for name in names]
        return all(chart is not None and not chart.renderer.dirty for chart in charts)
