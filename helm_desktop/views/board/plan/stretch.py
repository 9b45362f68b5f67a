"""The y range while a hand drags: it grows where the hand pulls at its edge, and the handle stays with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from helm_desktop.views.board.chart import ChartView

_TICK_MS = 33
_PART = 0.03  # of the range a tick, at its edge
_MOST = 5.0  # times that, far beyond it
_FAR_PX = 15.0  # beyond the edge: once more that part


class Stretch(QObject):
    """Holds the range from the press to the release."""

    grown = Signal()  # the range is another one: what is dragged has to follow

    def __init__(self, chart: ChartView, parent: QObject) -> None:
        super().__init__(parent)
        self._chart = chart
        self._beyond = 0.0  # pixels above the upper edge; below the lower one negative
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self.grow)

    def begin(self) -> None:
        """A handle is taken: the range stands still."""
        self._chart.hold_y(self._chart.y_range)

    def pull(self, beyond: float) -> None:
        """The hand is so many pixels beyond the upper edge; below the lower one negative."""
        self._beyond = beyond
        if beyond and not self._clock.isActive():
            self._clock.start()
        elif not beyond:
            self._clock.stop()

    def grow(self) -> None:
        """A little more range on the side that is pulled at."""
        low, high = self._chart.y_range
        more = (high - low) * _PART * min(_MOST, 1.0 + abs(self._beyond) / _FAR_PX)
        self._chart.hold_y((low, high + more) if self._beyond > 0 else (low - more, high))
        self.grown.emit()

    def end(self) -> None:
        """The handle is let go: the range fits again."""
        self.pull(0.0)
        self._chart.hold_y(None)
