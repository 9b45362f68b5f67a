"""Move the write-ahead log into the process file (SQLite calls this a checkpoint) on a thread of its own.

So no commit, and with it no command, waits for that work of the disk.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_FOLD_BYTES: Final = 8 * 1024 * 1024
_PAGES_BYTES: Final = 6 * 4096  # of tables and indexes that a transaction touches beside its own rows
_STOP_SECONDS: Final = 5.0


class LogFolding:
    """Counts what commits write, and folds the log on its thread each time enough has been written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written = 0
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def wrote(self, size: int) -> None:
        """Count a committed transaction with about `size` bytes of rows."""
        self._written += size + _PAGES_BYTES
        if self._written < _FOLD_BYTES:
            return
        self._written = 0
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="helm-fold", daemon=True)
            self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """End the thread, which closes the file; wait for it, but not longer than a few seconds."""
        if self._thread is not None:
            self._stopping = True
            self._wake.set()
            self._thread.join(_STOP_SECONDS)
            self._thread = None

    def _run(self) -> None:
        try:
            db = sqlite3.connect(self._path, timeout=0.0, isolation_level=None)
        except sqlite3.Error:
            return
        try:
            while True:
                self._wake.wait()
                self._wake.clear()
                if self._stopping:
                    return
                # What cannot be folded now is folded next time, or by the writer's own threshold.
                with suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            db.close()
