"""Edits of the board: of its pages, sections and charts, and of the settings that all charts share."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.pages.chart_edits import ChartEdits
from helm_desktop.views.board.pages.gesture import EditGesture
from helm_desktop.views.board.pages.page_edits import PageEdits
from helm_desktop.views.board.pages.parts import BoardParts
from helm_desktop.views.board.pages.section_edits import SectionEdits


class BoardEdits(QObject):
    """All edits of a board, each of which can be undone."""

    notified = Signal(str)

    def __init__(self, board: BoardParts) -> None:
        super().__init__(board.frame)
        self._model = board.model
        self._gesture = EditGesture()
        self.pages = PageEdits(board, self._gesture)
        self.sections = SectionEdits(board)
        self.charts = ChartEdits(board, self._gesture)
        for part in (self.pages, self.sections, self.charts):
            part.notified.connect(self.notified)
        pills = board.head.pills
        pills.x_chosen.connect(self.set_x)
        pills.smoothing_chosen.connect(self.set_smoothing)
        pills.smoothing_began.connect(self._gesture.begin)

    def undo(self) -> None:
        """Undo the last edit."""
        self._model.stack.undo()

    def redo(self) -> None:
        """Redo the edit that was undone last."""
        self._model.stack.redo()

    def set_x(self, x: str) -> None:
        """Set the x axis of every chart that has none of its own."""
        self._model.change("change x axis", lambda layout: layout.with_(x=x))

    def set_smoothing(self, weight: float) -> None:
        """Set the smoothing of every chart that has none of its own, 0 to 1."""
        gesture = self._gesture.number
        self._model.change("change smoothing", lambda layout: layout.with_(smoothing=weight), gesture)

    def reset(self) -> None:
        """Replace the layout by the automatic one, which is made from the names of the streams."""
        if self._model.reset():
            self.notified.emit("Reset the layout of the board. Ctrl+Z brings back the one before.")
