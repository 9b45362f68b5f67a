"""Write a process file: commit batches in sequence, merge small chunks, and leave one file at the end."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from helm_sdk.protocol.messages import Batch, PointGroup, ProcessRecord
from helm_sdk.record import layout, private
from helm_sdk.record.batch_points import chunks_of
from helm_sdk.record.database import open_writable, transaction
from helm_sdk.record.errors import DamagedFile, RecordError, from_os, from_sqlite
from helm_sdk.record.folding import LogFolding
from helm_sdk.record.lock import FileLock
from helm_sdk.record.merge import MergePlan, StoredChunk, merge_run, write_chunk
from helm_sdk.record.overview import figures
from helm_sdk.record.stats import StreamStats, add_groups
from helm_sdk.record.tables import insert_texts, pack_set, read_sets

_STATS_SECONDS: Final = 1.0
_CLOSE_LOG_SECONDS: Final = 1.0
_UNCOUNTED_BYTES: Final = 1 << 20


@dataclass
class _Staged:
    """What one transaction adds; the writer notes it after the commit."""

    sets: dict[tuple[int, ...], int] = field(default_factory=dict)
    chunks: list[tuple[int, StoredChunk]] = field(default_factory=list)


class ProcessWriter:
    """Writes `a<attempt>-<process>.helm` in `folder`; used by one thread at a time.

    Raises LockedError when another live process writes the file, ReadOnly, DiskFull or DiskError when it
    cannot be written, NewerFormat when it exists and a newer Helm wrote it.
    """

    def __init__(self, folder: Path, record: ProcessRecord) -> None:
        self.path = layout.process_file(folder, record.attempt, record.process)
        try:
            private.make_folder(folder)
        except OSError as error:
            raise from_os(error, folder) from None
        self._lock = FileLock(layout.lock_file(self.path), f"another process that writes {self.path.name}")
        try:
            private.touch(self.path)
            self._db = open_writable(self.path)
        except OSError as error:
            self._lock.release()
            raise from_os(error, self.path) from None
        except BaseException:
            self._lock.release()
            raise
        self._open = True
        self.last_seq = 0
        self._record = record
        self._sets: dict[tuple[int, ...], int] = {}
        self._streams: dict[int, tuple[int, ...]] = {}
        self._stats: dict[int, StreamStats] = {}
        self._touched: set[int] = set()
        self._uncounted: list[PointGroup] = []  # committed, but not in the figures yet
        self._uncounted_bytes = 0
        self._stats_saved = time.monotonic()
        self._plan = MergePlan()
        self._folding = LogFolding(self.path)
        try:
            self._begin(record)
        except BaseException:
            self._release()
            raise

    @property
    def record(self) -> ProcessRecord:
        """The record of the writing process, as stored in the file."""
        return self._record

    def commit(self, batches: Sequence[Batch], *, durable: bool = False) -> None:
        """Write batches in one transaction; their numbers follow `last_seq`.

        durable: sync to the disk, so that the batches also survive a crash of the machine. After an error
        nothing is stored, and the same batches may be committed again.
        """
        if not batches:
            return
        self._check_order(batches)
        staged = _Staged()
        if not durable and self._commit_chunk(batches, staged):
            return
        with transaction(self._db, self.path, durable=durable) as db:
            insert_texts(db, batches)
            chunks = chunks_of(batches)
            for streams, chunk in chunks:
                set_id = self._set_id(db, streams, staged)
                staged.chunks.append((set_id, write_chunk(db, set_id, chunk)))
            due = time.monotonic() - self._stats_saved >= _STATS_SECONDS
            if due:
                self._save_stats(db)
            if all(chunk.last_seq < batches[-1].seq for _, chunk in chunks):  # else the trigger has set it
                db.execute("UPDATE process SET last_seq = ? WHERE id = 1", (batches[-1].seq,))
        if due:
            self._mark_stats_saved()
        self._folding.wrote(sum(stored.size for _, stored in staged.chunks))
        self._note_committed(batches, staged)

    def _commit_chunk(self, batches: Sequence[Batch], staged: _Staged) -> bool:
        """Commit a batch with only rows of one known set, the usual case, as one statement; else False."""
        if len(batches) != 1 or time.monotonic() - self._stats_saved >= _STATS_SECONDS:
            return False
        (batch,) = batches
        if batch.streams or batch.events or batch.catalogues or len(batch.groups) != 1:
            return False
        set_id = self._sets.get(batch.groups[0].streams)
        if set_id is None or not batch.groups[0].rows:
            return False
        ((_, chunk),) = chunks_of(batches)
        try:
            stored = write_chunk(self._db, set_id, chunk)  # a transaction of its own, the trigger included
        except sqlite3.Error as error:
            raise from_sqlite(error, self.path) from None
        staged.chunks.append((set_id, stored))
        self._folding.wrote(stored.size)
        self._note_committed(batches, staged)
        return True

    def merge_slice(self, budget_s: float = 0.005, *, final: bool = False) -> bool:
        """Merge small chunks for about `budget_s` seconds; False when none are left to merge."""
        began = time.monotonic()
        until = began + budget_s
        while True:
            found = self._plan.next_run(final=final)
            if found is None:
                return False
            set_id, run = found
            try:
                with transaction(self._db, self.path) as db:
                    into = merge_run(db, set_id, self._streams[set_id], run)
            except DamagedFile:
                self._plan.skip(set_id)
                continue
            self._plan.merged(set_id, run, into)
            self._folding.wrote(into.size)
            ended = time.monotonic()
            # The next run may take as long as this one did.
            if 2 * ended - began >= until:
                return True
            began = ended

    def set_record(self, record: ProcessRecord) -> None:
        """Replace the record of the writing process; one with an outcome is synced to the disk."""
        with transaction(self._db, self.path, durable=bool(record.outcome)) as db:
            db.execute("UPDATE process SET record = ? WHERE id = 1", (_record_text(record),))
        self._record = record

    def close(self, budget_s: float = 2.0) -> None:
        """Merge what is left within `budget_s` seconds, and fold the log, so that one file is left.

        When the disk fails, file and log together still have everything that was committed.
        """
        if not self._open:
            return
        first_error: RecordError | None = None
        try:
            for action in (
                self._write_stats,
                lambda: self.merge_slice(budget_s, final=True),
                self._checkpoint_log,
            ):
                try:
                    action()
                except RecordError as error:
                    first_error = first_error or error
        finally:
            self._release()
        if first_error is not None:
            raise first_error

    def _begin(self, record: ProcessRecord) -> None:
        row = self._db.execute("SELECT last_seq, stats_seq FROM process").fetchone()
        with transaction(self._db, self.path, durable=True) as db:
            if row is None:
                db.execute("INSERT INTO process VALUES (1, ?, 0, 0)", (_record_text(record),))
                return
            db.execute("UPDATE process SET record = ? WHERE id = 1", (_record_text(record),))
        self.last_seq = row[0]
        self._streams = read_sets(self._db)
        self._sets = {streams: set_id for set_id, streams in self._streams.items()}
        self._stats = figures(self._db, row[1], row[0])  # the process that wrote it may have been killed
        self._touched = set(self._stats)
        for set_id, chunk_id, size in self._db.execute(
            "SELECT set_id, id, length(parts) + length(body) FROM chunks ORDER BY set_id, first_seq"
        ):
            self._plan.add(set_id, StoredChunk(chunk_id, size))

    def _check_order(self, batches: Sequence[Batch]) -> None:
        if not self._open:
            raise RecordError(f"{self.path.name} is closed")
        expected = self.last_seq + 1
        for batch in batches:
            if batch.start != expected or batch.seq < batch.start:
                raise RecordError(f"batch {batch.start} came where batch {expected} was due")
            expected = batch.seq + 1

    def _set_id(self, db: sqlite3.Connection, streams: tuple[int, ...], staged: _Staged) -> int:
        known = self._sets.get(streams) or staged.sets.get(streams)
        if known is None:
            cursor = db.execute("INSERT INTO sets (streams) VALUES (?)", (pack_set(streams),))
            known = staged.sets[streams] = int(cursor.lastrowid or 0)
        return known

    def _note_committed(self, batches: Sequence[Batch], staged: _Staged) -> None:
        """Note what is in the file now."""
        self.last_seq = batches[-1].seq
        self._sets.update(staged.sets)
        self._streams.update({set_id: streams for streams, set_id in staged.sets.items()})
        for set_id, stored in staged.chunks:
            self._plan.add(set_id, stored)
        for batch in batches:
            self._uncounted.extend(batch.groups)
            self._uncounted_bytes += sum(len(group.values) for group in batch.groups)
        if self._uncounted_bytes > _UNCOUNTED_BYTES:
            self._update_stats()

    def _update_stats(self) -> None:
        """Add committed groups to the figures, many at once, which costs little more than a single one."""
        for streams in {group.streams for group in self._uncounted}:
            self._touched.update(streams)
        add_groups(self._stats, self._uncounted)
        self._uncounted.clear()
        self._uncounted_bytes = 0

    def _save_stats(self, db: sqlite3.Connection) -> None:
        self._update_stats()
        db.executemany(
            "INSERT OR REPLACE INTO stats VALUES (?,?,?,?,?,?,?,?,?)",
            [(stream, *self._stats[stream].row()) for stream in self._touched],
        )
        db.execute("UPDATE process SET stats_seq = ? WHERE id = 1", (self.last_seq,))

    def _write_stats(self) -> None:
        with transaction(self._db, self.path) as db:
            self._save_stats(db)
        self._mark_stats_saved()

    def _mark_stats_saved(self) -> None:
        self._touched.clear()
        self._stats_saved = time.monotonic()

    def _checkpoint_log(self) -> None:
        """Fold the log into the file and remove it; wait up to a second for a reader in a read."""
        self._folding.stop()
        until = time.monotonic() + _CLOSE_LOG_SECONDS
        self._db.execute("PRAGMA busy_timeout = 0")  # this loop waits instead, a little at a time
        while True:
            try:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if self._db.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete":
                    return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise from_sqlite(error, self.path) from None
            if time.monotonic() >= until:
                return
            time.sleep(0.01)

    def _release(self) -> None:
        self._open = False
        self._folding.stop()
        with suppress(sqlite3.Error):
            self._db.close()
        self._lock.release()


def _record_text(record: ProcessRecord) -> str:
    return json.dumps(msgspec.to_builtins(record), ensure_ascii=False)
