"""The charts of the open run that have been built, those of the board and the preview of the chart editor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.run_feeds import RunFeeds
from helm_desktop.views.board.pages.shared_window import SharedWindow

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView
    from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler

PREVIEW = "\0preview"
HIDDEN = "hidden"


class BuiltCharts(QObject):
    """The charts that have been built. The first one imports plotting, so that the window opens sooner."""

    full_requested = Signal(str)
    edit_requested = Signal(str)
    row_requested = Signal(str)  # the row of a heatmap to look up in the model, such as "layer 2"
    save_requested = Signal(str, object)  # the same arguments as save_requested of a chart's menu
    built = Signal(object)  # a ChartView on the board

    def __init__(self, model: BoardModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.feeds = RunFeeds(self)
        self.window = SharedWindow(self.feeds, self)
        self._frames: FrameScheduler | None = None
        self._inspects = False

    def __iter__(self) -> Iterator[ChartView]:
        return (feed.chart for feed in self.feeds if feed.chart_id != PREVIEW)

    @property
    def ready(self) -> bool:
        """True when there is a run to show."""
        return self.feeds.session is not None

    def chart(self, chart_id: str) -> ChartView | None:
        """Return a chart; None when it has not been built."""
        feed = self.feeds.get(chart_id)
        return feed.chart if feed is not None else None

    def set_session(self, session: Session | None) -> None:
        """Show another run, or none; drop every chart of the one before."""
        self.feeds.set_session(session)
        for chart_id in self.feeds.ids():
            self.forget(chart_id)
        self.window.forget()

    # Charts of the board -------------------------------------------------------------------------

    def build(self, cells: Iterable[ChartCell]) -> None:
        """Build the charts of some cells and put them there."""
        for cell in cells:
            chart = self._make(cell.name, self._model.spec(cell.name))
            if chart is not None:
                self._tag(cell.name)
                chart.full_requested.connect(self._on_full)
                chart.edit_requested.connect(self._on_edit)
                cell.set_chart(chart)
                self.built.emit(chart)

    def forget(self, chart_id: str) -> None:
        """Stop updating a chart that is no longer on the board."""
        feed = self.feeds.remove(chart_id)
        if feed is not None and self._frames is not None:
            self._frames.remove(feed.chart)

    def refresh(self) -> None:
        """Give every chart its specification again, after a change of the board."""
        for feed in self.feeds:
            if feed.chart_id != PREVIEW:
                feed.set_spec(self._model.spec(feed.chart_id))
                self._tag(feed.chart_id)
        self.feeds.follow_clock()
        self.window.set_axis(self._model.layout.x)

    def set_inspects(self, on: bool) -> None:
        """Set whether a click on a heatmap's row opens the model; it does on a run that offers captures."""
        if on != self._inspects:
            self._inspects = on
            for feed in self.feeds:
                feed.set_inspects(on)

    def elided(self) -> list[str]:
        """Return the texts of visible labels that are shortened because they do not fit."""
        return [text for chart in self if chart.isVisible() for text in chart.header.elided_labels()]

    # The preview ---------------------------------------------------------------------------------

    def preview(self, spec: ChartSpec) -> ChartView | None:
        """Build and return the chart that shows the chart editor's draft; None when no run is open."""
        return self._make(PREVIEW, spec)

    def set_preview(self, spec: ChartSpec) -> None:
        """Show the changed draft in the preview."""
        feed = self.feeds.get(PREVIEW)
        if feed is not None:
            feed.set_spec(spec)

    def end_preview(self) -> None:
        """Stop updating the preview after the editor is closed, and hide the crosshair that it shared."""
        preview = self.chart(PREVIEW)
        if preview is not None:
            preview.crosshair.moved.emit(None)
        self.forget(PREVIEW)

    def _make(self, chart_id: str, spec: ChartSpec) -> ChartView | None:
        from helm_desktop.views.board.pages.feed import ChartFeed
        from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler

        session = self.feeds.session
        if session is None:
            return None
        if self._frames is None:
            self._frames = FrameScheduler(self)
        feed = ChartFeed(chart_id, spec, session)
        self.feeds.add(feed)
        feed.set_inspects(self._inspects)
        self.window.join(feed)
        feed.row_requested.connect(self.row_requested)
        feed.chart.menu.save_requested.connect(self.save_requested)
        if chart_id != PREVIEW:
            feed.changed.connect(self._on_changed)
        self._frames.add(feed.chart)
        return feed.chart

    def _on_full(self) -> None:
        self._emit(self.full_requested)

    def _on_edit(self) -> None:
        self._emit(self.edit_requested)

    def _emit(self, signal: SignalInstance) -> None:
        """Emit `signal` with the id of the chart that is the sender of the signal being handled."""
        sender = self.sender()
        for chart_id in [feed.chart_id for feed in self.feeds if feed.chart is sender]:
            signal.emit(chart_id)

    def _tag(self, chart_id: str) -> None:
        """Mark a hidden chart with a tag while hidden charts are shown."""
        chart, hidden = self.chart(chart_id), self._model.chart(chart_id).hidden
        if chart is not None and (hidden or chart.header.tag.text() == HIDDEN):
            chart.header.set_tag(HIDDEN if hidden else "")

    def _on_changed(self, chart_id: str, parts: dict[str, object]) -> None:
        spec = self._model.chart(chart_id).spec.with_(**parts)
        self._model.set_spec(chart_id, spec)
