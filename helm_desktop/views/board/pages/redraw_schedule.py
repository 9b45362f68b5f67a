"""The order in which charts are drawn: those in view that have changed, a few for each frame."""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QObject, Qt, QTimer

from helm_desktop.views.board.chart.chart import ChartView

TICK_MS = 16
BUDGET_S = 0.008  # seconds of a frame that are spent on drawing
MAX_BUDGET_S = 0.014
REDRAW_S = 0.2  # each chart that changes is drawn at least five times a second


_log = logging.getLogger(__name__)


class FrameScheduler(QObject):
    """Draws charts frame by frame while a visible chart has changed. Input is handled between the frames."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._charts: dict[ChartView, None] = {}
        self.drawn = 0  # how many charts were drawn so far, for tests and measurements
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)

    def add(self, chart: ChartView) -> None:
        """Draw a chart from now on whenever it has changed and is visible."""
        self._charts[chart] = None
        chart.renderer.stale.connect(self.wake)
        chart.exposed.connect(self.wake)
        if chart.renderer.dirty:
            self.wake()

    def remove(self, chart: ChartView) -> None:
        """Stop drawing a chart."""
        if self._charts.pop(chart, 0) is None:
            chart.renderer.stale.disconnect(self.wake)
            chart.exposed.disconnect(self.wake)

    @property
    def running(self) -> bool:
        """True while the timer runs, because something may be left to draw."""
        return self._timer.isActive()

    def wake(self) -> None:
        """Draw at the next frame; at once when nothing had to be drawn before."""
        if not self._timer.isActive():
            self._timer.start(0)

    def stop(self) -> None:
        """Stop drawing until the next `wake`."""
        self._timer.stop()

    def waiting(self) -> list[ChartView]:
        """Return the charts in view that have changed; the one drawn longest ago comes first."""
        due = [
            chart for chart in self._charts if chart.renderer.dirty and not chart.visibleRegion().isEmpty()
        ]
        return sorted(due, key=lambda chart: chart.renderer.refreshed_at)

    def tick(self) -> None:
        """Draw charts until the time budget of one frame is spent."""
        if self._timer.interval() != TICK_MS:
            self._timer.setInterval(TICK_MS)
        due = self.waiting()
        if not due:
            self._timer.stop()
            return
        end = time.perf_counter() + self._budget(due)
        for chart in due:
            end -= chart.plot.canvas.paint_cost  # Qt paints the chart after this function, in the same frame
            try:
                chart.renderer.refresh()
            except Exception:  # a chart that cannot be drawn does not stop the others
                _log.exception("drawing %s failed", chart.content.title)
            self.drawn += 1
            if time.perf_counter() >= end:
                break

    @staticmethod
    def _budget(due: list[ChartView]) -> float:
        """Return the seconds to draw in this frame: more than BUDGET_S only to keep REDRAW_S."""
        needed = sum(chart.renderer.refresh_cost for chart in due) * TICK_MS / 1000 / REDRAW_S
        return min(max(BUDGET_S, needed), MAX_BUDGET_S)
