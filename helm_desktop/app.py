"""The composition root: makes the window, the models and the controllers, and connects them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from helm_desktop.controllers.activity import ActivityController
from helm_desktop.controllers.board import BoardController
from helm_desktop.controllers.chart_editor import ChartEditorController
from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.controls import ControlsController
from helm_desktop.controllers.copy_command import CopyCommandController
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.controllers.demo import DemoController
from helm_desktop.controllers.details import DetailsController
from helm_desktop.controllers.export import ExportController
from helm_desktop.controllers.link import LinkController
from helm_desktop.controllers.media import MediaController
from helm_desktop.controllers.menu_commands import MenuCommands
from helm_desktop.controllers.navigation import Navigation
from helm_desktop.controllers.notes import NotesController
from helm_desktop.controllers.palette import PaletteController
from helm_desktop.controllers.relaunch import RelaunchController
from helm_desktop.controllers.rules import RulesController
from helm_desktop.controllers.runs import RunsController
from helm_desktop.controllers.schedule_draft import ScheduleDraftController
from helm_desktop.controllers.settings import SettingsController
from helm_desktop.controllers.sources import SourcesController
from helm_desktop.controllers.status_strip import StatusStripController
from helm_desktop.controllers.threads import Threads
from helm_desktop.model.run.runs_model import RunsModel
from helm_desktop.startup import display, relaunch
from helm_desktop.startup.arguments import AppOptions
from helm_desktop.startup.demo import Demo
from helm_desktop.startup.empty_window import EmptyWindow
from helm_desktop.window.notifier import Notifier
from helm_desktop.window.regions import Regions
from helm_sdk.record.layout import config_home


class Desktop(QObject):
    """One window on the runs of a home folder."""

    def __init__(self, app: QApplication, options: AppOptions, empty: EmptyWindow | None = None) -> None:
        super().__init__(app)
        empty = empty or EmptyWindow(app, options)
        self.options, self.settings, self.theme = options, empty.settings, empty.theme
        self.storage = storage = empty.storage
        folder = None if options.offscreen else config_home()
        self.current, self.runs = CurrentRun(self), RunsModel(self)
        self.regions, self.window = Regions(empty.window, self.runs), empty.window
        regions, window, current, settings = self.regions, self.window, self.current, self.settings
        actions = regions.actions
        self.demo, self.notifier = (
            Demo(options.home, storage, self),
            Notifier(window, settings, storage, self),
        )
        self.link = LinkController(current, settings, self)
        self.command_sender = CommandSender(current, self)
        self.board = BoardController(current, regions.board, regions.metrics, folder, storage, self)
        self.navigation = Navigation(
            *(window, regions.strip, regions.dock, regions.controls, regions.details, regions.board),
            *(self.board, actions, self),
        )
        self.menus = MenuCommands(window, regions.runs, self.navigation, settings, actions, storage, self)
        regions.build_menus(self.menus.handlers() | self.board.handlers())
        self.menus.begin(regions.strip, self.theme)
        self.board.update_actions(actions)
        self.run_list = RunsController(
            current,
            self.runs,
            regions.runs,
            window,
            settings,
            options.run,
            lambda: self.demo.running,
            storage,
            self,
        )
        self.strip = StatusStripController(
            current, self.runs, self.run_list.refresh, regions.strip, window, self
        )
        self.controls = ControlsController(
            current, self.command_sender, regions.controls, regions.watch, regions.dock, self
        )
        self.activity = ActivityController(current, regions.activity, regions.board, regions.watch, self)
        self.editor = ChartEditorController(regions.board, window, self.navigation, actions, self)
        self.details = DetailsController(current, regions.details, window, self.editor, self)
        self.media = MediaController(
            current, self.link, regions.media, regions.activity, regions.watch, regions.dock, storage, self
        )
        self.notes = NotesController(
            current, self.link, regions.board, regions.activity, window, storage, self
        )
        self.exports = ExportController(regions.board, storage, self)
        self.copy = CopyCommandController(current, regions.activity, self)
        self.sources = SourcesController(current, window, self)
        self.plan = ScheduleDraftController(
            current, self.command_sender, regions.board, window, folder, storage, self
        )
        self.rules = RulesController(
            current,
            self.command_sender,
            regions.watch,
            settings,
            self.notifier,
            storage,
            folder is not None,
            self,
        )
        self.preferences = SettingsController(
            current,
            window,
            actions,
            settings,
            self.theme,
            self.notifier,
            storage,
            options.home,
            display.scale_now(),
            self,
        )
        self.palette = PaletteController(
            *(current, window, actions, self.navigation, self.board, self.runs, self.preferences.shortcuts),
            *(self.run_list.open, self.preferences.open, self),
        )
        self.relaunch = RelaunchController(
            current, window, lambda run: relaunch.start(options, run, settings.scale), self
        )
        DemoController(self.demo, regions.first, self.menus, self.preferences, window.show_message, self)
        self.threads = Threads(
            window,
            *(self.link, self.command_sender, self.run_list, self.strip, self.board.files),
            lambda: self.preferences.home,
            (self.plan, self.exports, self.notes, self.media, self.rules, storage),
            self,
        )
        self._connect()
        self.theme.apply_theme()
        app.aboutToQuit.connect(self.threads.stop)

    def _connect(self) -> None:
        regions, menus, notify = self.regions, self.menus, self.window.show_message
        for notified in (
            *(self.board.notified, menus.notified, self.run_list.notified, self.media.notified),
            *(
                self.notes.notified,
                self.copy.notified,
                self.plan.notified,
                self.rules.notified,
                self.preferences.notified,
            ),
            *(regions.activity.notified, self.exports.notified),
        ):
            notified.connect(notify)
        regions.first.folder_requested.connect(menus.open_folder)
        menus.run_chosen.connect(self.run_list.open)
        menus.settings_requested.connect(self.preferences.open)
        menus.sources_requested.connect(self.sources.open)
        menus.palette_requested.connect(self.palette.open)
        menus.shortcuts_requested.connect(self.palette.show_keys)
        self.preferences.keys_changed.connect(self.palette.show_search_keys)
        self.preferences.window_requested.connect(self.relaunch.reopen)
        self.preferences.home_changed.connect(self.run_list.set_home)

    def show(self) -> None:
        """Show the window at once; threads and plotting start behind it."""
        self.window.show_first_minute(False)
        self.window.show()
        self.regions.runs.list.setFocus()
        if self.settings.complaint:
            self.window.show_message(self.settings.complaint)
        QTimer.singleShot(0, self.threads.start)
