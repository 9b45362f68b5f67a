"""What stands before anything is in it: preferences, theme and an empty window. Imports nothing heavy."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from helm_desktop.startup.arguments import AppOptions
from helm_desktop.startup.display import DEFAULT_SIZE
from helm_desktop.storage.preferences import Preferences
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helm_desktop.window.main_window import MainWindow
from helm_sdk.record.layout import config_home


class EmptyWindow:
    """The window of these options, of its size and in its colours, without its regions."""

    def __init__(self, app: QApplication, options: AppOptions) -> None:
        self.storage = Storage()
        self.settings = Preferences(None if options.offscreen else config_home(), self.storage)
        choice = options.theme or self.settings.theme
        self.theme = ThemeManager(app, choice, dressed=False)  # type: ignore[arg-type]
        self.window = MainWindow(self.settings)
        size = options.size or (DEFAULT_SIZE if options.offscreen else None)
        if size is not None:
            self.window.resize(*size)
