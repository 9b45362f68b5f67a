"""Open a process file for reading, beside its writer or, where that is not possible, as a private copy."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from helm_sdk.record import layout, migrations
from helm_sdk.record.database import open_readable, open_writable, version_of
from helm_sdk.record.errors import DamagedFile, NotBegun, RecordError, from_os, from_sqlite
from helm_sdk.record.lock import FileLock

_COPY_ATTEMPTS: Final = 8
_LOG_HEAD_BYTES: Final = 32

_Signature = tuple[int, int, int, bytes]


@contextmanager
def damage_of(path: Path) -> Iterator[None]:
    """Return a context manager for reading a file: whatever its bytes cause becomes a RecordError.

    One wrong byte may show as text that is not UTF-8, a value of another type, a row that is missing, or a
    size that no memory holds. None of it may keep other files from being read.
    """
    try:
        yield
    except RecordError:
        raise
    except sqlite3.Error as error:
        raise from_sqlite(error, path) from None
    except OSError:
        raise
    except Exception as error:
        raise DamagedFile(f"{path} is damaged: {type(error).__name__}: {error}") from error


class ProcessFileAccess:
    """Gives short read transactions on a process file, also in a folder that cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._copy: Path | None = None
        self._copied: tuple[_Signature, tuple[int, int]] | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return a context manager with a connection to one consistent view of the file.

        The connection is closed afterwards, so that the writer can remove its log at the end.
        """
        with damage_of(self.path):
            db = self._connect()
        try:
            with damage_of(self.path):
                db.execute("BEGIN")
                yield db
        finally:
            # Without COMMIT: closing ends a read, and an error of it must not hide an earlier one.
            db.close()

    def close(self) -> None:
        """Remove the private copy, if there is one."""
        if self._copy is not None:
            shutil.rmtree(self._copy.parent, ignore_errors=True)
            self._copy = None

    def _connect(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise RecordError(f"{self.path} does not exist")
        if self._copy is None:
            try:
                db = open_readable(self.path)
            except sqlite3.Error as error:
                if _never_opens(error):
                    raise from_sqlite(error, self.path) from None
            else:
                try:
                    version = version_of(db, self.path)
                    if version == 0:
                        raise NotBegun(f"{self.path} has not been begun yet")
                    if version == migrations.newest():
                        return db
                except BaseException:
                    db.close()
                    raise
                db.close()
        return self._open_copy()

    def _open_copy(self) -> sqlite3.Connection:
        """Open a copy with tables of the newest version; an older file itself is not changed."""
        # Closing any handle of a file releases every POSIX lock that this process has on it, SQLite's too.
        if FileLock.is_held_here(layout.lock_file(self.path)):
            raise RecordError(f"{self.path} could not be opened beside its writer")
        try:
            state = (_signature(self.path), _log_state(self.path))
            if self._copy is None or self._copied != state:
                self.close()
                self._copy = _copy(self.path)
                self._copied = state
        except OSError as error:
            raise from_os(error, self.path) from None
        return open_writable(self._copy)


def _never_opens(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _copy(path: Path) -> Path:
    """Return a copy of a file and its log; copy again when the writer folded the log meanwhile."""
    folder = Path(tempfile.mkdtemp(prefix="helm-read-"))
    target = folder / path.name
    log = _log_of(path)
    try:
        for _ in range(_COPY_ATTEMPTS):
            before = _signature(path)
            shutil.copyfile(path, target)
            with suppress(FileNotFoundError):
                shutil.copyfile(log, _log_of(target))
            if _signature(path) == before:
                return target
            _log_of(target).unlink(missing_ok=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    raise RecordError(f"{path} changes faster than it can be copied")


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _signature(path: Path) -> _Signature:
    """Return a value that changes when the log is folded into the file, not when the log grows."""
    stat = os.stat(path)
    head = b""
    with suppress(FileNotFoundError), open(_log_of(path), "rb") as log:
        head = log.read(_LOG_HEAD_BYTES)
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, head


def _log_state(path: Path) -> tuple[int, int]:
    try:
        stat = os.stat(_log_of(path))
    except FileNotFoundError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
