"""Which charts are drawn next: those in view with something new, a few at a time, input in between."""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QObject, Qt, QTimer

from helm_desktop.views.board.chart.chart import ChartView

TICK_MS = 16
BUDGET_S = 0.008
BUDGET_MOST_S = 0.014
RENEW_S = 0.2  # each chart that changes is drawn at least five times a second


_log = logging.getLogger(__name__)


class FrameScheduler(QObject):
    """Runs while a visible chart has something to draw, and is still otherwise."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._charts: dict[ChartView, None] = {}
        self.drawn = 0  # charts drawn so far, for tests and figures
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)

    def add(self, chart: ChartView) -> None:
        """Look after a chart from now on."""
        self._charts[chart] = None
        chart.renderer.stale.connect(self.wake)
        chart.exposed.connect(self.wake)
        if chart.renderer.dirty:
            self.wake()

    def remove(self, chart: ChartView) -> None:
        """Forget a chart."""
        if self._charts.pop(chart, 0) is None:
            chart.renderer.stale.disconnect(self.wake)
            chart.exposed.disconnect(self.wake)

    @property
    def running(self) -> bool:
        """Whether something is left to draw."""
        return self._timer.isActive()

    def wake(self) -> None:
        """Something may have to be drawn: at once after a rest, frame by frame otherwise."""
        if not self._timer.isActive():
            self._timer.start(0)

    def stop(self) -> None:
        """Draw nothing more until woken."""
        self._timer.stop()

    def waiting(self) -> list[ChartView]:
        """Charts in view with something new, the longest unrenewed first."""
        due = [
            chart for chart in self._charts if chart.renderer.dirty and not chart.visibleRegion().isEmpty()
        ]
        return sorted(due, key=lambda chart: chart.renderer.refreshed_at)

    def tick(self) -> None:
        """Draw for one frame's time."""
        if self._timer.interval() != TICK_MS:
            self._timer.setInterval(TICK_MS)
        due = self.waiting()
        if not due:
            self._timer.stop()
            return
        end = time.perf_counter() + self._budget(due)
        for chart in due:
            end -= chart.plot.canvas.paint_cost  # the window paints it when this is over
            try:
                chart.renderer.refresh()
            except Exception:  # one chart that cannot be drawn takes no other along
                _log.exception("drawing %s failed", chart.content.title)
            self.drawn += 1
            if time.perf_counter() >= end:
                break

    @staticmethod
    def _budget(due: list[ChartView]) -> float:
        """More than usual only where the charts in view would otherwise be renewed too seldom."""
        needed = sum(chart.renderer.refresh_cost for chart in due) * TICK_MS / 1000 / RENEW_S
        return min(max(BUDGET_S, needed), BUDGET_MOST_S)
