"""A new window in place of this one, as a changed scale needs it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.startup import relaunch
from helm_desktop.startup.arguments import AppOptions
from helm_desktop.storage.preferences import Preferences
from helm_desktop.window.main_window import MainWindow


class RelaunchController(QObject):
    """Starts the app again on the same run."""

    def __init__(
        self,
        current: CurrentRun,
        window: MainWindow,
        options: AppOptions,
        settings: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current, self._window = current, window
        self._options, self._settings = options, settings

    def reopen(self) -> None:
        """Open a new window on the same run, at the scale that was chosen; close this one when it starts."""
        session = self._current.session
        run = session.folder if session is not None else ""
        problem = relaunch.start(self._options, run, self._settings.scale)
        if problem:
            self._window.show_message(problem)
        else:
            self._window.close()
