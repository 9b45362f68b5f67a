"""History out of process files, a page at a time, with a pause after whatever went wrong."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from helm_sdk.protocol.messages import Batch, ProcessRecord

if TYPE_CHECKING:
    from helm_sdk.record.reader import ProcessReader

PAGE_BYTES: Final = 256 << 10
_RETRY_SECONDS: Final = 0.25
_PATIENCE: Final = 3


class HistoryFile:
    """One process file, opened when it is first needed. What fails is tried again a little later."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.problem = ""
        self._clock = clock
        self._reader: ProcessReader | None = None
        self._failures = 0
        self._not_before = 0.0

    @property
    def ready(self) -> bool:
        """Whether it may be asked now."""
        return self._clock() >= self._not_before

    @property
    def usable(self) -> bool:
        """Whether it has brought what was asked; if not for a while, history must come another way."""
        return self._failures < _PATIENCE

    def page(self, after_seq: int, upto_seq: int) -> Sequence[Batch]:
        """About PAGE_BYTES of batches after one number up to another; empty when there are none now."""
        reader = self._open()
        if reader is None:
            return ()
        try:
            batches = reader.page(after_seq, upto_seq, PAGE_BYTES)
        except self._errors() as error:
            self._failed(str(error))
            return ()
        if batches:
            self._failures = 0
        else:
            self._failed("")
        return batches

    def last_seq(self) -> int:
        """Return the highest number in the file; 0 when it cannot be read."""
        reader = self._open()
        if reader is None:
            return 0
        try:
            return reader.last_seq
        except self._errors() as error:
            self._failed(str(error))
            return 0

    def record(self) -> ProcessRecord | None:
        """Return who writes it and how that ended, as the file says now; None when it cannot be read."""
        reader = self._open()
        if reader is None:
            return None
        try:
            return reader.record
        except self._errors() as error:
            self._failed(str(error))
            return None

    def close(self) -> None:
        """Close the file; it opens again when it is asked."""
        if self._reader is not None:
            with contextlib.suppress(*self._errors()):
                self._reader.close()
            self._reader = None

    def _open(self) -> ProcessReader | None:
        if self._reader is None and self.ready:
            from helm_sdk.record.reader import ProcessReader

            try:
                self._reader = ProcessReader(self.path)
            except self._errors() as error:
                self._failed(str(error))
        return self._reader

    def _failed(self, problem: str) -> None:
        self.problem = problem
        self._failures += 1
        self._not_before = self._clock() + _RETRY_SECONDS

    @staticmethod
    def _errors() -> tuple[type[Exception], ...]:
        import sqlite3

        from helm_sdk.record.errors import RecordError

        return (RecordError, sqlite3.Error, OSError)
