"""Errors of run folders; the text of each is one sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path


class RecordError(Exception):
    """A run folder or a file of it that cannot be used; the text is one sentence for people."""


class LockedError(RecordError):
    """Another live process writes this file."""


class DiskFull(RecordError):
    """The disk is full; nothing of the commit was stored, and it may be tried again."""


class ReadOnly(RecordError):
    """The file or its folder may not be written."""


class DiskError(RecordError):
    """The disk failed in another way; nothing of the commit was stored."""


class NotBegun(RecordError):
    """The file exists, but its writer has not written into it yet."""


class NewerFormat(RecordError):
    """A newer version of Helm wrote the file."""


class DamagedFile(RecordError):
    """Not a file of Helm, or one that has been damaged."""


class RunNotFound(RecordError):
    """No run has this id, name or path."""


class AmbiguousRun(RecordError):
    """More than one run has this name or beginning of an id."""


def from_sqlite(error: sqlite3.Error, path: Path) -> RecordError:
    """Return the RecordError that stands for an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(f"the disk is full: {path} could not be written")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ReadOnly(f"{path} may not be written")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedFile(f"{path} is damaged or not a file of Helm: {error}")
    if code == sqlite3.SQLITE_CANTOPEN and not path.exists():
        return RecordError(f"{path} could not be opened: its folder does not exist or may not be written")
    return DiskError(f"{path} could not be used: {error}")


def from_os(error: OSError, path: Path) -> RecordError:
    """Return the RecordError that stands for an error of the operating system."""
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"the disk is full: {path} could not be written")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ReadOnly(f"{path} may not be written")
    return DiskError(f"{path} could not be used: {error.strerror or error}")
