"""Brings a part of the window forward: a tab of the dock, a card, a chart, a layer of the model."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from helm_desktop.controllers.board import BoardController
from helm_desktop.model.run.warnings import RunWarning
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.details import DetailsView
from helm_desktop.views.dock import Dock
from helm_desktop.views.strip import Strip
from helm_desktop.window.main_window import MainWindow

LOW, HIGH, HIGHEST = 160, 400, 420  # pixels that a tab needs to be useful


class Navigation(QObject):
    """Nothing here changes what a part shows, only what is in front."""

    def __init__(
        self,
        window: MainWindow,
        strip: Strip,
        dock: Dock,
        controls: ControlsPanel,
        details: DetailsView,
        board: BoardView,
        board_controller: BoardController,
        actions: dict[str, QAction],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._dock, self._actions = window, dock, actions
        self._controls, self._details = controls, details
        self._board, self._board_controller = board, board_controller
        strip.controls_requested.connect(self.show_controls)
        strip.warning_chosen.connect(self.show_warning)
        board.inspect_requested.connect(self.show_in_model)

    def show_controls(self) -> None:
        """Bring the run's controls forward."""
        self._show_tab("Controls")

    def show_control(self, name: str) -> None:
        """Open the card of one control."""
        self.show_controls()
        self._controls.bring_forward(name)

    def show_warning(self, warning: RunWarning) -> None:
        """Show the chart and the step, or the lines, that a warning speaks of."""
        if warning.metric:
            self._board_controller.show_metric(warning.metric)
            if warning.step is not None:
                self._board.charts.window.show_step(warning.step)
        else:
            self.show_activity()

    def show_watch(self) -> None:
        """Bring the rules forward, and what waits for approval."""
        self._show_tab("Watch", HIGHEST)

    def show_activity(self) -> None:
        """Bring the list of what happened forward."""
        self._show_tab("Activity")

    def show_details(self) -> None:
        """Bring the details of the run forward."""
        self._show_tab("Details")

    def show_in_model(self, words: str) -> None:
        """Search for a layer in the model tree."""
        self.show_details()
        self._details.search.setText(words)
        self._details.tree.setFocus()

    def show_metrics(self) -> None:
        """Bring the list of metrics forward."""
        self._show_tab("Metrics")

    def show_media(self) -> None:
        """Bring images, tables and the like forward."""
        self._show_tab("Media", HIGH)

    def _show_tab(self, title: str, least: int = LOW) -> None:
        self._actions["toggle_dock"].setChecked(True)
        self._window.show_dock(True)
        self._dock.bring_forward(title, least)
