"""The x range and the crosshair that all charts of a board share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.spec import STEP
from helm_desktop.views.board.pages.run_feeds import RunFeeds

if TYPE_CHECKING:
    from helm_desktop.views.board.pages.feed import ChartFeed


class SharedWindow(QObject):
    """Applies the zoom and the crosshair of one chart to all other charts over the same x axis."""

    zoom_changed = Signal(object)  # the part of the run that is shown: its ends, or None for the whole run

    def __init__(self, feeds: RunFeeds, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feeds = feeds
        self._zoom: tuple[str, tuple[float, float]] | None = None  # the x axis of the zoom, and its ends

    @property
    def zoom(self) -> tuple[float, float] | None:
        """The part of the run that is shown; None for the whole."""
        return self._zoom[1] if self._zoom is not None else None

    def join(self, feed: ChartFeed) -> None:
        """Let a chart share the x range and the crosshair from now on."""
        ranges = feed.chart.ranges
        if self._zoom is not None and self._zoom[0] == feed.spec.x:
            ranges.set_x(*self._zoom[1])
        ranges.zoomed.connect(self._on_zoomed)
        ranges.follow_requested.connect(self.follow)
        feed.chart.crosshair.moved.connect(self._on_crosshair)

    def forget(self) -> None:
        """Show the whole run, after the charts were replaced."""
        self._zoom = None
        self.zoom_changed.emit(None)

    def follow(self) -> None:
        """Undo every zoom; all charts show the whole run and follow it."""
        self.forget()
        sender = self.sender()
        for feed in self._feeds:
            if feed.chart.ranges is not sender:
                feed.chart.ranges.set_follow()

    def set_axis(self, x: str) -> None:
        """Undo the zoom when it was made over another x axis than `x`."""
        if self._zoom is not None and self._zoom[0] != x:
            self.follow()

    def show_step(self, step: int) -> None:
        """Put the crosshair of every chart on a step; a zoom that does not show the step is moved to it."""
        if self._zoom is not None and self._zoom[0] == STEP and not _inside(step, self._zoom[1]):
            half = (self._zoom[1][1] - self._zoom[1][0]) / 2
            self._zoom = STEP, (step - half, step + half)
            self.zoom_changed.emit(self._zoom[1])
            for feed in self._feeds:
                if feed.spec.x == STEP:
                    feed.chart.ranges.set_x(*self._zoom[1])
        for feed in self._feeds:
            feed.chart.crosshair.set_x(feed.chart.content.mark_positions.of(step))

    def _on_zoomed(self, x0: float, x1: float) -> None:
        sender = self.sender()
        source = next((feed for feed in self._feeds if feed.chart.ranges is sender), None)
        x = source.spec.x if source is not None else STEP
        self._zoom = x, (x0, x1)
        self.zoom_changed.emit((x0, x1))
        for feed in self._feeds:
            if feed is not source and feed.spec.x == x:
                feed.chart.ranges.set_x(x0, x1)

    def _on_crosshair(self, x: float | None) -> None:
        sender = self.sender()
        source = next((feed for feed in self._feeds if feed.chart.crosshair is sender), None)
        for feed in self._feeds:
            if source is not None and feed is not source and feed.spec.x == source.spec.x:
                feed.chart.crosshair.set_x(x)


def _inside(x: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= x <= ends[1]
