"""What each action of the menus does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from helm_desktop.controllers.board import BoardController
from helm_desktop.model.run.warnings import RunWarning
from helm_desktop.storage.preferences import Preferences, ThemeChoice
from helm_desktop.theme import ThemeManager
from helm_desktop.window.regions import Regions


class MenuCommands(QObject):
    """One method an action; the window's parts do the work."""

    run_chosen = Signal(str)
    demo_requested = Signal()
    settings_requested = Signal(str)  # the title of a section, or empty
    sources_requested = Signal()
    palette_requested = Signal()
    shortcuts_requested = Signal()

    def __init__(self, screen: Regions, settings: Preferences, theme: ThemeManager, parent: QObject) -> None:
        super().__init__(parent)
        self._screen = screen
        self._settings = settings
        self.board = BoardController(screen.board, self)
        self.board.said.connect(self.say)
        self.board.take_metrics(screen.metrics)
        screen.build_menus(self._handlers())
        self.board.dress(screen.actions)
        menu = QMenu(screen.window)
        for name in ("sources", "show_details", "copy_run_id", "show_folder"):
            menu.addAction(screen.actions[name])
        menu.addSeparator()
        menu.addAction(screen.actions["save_board"])
        menu.addAction(screen.actions["settings"])
        screen.strip.set_menu(menu)
        screen.actions["toggle_runs"].setChecked(screen.window.runs_shown)
        screen.actions["toggle_dock"].setChecked(screen.window.dock_shown)
        screen.actions[f"theme_{theme.choice}"].setChecked(True)

    def _handlers(self) -> dict[str, Callable[..., None]]:
        return {
            "open_folder": self.open_folder,
            "demo": self._demo,
            "settings": self._settings_page,
            "quit": self._quit,
            "next_run": self._next_run,
            "previous_run": self._previous_run,
            "filter_runs": self._filter_runs,
            "sources": self._sources,
            "copy_run_id": self._copy_run_id,
            "show_folder": self._show_folder,
            "policy": self._policy,
            "palette": self._palette,
            "toggle_runs": self._screen.window.show_runs,
            "toggle_dock": self._screen.window.show_dock,
            "show_controls": self.show_controls,
            "show_watch": self.show_watch,
            "show_activity": self._show_activity,
            "show_details": self._show_details,
            "show_metrics": self._show_metrics,
            "show_media": self._show_media,
            "theme_system": self._theme_system,
            "theme_dark": self._theme_dark,
            "theme_light": self._theme_light,
            "full_screen": self._full_screen,
            **self.board.handlers(),
            "shortcuts": self._shortcuts,
            "about": self._about,
        }

    def say(self, sentence: str) -> None:
        """A sentence in the status line for some seconds."""
        self._screen.window.say(sentence)

    # Runs --------------------------------------------------------------------------------------

    def open_folder(self) -> None:
        """Asks for a run's folder and opens it."""
        dialog = QFileDialog(self._screen.window, "Open a run folder")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self._folder_selected)
        dialog.open()

    def _folder_selected(self, folder: str) -> None:
        if (Path(folder) / "run.json").is_file():
            self.run_chosen.emit(folder)
        else:
            self.say(f"{folder} holds no run: a run's folder has a run.json and .helm files in it")

    def _demo(self) -> None:
        self.demo_requested.emit()

    def _quit(self) -> None:
        self._screen.window.close()

    def _next_run(self) -> None:
        self._screen.runs.step_run(1)

    def _previous_run(self) -> None:
        self._screen.runs.step_run(-1)

    def _filter_runs(self) -> None:
        self._screen.actions["toggle_runs"].setChecked(True)
        self._screen.window.show_runs(True)
        self._screen.runs.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._screen.runs.filter.selectAll()

    def _sources(self) -> None:
        self.sources_requested.emit()

    def _copy_run_id(self) -> None:
        folder = self._screen.runs.chosen
        if folder:
            QGuiApplication.clipboard().setText(Path(folder).name)
            self.say(f"Copied {Path(folder).name}")

    def _policy(self) -> None:
        self.settings_requested.emit("Approvals")

    def _settings_page(self) -> None:
        self.settings_requested.emit("")

    def _show_folder(self) -> None:
        folder = self._screen.runs.chosen
        if folder:
            QDesktopServices.openUrl(QUrl.fromLocalFile(folder))

    def _palette(self) -> None:
        self.palette_requested.emit()

    # View --------------------------------------------------------------------------------------

    def show_controls(self) -> None:
        """Brings the run's controls forward."""
        self._dock("Controls")

    def show_control(self, name: str) -> None:
        """Opens the card of one control."""
        self.show_controls()
        self._screen.controls.bring_forward(name)

    def show_warning(self, warning: RunWarning) -> None:
        """Leads to the chart, the step and the lines that a warning speaks of."""
        if warning.metric:
            self.board.show_metric(warning.metric)
            if warning.step is not None:
                self._screen.board.charts.window.show_step(warning.step)
        else:
            self._show_activity()

    def show_watch(self) -> None:
        """Brings the rules forward, and what waits for approval."""
        self._dock("Watch", 420)

    def _show_activity(self) -> None:
        self._dock("Activity")

    def _show_details(self) -> None:
        self._dock("Details")

    def show_in_model(self, words: str) -> None:
        """Looks for a layer in the model tree."""
        self._show_details()
        self._screen.details.search.setText(words)
        self._screen.details.tree.setFocus()

    def _show_metrics(self) -> None:
        self._dock("Metrics")

    def _show_media(self) -> None:
        self._dock("Media", 400)

    def _dock(self, title: str, least: int = 160) -> None:
        self._screen.actions["toggle_dock"].setChecked(True)
        self._screen.window.show_dock(True)
        self._screen.dock.bring_forward(title, least)

    def _theme_system(self) -> None:
        self._wear("system")

    def _theme_dark(self) -> None:
        self._wear("dark")

    def _theme_light(self) -> None:
        self._wear("light")

    def _wear(self, choice: ThemeChoice) -> None:
        self._settings.theme = choice

    def _full_screen(self, on: bool) -> None:
        window = self._screen.window
        (window.showFullScreen if on else window.showNormal)()

    # Help --------------------------------------------------------------------------------------

    def _shortcuts(self) -> None:
        self.shortcuts_requested.emit()

    def _about(self) -> None:
        from importlib.metadata import version

        text = "Watch a training run and change it while it runs."
        self._tell("Helm", f"Version {version('helm-desktop')}. {text}")

    def _tell(self, title: str, text: str) -> None:
        box = QMessageBox(self._screen.window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(title)
        box.setText(title)
        box.setInformativeText(text)
        box.open()
