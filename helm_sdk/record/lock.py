"""Exclusive locks by files; a lock ends with its process."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from helm_sdk.record.errors import LockedError, from_os

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        # Not flock: a forked data-loading worker would keep that lock after its parent's death.
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_BUSY = {errno.EACCES, errno.EAGAIN, errno.ENOENT, errno.EDEADLK}
_held: dict[str, int] = {}  # pid by path: a POSIX lock does not stop the process that has it
_guard = threading.Lock()


class FileLock:
    """A lock from construction to `release`. Raises LockedError when it is locked for over `wait_s` seconds.

    holder: what the error calls the other process.
    """

    def __init__(self, path: Path, holder: str = "another process", *, wait_s: float = 0.0) -> None:
        self.path = path
        self._name = os.path.realpath(path)
        self._handle = -1
        until = time.monotonic() + wait_s
        while not self._try():
            if time.monotonic() >= until:
                raise LockedError(f"{holder} has it open for writing: {path.parent / path.name}")
            time.sleep(0.01)

    def release(self) -> None:
        """Unlock and remove the file; a second call does nothing."""
        if self._handle < 0:
            return
        with _guard:
            # A forked child must not remove the file of its parent's lock.
            if _held.get(self._name) == os.getpid():
                del _held[self._name]
                with suppress(OSError):
                    self.path.unlink()
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @staticmethod
    def is_held_here(path: Path) -> bool:
        """Return True when this process has the lock."""
        return _held.get(os.path.realpath(path)) == os.getpid()

    def _try(self) -> bool:
        with _guard:
            if _held.get(self._name) == os.getpid():
                return False
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            except OSError as error:
                raise from_os(error, self.path) from None
            try:
                _lock(handle)
                # The process that had it may have removed the file between this open and this lock.
                ours = os.path.samestat(os.stat(self.path), os.fstat(handle))
            except OSError as error:
                os.close(handle)
                if error.errno in _BUSY:
                    return False
                raise from_os(error, self.path) from None
            if not ours:
                os.close(handle)
                return False
            self._handle = handle
            _held[self._name] = os.getpid()
            return True
