"""Between the settings in the window, the preferences that are kept, and what goes by them."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QFileDialog

from helm_desktop.actions.tables import ALL
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.controllers.keys import KeysController
from helm_desktop.controllers.policy import PolicyController
from helm_desktop.storage.key_bindings import KeyBindings
from helm_desktop.storage.preferences import Preferences, ThemeChoice
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helm_desktop.window.main_window import MainWindow
from helm_desktop.window.notifier import Notifier
from helm_sdk.record.layout import config_home
from helm_sdk.record.layout import home as default_home

if TYPE_CHECKING:
    from helm_desktop.views.settings import SettingsPage

APPROVALS = "Approvals"
SECTIONS = ("Appearance", "Updates", APPROVALS, "Notifications", "Folders", "Keys", "Shortcuts")


class SettingsController(QObject):
    """The page is made when it is first asked for; what it says holds at once and is kept."""

    notified = Signal(str)
    window_requested = Signal()  # a new one in place of this
    home_changed = Signal(object)  # the folder of all runs, None where runs go by themselves
    keys_changed = Signal()

    def __init__(
        self,
        current: CurrentRun,
        window: MainWindow,
        actions: dict[str, QAction],
        settings: Preferences,
        theme: ThemeManager,
        notifier: Notifier,
        storage: Storage,
        named_home: Path | None,
        window_scale: float,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._actions = window, actions
        self._settings, self._theme, self._notifier = settings, theme, notifier
        self._named_home, self._window_scale, self._storage = named_home, window_scale, storage
        self.policy, self.keys = PolicyController(current, storage, self), KeysController(storage, self)
        self.shortcuts = KeyBindings(ALL, settings.shortcuts(spec.id for spec in ALL))
        self.page: SettingsPage | None = None
        self._open = False
        for part in (self.policy, self.keys):
            part.notified.connect(self.notified)
        settings.changed.connect(self._changed)
        self._press()

    @property
    def home(self) -> Path | None:
        """The folder of all runs: as the command line says, as was chosen here, else None, where runs go."""
        if self._named_home is not None:
            return self._named_home
        return Path(self._settings.home) if self._settings.home else None

    def open(self, section: str = "") -> None:
        """Show the settings."""
        page = self.page = self.page or self._make()
        self._show()
        self.policy.refresh()
        self.keys.refresh()
        self._notifier.find_program(self._show_folders)
        if not self._open:
            self._open = True
            self._window.show_page(page)
        page.show_chapter(section)

    def _show_folders(self) -> None:
        assert self.page is not None
        self.page.notifications.show_where(self._notifier.where())

    def close(self) -> None:
        """Back to where they were opened."""
        if self._open and self.page is not None:
            self._open = False
            self._window.close_page(self.page)

    # Building ----------------------------------------------------------------------------------

    def _make(self) -> SettingsPage:
        from helm_desktop.views.settings import SettingsPage

        page = SettingsPage(ALL, self._window_scale)
        settings = self._settings
        page.left.connect(self.close)
        page.appearance.theme_requested.connect(self._set_theme)
        page.appearance.scale_requested.connect(self._scale)
        page.appearance.window_requested.connect(self.window_requested)
        page.updates.seconds_requested.connect(self._set_update_seconds)
        page.notifications.notify_requested.connect(self._notify)
        page.notifications.sound_requested.connect(self._sound)
        page.notifications.act_requested.connect(settings.let_rules)
        page.folders.open_requested.connect(self._open_folder)
        page.folders.home_requested.connect(self._choose_home)
        page.folders.usual_requested.connect(self._usual_home)
        page.shortcuts.keys_requested.connect(self._use_keys)
        page.shortcuts.reset_requested.connect(self._reset_keys)
        self.policy.attach(page.approvals)
        self.keys.attach(page.keys)
        page.shortcuts.show_shortcuts(self.shortcuts)
        return page

    # What is asked for -------------------------------------------------------------------------

    def _set_theme(self, choice: ThemeChoice) -> None:
        self._settings.theme = choice

    def _scale(self, scale: float) -> None:
        self._settings.scale = scale

    def _set_update_seconds(self, seconds: float) -> None:
        self._settings.update_seconds = seconds

    def _notify(self, on: bool) -> None:
        self._settings.notifies = on

    def _sound(self, on: bool) -> None:
        self._settings.sounds = on

    def _open_folder(self, folder: str) -> None:
        self._storage.run(Path(folder).is_dir, partial(self._show_folder, folder))

    def _show_folder(self, folder: str, there: bool) -> None:
        if not there:
            self.notified.emit(f"{folder} is not there yet: it is made with the first run")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(folder)):
            self.notified.emit(f"No program of this desktop opens {folder}")

    def _choose_home(self) -> None:
        dialog = QFileDialog(self._window, "Choose the home folder of runs", self._home_now())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.choose_home)
        dialog.open()

    def choose_home(self, folder: str) -> None:
        """List the runs of this folder from now on."""
        self._settings.home = folder

    def _usual_home(self) -> None:
        self._settings.home = ""

    def _use_keys(self, action: str, keys: str) -> None:
        self._set_keys(action, keys, keys)

    def _reset_keys(self, action: str) -> None:
        self._set_keys(action, next(spec.shortcut for spec in ALL if spec.id == action), None)

    def _set_keys(self, action: str, keys: str, kept: str | None) -> None:
        message = self.shortcuts.problem(action, keys)
        if not message:
            self.shortcuts.set(action, kept)
            self._settings.set_shortcut(action, kept)
            self._actions[action].setShortcuts(self.shortcuts.keys(action))
            self.keys_changed.emit()
        if self.page is not None:
            self.page.shortcuts.lines[action].show_keys(self.shortcuts)
            self.page.shortcuts.lines[action].complain(message)

    # What holds --------------------------------------------------------------------------------

    def _press(self) -> None:
        """The keys as they were given before."""
        for spec in ALL:
            if not self.shortcuts.own(spec.id):
                self._actions[spec.id].setShortcuts(self.shortcuts.keys(spec.id))

    def _changed(self, name: str) -> None:
        if name == "theme":
            self._theme.choose(self._settings.theme)
            self._actions[f"theme_{self._settings.theme}"].setChecked(True)
        elif name == "home":
            self.home_changed.emit(self.home)
        if self.page is not None:
            self._show()

    def _show(self) -> None:
        page = self.page
        assert page is not None
        page.appearance.show_settings(self._settings)
        page.updates.show_settings(self._settings)
        page.notifications.show_settings(self._settings)
        page.folders.show_folders(
            self._home_now(),
            self._why_home(),
            str(config_home()),
            chosen=bool(self._settings.home),
        )

    def _home_now(self) -> str:
        return str(self.home or default_home())

    def _why_home(self) -> str:
        if self._named_home is not None:
            return "The command line named it: what is chosen here holds for windows without --home."
        if self._settings.home:
            return "It was chosen here; a script writes into it where HELM_RUN_HOME names it."
        if os.environ.get("HELM_RUN_HOME"):
            return "HELM_RUN_HOME names it, for scripts and for this window."
        return "Scripts write into it where HELM_RUN_HOME does not name another."
