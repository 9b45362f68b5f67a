"""The feeds of all charts that have been built, updated with what the open run logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.model.chart.spec import ACTIVE

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.pages.feed import ChartFeed


class RunFeeds(QObject):
    """The feeds by chart id. Passes the updates of the open run to each of them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session: Session | None = None
        self._by_id: dict[str, ChartFeed] = {}

    def __iter__(self) -> Iterator[ChartFeed]:
        return iter(self._by_id.values())

    def ids(self) -> list[str]:
        """Return the ids of the charts that have a feed."""
        return list(self._by_id)

    def get(self, chart_id: str) -> ChartFeed | None:
        """Return the feed of a chart; None when it has none."""
        return self._by_id.get(chart_id)

    def add(self, feed: ChartFeed) -> None:
        """Update a chart from now on."""
        self._by_id[feed.chart_id] = feed
        self.follow_clock()

    def remove(self, chart_id: str) -> ChartFeed | None:
        """Stop updating a chart and return its feed; None when it had none."""
        return self._by_id.pop(chart_id, None)

    def set_session(self, session: Session | None) -> None:
        """Follow another run, or none. The caller removes the feeds of the run before."""
        before, self.session = self.session, session
        if before is not None:
            before.points_arrived.disconnect(self._on_points)
            before.streams_changed.disconnect(self._on_streams)
            before.marks_changed.disconnect(self._on_marks)
            before.plan_changed.disconnect(self._on_plan)
            before.status_changed.disconnect(self._on_status)
            before.histograms_logged.disconnect(self._on_histograms)
            before.histograms.arrived.disconnect(self._on_histograms)
        if session is not None:
            session.points_arrived.connect(self._on_points)
            session.streams_changed.connect(self._on_streams)
            session.marks_changed.connect(self._on_marks)
            session.plan_changed.connect(self._on_plan)
            session.status_changed.connect(self._on_status)
            session.histograms_logged.connect(self._on_histograms)
            session.histograms.arrived.connect(self._on_histograms)

    def follow_clock(self) -> None:
        """Bring the clock of active time, which all charts share, up to date when a chart needs it."""
        if self.session is not None and any(feed.spec.x == ACTIVE for feed in self):
            self.session.clock.follow(list(self.session.store.series.values()))

    def _on_points(self) -> None:
        session = self.session
        if session is None:
            return
        dirty = session.store.pop_dirty()
        self.follow_clock()
        for feed in self:
            if session.streams.step_range is not None:
                feed.chart.ranges.set_reach(*session.streams.step_range)
            feed.refresh_points(dirty)

    def _on_streams(self) -> None:
        for feed in self:
            feed.refresh_streams()

    def _on_histograms(self, names: set[str]) -> None:
        for feed in self:
            feed.redraw_histograms(names)

    def _on_marks(self) -> None:
        for feed in self:
            feed.refresh_marks()

    def _on_plan(self) -> None:
        for feed in self:
            feed.refresh_plan()

    def _on_status(self) -> None:
        for feed in self:
            feed.show_status()
