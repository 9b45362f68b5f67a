"""The drag of a keyframe by the mouse; beyond the edge of the picture the y range grows."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QTimerEvent, Signal

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.series.decimal_text import rounded_to
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.plan.places import PixelPositions
from helm_desktop.views.board.plan.stretch import TICK_MS, grown


class KeyframeDrag(QObject):
    """Drags one keyframe at a time, until the mouse button is released."""

    moved = Signal()

    def __init__(
        self, ranges: ChartRanges, places: PixelPositions, model: DraftModel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._ranges = ranges
        self._places = places
        self._model = model
        self.index: int | None = None  # the keyframe that is dragged; None while there is none
        self._pointer = QPointF()
        self._snaps = True
        self._beyond = 0.0  # how many pixels the pointer is above the picture; negative below it
        self._timer_id = 0  # the id of the timer that runs while the range grows; 0 while there is none

    def begin(self, index: int) -> None:
        """Begin to drag a keyframe and lock the y range."""
        self.index = index
        self._ranges.lock_y(self._ranges.y.shown)

    def end(self) -> bool:
        """End the drag and fit the y range to the draft again; return True when a keyframe was dragged."""
        dragged, self.index = self.index is not None, None
        if dragged:
            self._set_beyond(0.0)
            self._ranges.lock_y(None)
        return dragged

    def move(self, pointer: QPointF, *, snaps: bool) -> None:
        """Move the keyframe to the pointer; with `snaps` to round steps, the plan and others' values."""
        self._pointer, self._snaps = pointer, snaps
        self._follow()

    def _follow(self) -> None:
        """Put the keyframe where the pointer is, and let the y range grow beyond the edge of the picture."""
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
        self._set_beyond(0.0 if draft.at_bound(index, up=beyond > 0) else beyond)
        self.moved.emit()

    def _set_beyond(self, beyond: float) -> None:
        """Set how many pixels the pointer is outside of the picture; the y range grows until that is 0."""
        self._beyond = beyond
        if beyond and not self._timer_id:
            self._timer_id = self.startTimer(TICK_MS)
        elif not beyond and self._timer_id:
            self.killTimer(self._timer_id)
            self._timer_id = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer_id:
            super().timerEvent(event)
            return
        self._ranges.lock_y(grown(self._ranges.y.shown, self._beyond))
        self._follow()
