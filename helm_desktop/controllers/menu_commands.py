"""What each action of the menus does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from helm_desktop.controllers.navigation import Navigation
from helm_desktop.storage.preferences import Preferences, ThemeChoice
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helm_desktop.views.runs.panel import RunsPanel
from helm_desktop.views.strip import Strip
from helm_desktop.window.main_window import MainWindow
from helm_sdk.record.layout import RUN_FILE


class MenuCommands(QObject):
    """One method an action; the window's parts do the work."""

    notified = Signal(str)
    run_chosen = Signal(str)
    demo_requested = Signal()
    settings_requested = Signal(str)  # the title of a section, or empty
    sources_requested = Signal()
    palette_requested = Signal()
    shortcuts_requested = Signal()

    def __init__(
        self,
        window: MainWindow,
        runs: RunsPanel,
        navigation: Navigation,
        preferences: Preferences,
        actions: dict[str, QAction],
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._runs, self._actions = window, runs, actions
        self._navigation, self._preferences, self._storage = navigation, preferences, storage

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What each action calls. Partials are called without what Qt tells, bound methods as they ask."""
        show = self._navigation
        return {
            "open_folder": self.open_folder,
            "demo": partial(self.demo_requested.emit),
            "settings": partial(self.settings_requested.emit, ""),
            "quit": self._quit,
            "next_run": partial(self._runs.step_run, 1),
            "previous_run": partial(self._runs.step_run, -1),
            "filter_runs": self._filter_runs,
            "sources": partial(self.sources_requested.emit),
            "copy_run_id": self._copy_run_id,
            "show_folder": self._show_folder,
            "policy": partial(self.settings_requested.emit, "Approvals"),
            "palette": partial(self.palette_requested.emit),
            "toggle_runs": self._window.show_runs,
            "toggle_dock": self._window.show_dock,
            "show_controls": show.show_controls,
            "show_watch": show.show_watch,
            "show_activity": show.show_activity,
            "show_details": show.show_details,
            "show_metrics": show.show_metrics,
            "show_media": show.show_media,
            "theme_system": partial(self._set_theme, "system"),
            "theme_dark": partial(self._set_theme, "dark"),
            "theme_light": partial(self._set_theme, "light"),
            "full_screen": self._full_screen,
            "shortcuts": partial(self.shortcuts_requested.emit),
            "about": self._about,
        }

    def begin(self, strip: Strip, theme: ThemeManager) -> None:
        """Make the strip's menu, and check the actions that say how the window is now."""
        menu = QMenu(self._window)
        for name in ("sources", "show_details", "copy_run_id", "show_folder"):
            menu.addAction(self._actions[name])
        menu.addSeparator()
        menu.addAction(self._actions["save_board"])
        menu.addAction(self._actions["settings"])
        strip.set_menu(menu)
        self._actions["toggle_runs"].setChecked(self._window.runs_shown)
        self._actions["toggle_dock"].setChecked(self._window.dock_shown)
        self._actions[f"theme_{theme.choice}"].setChecked(True)

    # Runs --------------------------------------------------------------------------------------

    def open_folder(self) -> None:
        """Ask for a run's folder and open it."""
        dialog = QFileDialog(self._window, "Open a run folder")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self._folder_selected)
        dialog.open()

    def _folder_selected(self, folder: str) -> None:
        self._storage.run((Path(folder) / RUN_FILE).is_file, partial(self._open_run, folder))

    def _open_run(self, folder: str, is_run: bool) -> None:
        if is_run:
            self.run_chosen.emit(folder)
        else:
            self.notified.emit(f"{folder} holds no run: a run's folder has a run.json and .helm files in it")

    def _filter_runs(self) -> None:
        self._actions["toggle_runs"].setChecked(True)
        self._window.show_runs(True)
        self._runs.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._runs.filter.selectAll()

    def _copy_run_id(self) -> None:
        folder = self._runs.chosen
        if folder:
            QGuiApplication.clipboard().setText(Path(folder).name)
            self.notified.emit(f"Copied {Path(folder).name}")

    def _show_folder(self) -> None:
        folder = self._runs.chosen
        if folder:
            QDesktopServices.openUrl(QUrl.fromLocalFile(folder))

    def _quit(self) -> None:
        self._window.close()

    # View --------------------------------------------------------------------------------------

    def _set_theme(self, choice: ThemeChoice) -> None:
        self._preferences.theme = choice

    def _full_screen(self, on: bool) -> None:
        (self._window.showFullScreen if on else self._window.showNormal)()

    # Help --------------------------------------------------------------------------------------

    def _about(self) -> None:
        from importlib.metadata import version

        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Helm")
        box.setText("Helm")
        text = "Watch a training run and change it while it runs."
        box.setInformativeText(f"Version {version('helm-desktop')}. {text}")
        box.open()
