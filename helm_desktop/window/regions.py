"""The regions of one window, made and put in their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction

from helm_desktop.actions.tables import ALL, MENUS
from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.run.runs_model import RunsModel
from helm_desktop.views.activity import ActivityView
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.details import DetailsView
from helm_desktop.views.dock import Dock
from helm_desktop.views.media import MediaView
from helm_desktop.views.metrics import MetricsView
from helm_desktop.views.runs.panel import RunsPanel
from helm_desktop.views.strip import Strip
from helm_desktop.views.watch import WatchPanel
from helm_desktop.views.welcome import Welcome
from helm_desktop.window.main_window import MainWindow
from helm_desktop.window.menus import build_menus


class Regions:
    """Each region of the window by name. Knows of no run."""

    def __init__(self, window: MainWindow, runs: RunsModel) -> None:
        self.runs = RunsPanel(runs)
        self.strip = Strip()
        self.board = BoardView()
        self.first = Welcome()
        self.controls = ControlsPanel(ControlsModel(self.strip))
        self.activity = ActivityView()
        self.details = DetailsView()
        self.metrics = MetricsView()
        self.media = MediaView()
        self.watch = WatchPanel()
        self.dock = Dock()
        self.dock.set_controls(self.controls)
        self.dock.add_page("Activity", self.activity)
        self.dock.add_page("Watch", self.watch)
        self.dock.add_page("Details", self.details)
        self.dock.add_page("Metrics", self.metrics)
        self.dock.add_page("Media", self.media)
        self.window = window
        window.place(self.runs, self.strip, self.board, self.first, self.dock)
        self.actions: dict[str, QAction] = {}  # by id; filled once, by `build_menus`

    def build_menus(self, handlers: Mapping[str, Callable[..., None]]) -> None:
        """Menus from the tables of actions, each connected to the handler of its id."""
        self.actions.update(build_menus(self.window, MENUS, ALL, handlers))
