"""Writes what people say of a run into its user.json, behind the window."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from helm_sdk.record.errors import RecordError

_log = logging.getLogger(__name__)


class UserWriter(QObject):
    """One change after the other: neither a slow disk nor another program's lock holds up the window."""

    kept = Signal(str, object)  # the run's folder, what the change was called
    failed = Signal(str, object, str)  # and why it was not kept, one sentence

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: ThreadPoolExecutor | None = None

    def change(self, folder: str, work: Callable[[Path], object], called: object = None) -> None:
        """Have `work` change the user.json of this folder; one of the signals follows, with `called`."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="helm-user")
        self._pool.submit(self._run, folder, work, called)

    def stop(self) -> None:
        """Write what was asked for and end the thread. Safe to call more than once."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)

    def _run(self, folder: str, work: Callable[[Path], object], called: object) -> None:
        try:
            work(Path(folder))
        except RecordError as error:
            self.failed.emit(folder, called, str(error))
        except Exception as error:
            _log.exception("changing what people say of %s failed", folder)
            self.failed.emit(folder, called, str(error))
        else:
            self.kept.emit(folder, called)
