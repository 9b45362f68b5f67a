"""The list of all runs, and which of them is opened: the one asked for, or the first that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.runs_model import NoSuchRun, RunsModel, find_run
from helm_desktop.model.run.updates import RunRow
from helm_desktop.storage.preferences import Preferences
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.runs.panel import RunsPanel
from helm_desktop.window.main_window import MainWindow
from helm_sdk.record.layout import RUN_FILE

if TYPE_CHECKING:
    from helm_desktop.link.reader_thread import ReaderThread


class RunsController(QObject):
    """Lists the runs of the home folder and opens one."""

    notified = Signal(str)
    not_found = Signal(str)  # one sentence

    def __init__(
        self,
        current: CurrentRun,
        model: RunsModel,
        panel: RunsPanel,
        window: MainWindow,
        preferences: Preferences,
        wanted: str,
        opens_started: Callable[[], bool],
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current, self._model, self._panel, self._window = current, model, panel, window
        self._preferences, self._storage = preferences, storage
        self._opens_started = opens_started  # whether a run that begins now is shown at once
        self._wanted = wanted  # what the command line names, until it is found
        self._seen: set[str] | None = None  # folders listed so far; None before the first list
        self._reader: ReaderThread | None = None
        panel.run_requested.connect(self.open)

    def start(self, home: Path | None) -> None:
        """Start the thread that looks for runs."""
        from helm_desktop.link.reader_thread import ReaderThread

        self._reader = ReaderThread(home, self)
        self._reader.listed.connect(self._listed)
        self._reader.found_so_far.connect(self._found)
        self._reader.begin()

    def stop(self) -> None:
        """Stop the thread and wait for it. Safe to call more than once."""
        if self._reader is not None:
            self._reader.stop()

    @property
    def listing(self) -> bool:
        """Whether the thread runs."""
        return self._reader is not None and self._reader.isRunning()

    def set_home(self, home: Path | None) -> None:
        """List the runs of another home folder."""
        if self._reader is not None:
            self._reader.set_home(home)

    def set_slow(self, slow: bool) -> None:
        """Look for runs less often, while the window is hidden."""
        if self._reader is not None:
            self._reader.set_slow(slow)

    def refresh(self) -> None:
        """Look for runs now: the list shows an older state of the open one."""
        if self._reader is not None:
            self._reader.wake()

    def open(self, folder: str) -> None:
        """Show another run."""
        session = self._current.session
        if session is not None and session.key == folder:
            return
        self._current.show(folder)
        self._preferences.last_run = folder
        self._panel.choose(folder)
        self._panel.list.setFocus()
        self._window.show_first_minute(False)

    def _found(self, rows: list[RunRow]) -> None:
        """The newest runs, while others are still looked at: enough to open one that lives."""
        self._model.set_runs(rows)
        if self._current.session is None and not self._wanted:
            self._open_first([row for row in rows if not row.state.ended])

    def _listed(self, rows: list[RunRow]) -> None:
        self._model.set_runs(rows)
        folders = {row.folder for row in rows}
        fresh = folders - self._seen if self._seen is not None else set()
        self._seen = folders
        started = next((row.folder for row in rows if row.folder in fresh and not row.state.ended), "")
        if self._current.session is None:
            self._open_first(rows)
        elif started and self._opens_started():
            self.open(started)
        self._window.show_first_minute(self._current.session is None)

    def _open_first(self, rows: Sequence[RunRow]) -> None:
        """The run that was asked for, a live one, the one open last, or the newest."""
        if self._wanted:
            wanted, self._wanted = self._wanted, ""
            self._open_named(wanted, rows)
            return
        last = [row for row in rows if row.folder == self._preferences.last_run]
        live = [row for row in rows if not row.state.ended]
        for row in (live or last or list(rows))[:1]:
            self.open(row.folder)

    def _open_named(self, text: str, rows: Sequence[RunRow]) -> None:
        self._storage.run(partial(_folder_named, text), partial(self._open_found, text, rows))

    def _open_found(self, text: str, rows: Sequence[RunRow], folder: str) -> None:
        if folder:
            self.open(folder)
            return
        try:
            self.open(find_run(rows, text).folder)
        except NoSuchRun as error:
            self.notified.emit(str(error))
            self.not_found.emit(str(error))


def _folder_named(text: str) -> str:
    """Return the folder of a run that a text is the path of; empty where it is none."""
    path = Path(text).expanduser()
    return str(path.resolve()) if (path / RUN_FILE).is_file() else ""
