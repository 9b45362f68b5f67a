"""The list of what happened in the shown run: which run it is of, and where its lines lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.views.activity import ActivityView
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.watch import WatchPanel

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class ActivityController(QObject):
    """A step chosen in the list or on the card of a rule is shown on the board."""

    def __init__(
        self, current: CurrentRun, view: ActivityView, board: BoardView, watch: WatchPanel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        current.changed.connect(self._run_changed)
        view.step_requested.connect(board.charts.window.show_step)
        watch.step_requested.connect(board.charts.window.show_step)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._view.set_model(now.activity)
