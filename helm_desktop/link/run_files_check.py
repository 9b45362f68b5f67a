"""What the files of a run say of its status, its processes and its notes, looked at about once a second."""

from __future__ import annotations

from helm_desktop.link.translate import about, status_of
from helm_desktop.model.run.updates import RunUpdate
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.run import RunFolder, marks

CHECK_SECONDS = 1.0
ENDED_FACTOR = 5  # slower, once the run has ended
USER_SECONDS = 0.25


class RunFilesCheck:
    """Looks when it is due, and at once where a window or a shell has written what people say of the run."""

    def __init__(self) -> None:
        self.ended = False  # the run has ended, and its history has been read
        self._checked_at = 0.0
        self._user_at = 0.0
        self._user_mark: object = None

    def restart(self) -> None:
        """Begin with another run."""
        self._checked_at, self.ended = 0.0, False

    def request(self) -> None:
        """Look at the next turn."""
        self._checked_at = 0.0

    def due(self, run: RunFolder, now: float) -> bool:
        """Return whether to look now; if so the next time counts from here."""
        interval = CHECK_SECONDS * (ENDED_FACTOR if self.ended else 1)
        if now - self._checked_at < interval and not self._user_changed(run, now):
            return False
        self._checked_at = now
        return True

    def read(self, run: RunFolder, *, caught_up: bool) -> list[RunUpdate]:
        """Return what the files say; that the run has ended only once its history has been read."""
        try:
            statuses = run.statuses()
            status = status_of(statuses, run)
            found: list[RunUpdate] = [about(statuses, run)]
        except (RecordError, OSError):
            return []
        self.ended = status.state.ended and caught_up
        return [*found, status] if caught_up or not status.state.ended else found

    def _user_changed(self, run: RunFolder, now: float) -> bool:
        if now - self._user_at < USER_SECONDS:
            return False
        self._user_at = now
        before, self._user_mark = self._user_mark, marks([run.path / layout.USER_FILE])
        return before != self._user_mark
