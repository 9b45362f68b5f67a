"""The charts of the open run that have been built: fed, marked, and sharing crosshair and zoom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.cell import ChartCell

if TYPE_CHECKING:
    from helm_desktop.model.session import Session
    from helm_desktop.views.board.chart import ChartView
    from helm_desktop.views.board.frames import FrameScheduler


class Charts(QObject):
    """Plotting is imported with the first chart, so that the window is there before it."""

    full_requested = Signal(object)  # the cell
    zoom_changed = Signal(bool)  # whether a part of the run is shown

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._cells: dict[str, ChartCell] = {}
        self._frames: FrameScheduler | None = None
        self._zoom: tuple[float, float] | None = None

    def __iter__(self) -> Iterator[ChartView]:
        return (cell.chart for cell in self._cells.values() if cell.chart is not None)

    def set_session(self, session: Session | None) -> None:
        """Another run: every chart of the one before is given up."""
        before, self._session = self._session, session
        if before is not None:
            before.points_arrived.disconnect(self._points)
            before.marks_changed.disconnect(self._marks)
            before.plan_changed.disconnect(self._plans)
            before.standing_changed.disconnect(self._standing)
        for cell in self._cells.values():
            if cell.chart is not None and self._frames is not None:
                self._frames.remove(cell.chart)
        self._cells, self._zoom = {}, None
        self.zoom_changed.emit(False)
        if session is not None:
            session.points_arrived.connect(self._points)
            session.marks_changed.connect(self._marks)
            session.plan_changed.connect(self._plans)
            session.standing_changed.connect(self._standing)

    def build(self, cells: Iterable[ChartCell]) -> None:
        """Builds the charts of these cells."""
        if self._session is not None:
            for cell in cells:
                self._build(cell, self._session)

    def follow(self) -> None:
        """Undoes every zoom: all charts show the whole run and follow it."""
        self._zoom = None
        self.zoom_changed.emit(False)
        sender = self.sender()
        for chart in self:
            if chart is not sender:
                chart.set_follow()

    def show_step(self, step: int) -> None:
        """Puts the crosshair on a step, on every chart."""
        for chart in self:
            chart.set_crosshair(float(step))

    def elided(self) -> list[str]:
        """Texts of labels in sight that had to be shortened."""
        return [text for chart in self if chart.isVisible() for text in chart.elided_labels()]

    def _build(self, cell: ChartCell, session: Session) -> None:
        from helm_desktop.views.board.chart import ChartView
        from helm_desktop.views.board.frames import FrameScheduler

        if self._frames is None:
            self._frames = FrameScheduler(self)
        chart = ChartView(cell.name)
        if cell.name in session.store.series:
            chart.set_series([session.store.series[cell.name]])
        if session.reach is not None:
            chart.set_reach(*session.reach)
        chart.set_marks(session.marks)
        chart.set_live(not session.standing.state.ended)
        self._plan(chart, cell.name, session)
        if self._zoom is not None:
            chart.set_x_range(*self._zoom)
        chart.zoomed.connect(self._share_zoom)
        chart.follow_requested.connect(self.follow)
        chart.crosshair_moved.connect(self._share_crosshair)
        chart.full_requested.connect(self._ask_full)
        cell.put(chart)
        self._cells[cell.name] = cell
        self._frames.add(chart)

    def _plan(self, chart: ChartView, name: str, session: Session) -> None:
        curve = session.planned(name)
        if curve is not None:
            chart.set_planned(curve.steps, curve.values)
        else:
            chart.set_planned((), ())

    def _points(self) -> None:
        session = self._session
        if session is None:
            return
        reach = session.reach
        if reach is not None:
            for chart in self:
                chart.set_reach(*reach)
        for name in session.store.take_dirty():
            fresh = self._cells[name].chart if name in self._cells else None
            if fresh is None:
                continue
            if not fresh.series:
                fresh.set_series([session.store.series[name]])
            fresh.mark_dirty()

    def _marks(self) -> None:
        marks = self._session.marks if self._session is not None else []
        for chart in self:
            chart.set_marks(marks)

    def _plans(self) -> None:
        if self._session is not None:
            for name, cell in self._cells.items():
                if cell.chart is not None:
                    self._plan(cell.chart, name, self._session)

    def _standing(self) -> None:
        if self._session is not None:
            for chart in self:
                chart.set_live(not self._session.standing.state.ended)

    def _share_zoom(self, x0: float, x1: float) -> None:
        self._zoom = (x0, x1)
        self.zoom_changed.emit(True)
        sender = self.sender()
        for chart in self:
            if chart is not sender:
                chart.set_x_range(x0, x1)

    def _share_crosshair(self, x: float | None) -> None:
        sender = self.sender()
        for chart in self:
            if chart is not sender:
                chart.set_crosshair(x)

    def _ask_full(self) -> None:
        sender = self.sender()
        for cell in self._cells.values():
            if cell.chart is sender:
                self.full_requested.emit(cell)
