"""Between the shown run and the thread that owns the sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.updates import FollowUpdate, OpenedUpdate, RunUpdate
from helm_desktop.storage.preferences import Preferences

if TYPE_CHECKING:
    from helm_desktop.link.link_thread import LinkThread
    from helm_desktop.model.run.session import Session


class LinkController(QObject):
    """Starts the thread, tells it which run to follow, and hands its updates to the session."""

    fetched = Signal(str, str, object, str)  # the run's folder, a file, its bytes or None, why not
    failed = Signal(str)  # the run cannot be opened; one sentence

    def __init__(self, current: CurrentRun, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._current, self._preferences = current, preferences
        self._thread: LinkThread | None = None
        self._opening = self._arrived_opening = 0  # updates of an earlier opening are dropped
        current.changed.connect(self._open)
        preferences.changed.connect(self._preference_changed)

    @property
    def running(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.isRunning()

    def start(self) -> LinkThread:
        """Start the thread."""
        from helm_desktop.link.link_thread import LinkThread
        from helm_sdk.keys import load_keys

        thread = self._thread = LinkThread(load_keys, self)
        thread.arrived.connect(self._arrived)
        thread.failed.connect(self._failed)
        thread.fetched.connect(self.fetched)
        thread.set_update_seconds(self._preferences.update_seconds)
        thread.begin()
        return thread

    def stop(self) -> None:
        """Stop the thread and wait for it. Safe to call more than once."""
        if self._thread is not None:
            self._thread.stop()

    def refresh(self, folder: str) -> None:
        """Read the run's folder now: something was written into it from here."""
        session = self._current.session
        if self._thread is not None and session is not None and session.key == folder:
            self._thread.refresh()

    def fetch(self, folder: str, file: str, process: str) -> None:
        """Have the run send a file that is not on this machine; `fetched` follows."""
        if self._thread is not None:
            self._thread.fetch(folder, file, process)

    def _open(self, before: Session | None, now: Session) -> None:
        if self._thread is not None:
            self._opening = self._thread.open(now.key)

    def _arrived(self, folder: str, updates: list[RunUpdate]) -> None:
        session = self._current.session
        try:
            if updates and isinstance(updates[0], OpenedUpdate):
                self._arrived_opening = updates[0].number
            if session is not None and session.key == folder and self._arrived_opening == self._opening:
                session.apply(updates)
        finally:
            if self._thread is not None:
                self._thread.acknowledge()

    def _failed(self, folder: str, sentence: str) -> None:
        session = self._current.session
        if session is not None and session.key == folder:
            session.apply([FollowUpdate(sentence)])
            self.failed.emit(sentence)

    def _preference_changed(self, name: str) -> None:
        if name == "pace" and self._thread is not None:
            self._thread.set_update_seconds(self._preferences.update_seconds)
