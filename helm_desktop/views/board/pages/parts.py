"""The parts of the board, as its edits and menus need them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.views.board.pages.board_pages import BoardPages
from helm_desktop.views.board.pages.cells import ChartCells
from helm_desktop.views.board.pages.charts import BuiltCharts
from helm_desktop.views.board.pages.current_chart import CurrentChart
from helm_desktop.views.board.pages.full_chart import FullChart
from helm_desktop.views.board.pages.head import BoardHead


@dataclass(frozen=True)
class BoardParts:
    """The parts of one board; they live as long as the board."""

    frame: QWidget  # the widget that contains all parts
    model: BoardModel  # the layout, with undo
    head: BoardHead  # tabs, pills, search field
    charts: BuiltCharts
    cells: ChartCells
    full: FullChart
    pages: BoardPages
    current: CurrentChart
