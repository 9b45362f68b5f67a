"""A keyframe dragged by the mouse: it follows the pointer, and at its edge the y range grows."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QTimerEvent, Signal

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.series.decimal_text import rounded_to
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.plan.places import PixelPositions
from helm_desktop.views.board.plan.stretch import TICK_MS, grown


class KeyframeDrag(QObject):
    """One keyframe at a time, until the button is released."""

    moved = Signal()

    def __init__(
        self, ranges: ChartRanges, places: PixelPositions, model: DraftModel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._ranges = ranges
        self._places = places
        self._model = model
        self.index: int | None = None  # the keyframe that is dragged
        self._pointer = QPointF()
        self._snaps = True
        self._beyond = 0.0  # pixels that the pointer is above the picture; below it negative
        self._ticks = 0  # the number of the timer that runs while it is

    def begin(self, index: int) -> None:
        """Drag a keyframe from now on; the y range stays as it is."""
        self.index = index
        self._ranges.lock_y(self._ranges.y.shown)

    def end(self) -> bool:
        """Leave the keyframe where it is, and fit the range to the draft again; whether one was dragged."""
        dragged, self.index = self.index is not None, None
        if dragged:
            self._pull(0.0)
            self._ranges.lock_y(None)
        return dragged

    def move(self, pointer: QPointF, *, snaps: bool) -> None:
        """The pointer is here now."""
        self._pointer, self._snaps = pointer, snaps
        self._follow()

    def _follow(self) -> None:
        """Put the keyframe where the pointer is; at the edge of the picture the range grows."""
        draft, index = self._model.draft, self.index
        if draft is None or index is None or index >= len(draft.keyframes):
            return
        place = self._places.inside(self._pointer)
        beyond = place.y() - self._pointer.y()
        step, value = self._places.numbers(place)
        if self._snaps and not beyond:
            self._model.move(index, *draft.snapped(step, value, self._places.scale(place), index))
        else:
            self._model.move(index, step, rounded_to(value, self._places.scale(place).value))
        self._pull(0.0 if draft.at_bound(index, up=beyond > 0) else beyond)
        self.moved.emit()

    def _pull(self, beyond: float) -> None:
        """While the pointer is beyond the picture the range grows, a tick at a time."""
        self._beyond = beyond
        if beyond and not self._ticks:
            self._ticks = self.startTimer(TICK_MS)
        elif not beyond and self._ticks:
            self.killTimer(self._ticks)
            self._ticks = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._ticks:
            super().timerEvent(event)
            return
        self._ranges.lock_y(grown(self._ranges.y.shown, self._beyond))
        self._follow()
