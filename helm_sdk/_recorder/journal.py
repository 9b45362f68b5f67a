"""The journal: numbers batches, commits them to the process file, and keeps them while the disk fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from helm_sdk._shared.notice import print_notice
from helm_sdk.protocol import packing
from helm_sdk.protocol.messages import Batch
from helm_sdk.record.errors import RecordError
from helm_sdk.record.writer import ProcessWriter

_BATCHES_AT_ONCE = 512  # in one transaction: far more than one chunk of points, which must not be split
_RETRY_SECONDS = 1.0
Guard = Callable[[Callable[[], None]], None]  # runs an action whose failure must not stop the others


class Journal:
    """Items on their way to the disk; used on the recorder's thread.

    A batch is published only after it is on disk.
    """

    def __init__(self, writer: ProcessWriter, process: str, attempt: int, guard: Guard) -> None:
        self._writer = writer
        self._process = process
        self._attempt = attempt
        self._guard = guard
        self._next = writer.last_seq  # the last number given out
        self._items: list[packing.Item] = []
        self._durable = False
        self._after: list[Callable[[], None]] = []
        self._pending: list[Batch] = []
        self._retry_at = 0.0
        self.failing = ""  # why the disk cannot be written; empty while it can
        self.pending_bytes = 0

    @property
    def last_seq(self) -> int:
        """The last number that is on disk."""
        return self._writer.last_seq

    @property
    def clean(self) -> bool:
        """Whether every added item is on disk."""
        return not self._items and not self._pending

    @property
    def has_pending(self) -> bool:
        """Whether actions wait for the next commit."""
        return bool(self._after)

    def add(self, items: Iterable[packing.Item], *, durable: bool = False) -> None:
        """Put items into the next commit; `durable`: that commit is synced to the disk."""
        self._items.extend(items)
        self._durable = self._durable or durable

    def later(self, action: Callable[[], None]) -> None:
        """Call `action` once everything added so far is on disk and published."""
        self._after.append(action)

    def durable(self) -> None:
        """Sync the next commit to the disk."""
        self._durable = True

    def commit(self, publish: Callable[[Batch], None]) -> bool:
        """Commit, publish, and run the actions that waited; return True when something was committed."""
        if self._items:
            items, self._items = self._items, []
            fresh = list(packing.cut(items, self._process, self._attempt, self._next))
            self._next = fresh[-1].seq
            self._pending.extend(fresh)
            if self.failing:
                self.pending_bytes += packing.bytes_in(fresh)
        if self.failing and time.monotonic() < self._retry_at:
            return False
        wrote = False
        at_once = _BATCHES_AT_ONCE
        while self._pending:
            part = self._pending[:at_once]
            try:
                written = self._write(part)
            except Exception as error:  # one batch that cannot be stored must not stop the next ones
                at_once = 1
                self._leave_out(part, error)
                continue
            if not written:
                return wrote
            del self._pending[: len(part)]
            wrote = True
            for batch in part:
                publish(batch)
        self._durable = False
        actions, self._after = self._after, []
        for action in actions:
            self._guard(action)
        return wrote

    def _leave_out(self, batches: list[Batch], error: Exception) -> None:
        """Empty the one batch that cannot be stored; its number stays. Of several, find it first."""
        if len(batches) > 1:
            return  # they are committed one by one next, which finds it
        empty = Batch(process=self._process, attempt=self._attempt, seq=batches[0].seq)
        if batches[0] == empty:
            raise error
        print_notice(f"A batch could not be stored and is left out: {type(error).__name__}: {error}")
        self._pending[0] = empty

    def _write(self, batches: list[Batch]) -> bool:
        try:
            self._writer.commit(batches, durable=self._durable)
        except RecordError as error:
            if not self.failing:
                print_notice(
                    f"Points are kept in memory until the disk works again: {error}; training goes on"
                )
            self.failing = str(error)
            self.pending_bytes = packing.bytes_in(self._pending)
            self._retry_at = time.monotonic() + _RETRY_SECONDS
            return False
        if self.failing:
            print_notice("The disk works again: what was kept in memory is written")
            self.failing = ""
        self.pending_bytes = 0
        return True
