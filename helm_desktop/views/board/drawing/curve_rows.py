"""What drawings with a row for each curve share: names at the left, from the top down."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF

from helm_desktop.theme import figure_font
from helm_desktop.views.board.canvas.axis import TICK_PX, Labelled
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content import curve_labels
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.curves import ChartCurve
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView

_LEAST_PX, _MOST_PX = 50, 150
_ROW_PX = 13  # a label needs this much
_AIR = 10


class RowDrawing(Drawing):
    """Row 0 is at the top; its middle stands at the y of `count - 0.5`."""

    rows = True
    legend = False

    def __init__(self, content: ChartContent) -> None:
        super().__init__(content)
        self._metrics = QFontMetricsF(figure_font(TICK_PX))
        self._key: object = None
        self._named: list[tuple[ChartCurve, str, str]] = []

    def named(self) -> list[tuple[ChartCurve, str, str]]:
        """Return each row: its curve, the value of its variable, its label."""
        strands = self.content.curves.all()
        key = (id(strands), self.content.spec.series)
        if key != self._key:
            self._key = key
            self._named = [(strand, *self._words(strand)) for strand in strands]
            widest = max((self._metrics.horizontalAdvance(row[2]) for row in self._named), default=0.0)
            self.left_px = int(min(max(widest + _AIR, _LEAST_PX), _MOST_PX))
        return self._named

    def _words(self, strand: ChartCurve) -> tuple[str, str]:
        shown = strand.shown
        several = len(shown.series.processes()) > 1
        process = f" {strand.process}" if several else ""
        if not shown.values:
            return shown.label, strand.name or shown.label
        return shown.values[0], curve_labels.of_values(self.content.spec, shown) + process

    def measure(self) -> None:
        self.named()

    def fit(self, view: DrawnView, held: Range | None, height: float) -> Range:
        return 0.0, float(max(1, len(self.named())))

    def y_ticks(self, low: float, high: float, length: float) -> Labelled:
        rows = self.named()
        count = len(rows)
        every = max(1, -(-int(count * _ROW_PX) // max(1, int(length))))
        return [(count - at - 0.5, rows[at][2]) for at in range(0, count, every)]

    def grid(self, low: float, high: float, length: float) -> list[float]:
        return []

    def index_at(self, y: float) -> int:
        """Return the number of the row at a height; -1 where there is none."""
        count = len(self.named())
        at = int(count - y) if y <= count else -1
        return at if 0 <= at < count else -1

    def row_at(self, y: float) -> str:
        at = self.index_at(y)
        return self.named()[at][1] if at >= 0 else ""

    def row_place(self, value: str) -> float | None:
        at = self._number(value)
        return len(self.named()) - at - 0.5 if at >= 0 else None

    def _number(self, value: str) -> int:
        return next((at for at, row in enumerate(self.named()) if row[1] == value), -1)

    def summary(self) -> str:
        return self.content.curves.counted()
