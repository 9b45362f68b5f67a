"""A chart's place on the board: the card is there at once, the chart when it comes into view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets import ElidedLabel

if TYPE_CHECKING:
    from helm_desktop.views.board.chart import ChartView


class ChartCell(QFrame):
    """Holds the name until the chart is built."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.chart: ChartView | None = None
        set_look(self, "card")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._title = ElidedLabel(name, "title")
        self._title.setContentsMargins(12, 8, 12, 0)
        self._column.addWidget(self._title)
        self._column.addStretch(1)

    def put(self, chart: ChartView) -> None:
        """The chart takes the whole place."""
        self.chart = chart
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        set_look(self, "place")
        self._column.addWidget(chart)

    def take_back(self) -> None:
        """The chart, which stood elsewhere for a while, is here again."""
        if self.chart is not None:
            self._column.addWidget(self.chart)
            self.chart.show()
