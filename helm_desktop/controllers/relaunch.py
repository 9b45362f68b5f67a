"""A new window in place of this one, as a changed scale needs it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.window.main_window import MainWindow


class RelaunchController(QObject):
    """Starts the app again on the same run.

    start: opens a window on a run (its folder, empty for none); returns why it could not, empty when it did.
    """

    def __init__(
        self,
        current: CurrentRun,
        window: MainWindow,
        start: Callable[[str], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current, self._window, self._start = current, window, start

    def reopen(self) -> None:
        """Open a new window on the same run, at the scale that was chosen; close this one when it starts."""
        session = self._current.session
        run = session.folder if session is not None else ""
        problem = self._start(run)
        if problem:
            self._window.show_message(problem)
        else:
            self._window.close()
