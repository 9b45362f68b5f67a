"""Notes on the steps of a chart: the step that one is meant for, and the request to write it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.chart.nearby_marks import NearbyMarks
from helm_desktop.views.board.chart.parts import ChartParts


class ChartNotes(QObject):
    """Offered only where somebody keeps them."""

    requested = Signal(int)  # at this step
    removed = Signal(int)

    def __init__(self, parts: ChartParts, marks: NearbyMarks) -> None:
        super().__init__(parts.frame)
        self._parts = parts
        self._marks = marks
        self.offered = False

    def step(self) -> int | None:
        """Return the step that a note is meant for: that of a note close by, the crosshair's, or the last."""
        content, drawing, x = self._parts.content, self._parts.renderer.drawing, self._parts.crosshair.x
        if not self.offered or drawing.own_x or drawing.cells:
            return None
        if x is None:
            ends = content.x.extent()
            return content.mark_positions.step_at(ends[1]) if ends is not None else None
        near = [mark.step for mark in self._marks.at(x) if mark.own]
        here = content.mark_positions.step_at(x)
        return min(near, key=lambda step: abs(step - (here or 0)), default=here)

    def ask(self) -> bool:
        """Ask for the note on the step that is meant; whether there is such a step."""
        step = self.step()
        if step is None:
            return False
        self.requested.emit(step)
        return True
