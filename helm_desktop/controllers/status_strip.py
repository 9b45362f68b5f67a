"""The strip above the board: how the shown run is doing, renewed twice a second while it lives."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.runs_model import RunsModel
from helm_desktop.model.run.status_texts import StripTexts, checkpoint_text, strip_texts
from helm_desktop.views.strip import Strip
from helm_desktop.window.main_window import MainWindow
from helm_sdk.protocol.peer import RunState

REFRESH_MS = 500


class StatusStripController(QObject):
    """Its clock stands while the window is hidden or the run has ended."""

    def __init__(
        self,
        current: CurrentRun,
        runs: RunsModel,
        refresh_list: Callable[[], None],
        strip: Strip,
        window: MainWindow,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current, self._runs, self._strip, self._window = current, runs, strip, window
        self._refresh_list = refresh_list  # where it shows another state than the run itself
        self._clock = QTimer(self, interval=REFRESH_MS)
        self._clock.timeout.connect(self.refresh)
        current.changed.connect(self.refresh)
        current.follow("status_changed", self._status_changed)

    def start(self) -> None:
        """Refresh from now on."""
        self._clock.start()

    def stop(self) -> None:
        """Refresh no more."""
        self._clock.stop()

    def refresh(self) -> None:
        """Show how the run is doing now."""
        session = self._current.session
        words = strip_texts(session, self._listed_state()) if session is not None else StripTexts()
        self._strip.show_texts(words)
        if session is not None:
            saved = checkpoint_text(session)
            session.controls.set_note("checkpoint", saved, "checkpoint" if saved else "")

    def _status_changed(self) -> None:
        self.refresh()
        session = self._current.session
        if session is None:
            return
        state, listed = session.status.state, self._listed_state()
        if state.ended:
            self._clock.stop()
        elif self._window.isVisible() and not self._clock.isActive():
            self._clock.start()
        if listed is not None and listed != state:
            self._refresh_list()

    def _listed_state(self) -> RunState | None:
        """Return the state of the shown run as the list of runs has it."""
        session = self._current.session
        row = self._runs.run_at(self._runs.row_of(session.key)) if session is not None else None
        return row.state if row is not None else None
