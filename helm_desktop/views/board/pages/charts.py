"""The charts of the open run that have been built: fed, marked, and sharing crosshair and zoom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.spec import ACTIVE, STEP, ChartSpec
from helm_desktop.views.board.pages.cell import ChartCell

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView
    from helm_desktop.views.board.pages.feed import ChartFeed
    from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler

PREVIEW = "\0preview"
HIDDEN = "hidden"


class BuiltCharts(QObject):
    """Plotting is imported with the first chart, so that the window is there before it."""

    full_requested = Signal(str)
    edit_requested = Signal(str)
    row_requested = Signal(str)  # the words of a heatmap's row
    built = Signal(object)  # a ChartView on the board
    save_requested = Signal(str, object)  # as a chart's
    zoom_changed = Signal(object)  # the part of the run that is shown, or None

    def __init__(self, model: BoardModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._session: Session | None = None
        self._feeds: dict[str, ChartFeed] = {}
        self._frames: FrameScheduler | None = None
        self._zoom: tuple[str, tuple[float, float]] | None = None  # the x axis it holds for, and the ends
        self._inspects = False

    def __iter__(self) -> Iterator[ChartView]:
        return (feed.chart for key, feed in self._feeds.items() if key != PREVIEW)

    @property
    def zoom(self) -> tuple[float, float] | None:
        """The part of the run that is shown; None for the whole."""
        return self._zoom[1] if self._zoom is not None else None

    @property
    def ready(self) -> bool:
        """Whether there is a run to show."""
        return self._session is not None

    def chart(self, chart_id: str) -> ChartView | None:
        """A chart that has been built."""
        feed = self._feeds.get(chart_id)
        return feed.chart if feed is not None else None

    # The run -------------------------------------------------------------------------------------

    def set_session(self, session: Session | None) -> None:
        """Another run: every chart of the one before is given up."""
        before, self._session = self._session, session
        if before is not None:
            before.points_arrived.disconnect(self._points)
            before.streams_changed.disconnect(self._streams)
            before.marks_changed.disconnect(self._marks)
            before.plan_changed.disconnect(self._plans)
            before.status_changed.disconnect(self._standing)
            before.histograms_logged.disconnect(self._more_histograms)
            before.histograms.arrived.disconnect(self._more_histograms)
        for chart_id in list(self._feeds):
            self.forget(chart_id)
        self._zoom = None
        self.zoom_changed.emit(None)
        if session is not None:
            session.points_arrived.connect(self._points)
            session.streams_changed.connect(self._streams)
            session.marks_changed.connect(self._marks)
            session.plan_changed.connect(self._plans)
            session.status_changed.connect(self._standing)
            session.histograms_logged.connect(self._more_histograms)
            session.histograms.arrived.connect(self._more_histograms)

    def _points(self) -> None:
        session = self._session
        if session is None:
            return
        dirty = session.store.pop_dirty()
        self._follow_clock()
        for feed in self._feeds.values():
            if session.streams.reach is not None:
                feed.chart.set_reach(*session.streams.reach)
            feed.points(dirty)

    def _streams(self) -> None:
        for feed in self._feeds.values():
            feed.streams()

    def _more_histograms(self, names: set[str]) -> None:
        for feed in self._feeds.values():
            feed.more_histograms(names)

    def _marks(self) -> None:
        for feed in self._feeds.values():
            feed.marks()

    def _plans(self) -> None:
        for feed in self._feeds.values():
            feed.plan()

    def _standing(self) -> None:
        for feed in self._feeds.values():
            feed.standing()

    # Charts --------------------------------------------------------------------------------------

    def build(self, cells: Iterable[ChartCell]) -> None:
        """Builds the charts of these cells."""
        for cell in cells:
            chart = self._make(cell.name, self._model.spec(cell.name))
            if chart is not None:
                self._tag(cell.name)
                chart.full_requested.connect(self._ask_full)
                chart.edit_requested.connect(self._ask_edit)
                self._feeds[cell.name].changed.connect(self._take_change)
                cell.put(chart)
                self.built.emit(chart)

    def preview(self, spec: ChartSpec) -> ChartView | None:
        """A chart beside the board, as the editor's draft has it."""
        return self._make(PREVIEW, spec)

    def set_preview(self, spec: ChartSpec) -> None:
        """The draft has changed."""
        if PREVIEW in self._feeds:
            self._feeds[PREVIEW].set_spec(spec)

    def end_preview(self) -> None:
        """The editor is closed; its chart belongs to it. What was read there is read no more."""
        preview = self._feeds.get(PREVIEW)
        if preview is not None:
            preview.chart.crosshair_moved.emit(None)
        self.forget(PREVIEW)

    def forget(self, chart_id: str) -> None:
        """A chart is gone from the board."""
        feed = self._feeds.pop(chart_id, None)
        if feed is not None and self._frames is not None:
            self._frames.remove(feed.chart)

    def renew(self) -> None:
        """The board's layout has changed: charts show what it says now."""
        for chart_id, feed in self._feeds.items():
            if chart_id != PREVIEW:
                feed.set_spec(self._model.spec(chart_id))
                self._tag(chart_id)
        self._follow_clock()
        if self._zoom is not None and self._zoom[0] != self._model.layout.x:
            self.follow()

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model."""
        if on != self._inspects:
            self._inspects = on
            for feed in self._feeds.values():
                feed.set_inspects(on)

    def _make(self, chart_id: str, spec: ChartSpec) -> ChartView | None:
        from helm_desktop.views.board.pages.feed import ChartFeed
        from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler

        session = self._session
        if session is None:
            return None
        if self._frames is None:
            self._frames = FrameScheduler(self)
        feed = ChartFeed(chart_id, spec, session)
        self._feeds[chart_id] = feed
        self._follow_clock()
        feed.set_inspects(self._inspects)
        chart = feed.chart
        if self._zoom is not None and self._zoom[0] == spec.x:
            chart.set_x_range(*self._zoom[1])
        chart.zoomed.connect(self._share_zoom)
        chart.follow_requested.connect(self.follow)
        chart.crosshair_moved.connect(self._share_crosshair)
        chart.save_requested.connect(self.save_requested)
        feed.row_requested.connect(self.row_requested)
        self._frames.add(chart)
        return chart

    def _follow_clock(self) -> None:
        """One clock for all charts over active time, so that they stand alike."""
        if self._session is not None and any(feed.spec.x == ACTIVE for feed in self._feeds.values()):
            self._session.clock.follow(list(self._session.store.series.values()))

    def _feed_of(self, chart: object) -> ChartFeed | None:
        return next((feed for feed in self._feeds.values() if feed.chart is chart), None)

    def _ask_full(self) -> None:
        feed = self._feed_of(self.sender())
        if feed is not None:
            self.full_requested.emit(feed.chart_id)

    def _ask_edit(self) -> None:
        feed = self._feed_of(self.sender())
        if feed is not None:
            self.edit_requested.emit(feed.chart_id)

    def _tag(self, chart_id: str) -> None:
        """A hidden chart that is shown for once says so."""
        chart, hidden = self._feeds[chart_id].chart, self._model.chart(chart_id).hidden
        if hidden or chart.header.tag.text() == HIDDEN:
            chart.set_tag(HIDDEN if hidden else "")

    def _take_change(self, chart_id: str, parts: dict[str, object]) -> None:
        spec = self._model.chart(chart_id).spec.with_(**parts)
        self._model.set_spec(chart_id, spec)

    # What they share -----------------------------------------------------------------------------

    def follow(self) -> None:
        """Undoes every zoom: all charts show the whole run and follow it."""
        self._zoom = None
        self.zoom_changed.emit(None)
        sender = self.sender()
        for feed in self._feeds.values():
            if feed.chart is not sender:
                feed.chart.set_follow()

    def show_step(self, step: int) -> None:
        """Puts the crosshair on a step, on every chart; a zoom over other steps moves there."""
        if self._zoom is not None and self._zoom[0] == STEP and not _inside(step, self._zoom[1]):
            half = (self._zoom[1][1] - self._zoom[1][0]) / 2
            self._zoom = STEP, (step - half, step + half)
            self.zoom_changed.emit(self._zoom[1])
            for feed in self._feeds.values():
                if feed.spec.x == STEP:
                    feed.chart.set_x_range(*self._zoom[1])
        for feed in self._feeds.values():
            feed.chart.set_crosshair(feed.chart.content.places.of(step))

    def elided(self) -> list[str]:
        """Texts of labels in sight that had to be shortened."""
        return [text for chart in self if chart.isVisible() for text in chart.elided_labels()]

    def _share_zoom(self, x0: float, x1: float) -> None:
        sender = self.sender()
        source = self._feed_of(sender)
        x = source.spec.x if source is not None else STEP
        self._zoom = x, (x0, x1)
        self.zoom_changed.emit((x0, x1))
        for feed in self._feeds.values():
            if feed.chart is not sender and feed.spec.x == x:
                feed.chart.set_x_range(x0, x1)

    def _share_crosshair(self, x: float | None) -> None:
        sender = self.sender()
        source = self._feed_of(sender)
        for feed in self._feeds.values():
            if feed.chart is not sender and source is not None and feed.spec.x == source.spec.x:
                feed.chart.set_crosshair(x)


def _inside(x: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= x <= ends[1]
