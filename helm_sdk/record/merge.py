"""Merge small chunks into larger ones, a few milliseconds at a time.

A run logs little by little, which makes many small chunks. Sixteen chunks below one of the limits become one,
or fewer if they fill a chunk: sixteen of 250 bytes make one of about 4 KB, and sixteen of these make one of
64 KB, which is full and stays. So a row is rewritten only a few times. At the end the rest is merged.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from helm_sdk.record.chunks import (
    Chunk,
    checksum,
    join_chunks,
    pack_body,
    pack_parts,
    unpack_body,
    unpack_parts,
)
from helm_sdk.record.errors import DamagedFile

FULL_BYTES: Final = 64 * 1024
_FAN_IN: Final = 16
_LEVELS: Final = (256, 1024, 4096, 16384, FULL_BYTES)


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk in the file, without its rows; `size` in bytes."""

    id: int
    size: int


class MergePlan:
    """Tracks the small chunks at the end of each set, and chooses the run of chunks to merge next."""

    def __init__(self) -> None:
        self._small: dict[int, list[StoredChunk]] = {}
        self._changed: set[int] = set()

    def add(self, set_id: int, chunk: StoredChunk) -> None:
        """Note a chunk that was written at the end of its set."""
        if chunk.size >= FULL_BYTES:
            self._small.pop(set_id, None)
            self._changed.discard(set_id)
            return
        self._small.setdefault(set_id, []).append(chunk)
        self._changed.add(set_id)

    def next_run(self, *, final: bool = False) -> tuple[int, list[StoredChunk]] | None:
        """Return (set id, chunks) to merge next; None when there is nothing.

        final: also merge chunks that would wait for more while the run lives.
        """
        for set_id in list(self._small if final else self._changed):
            run = _run_of(self._small.get(set_id, []), final=final)
            if run:
                return set_id, run
            self._changed.discard(set_id)
            if final:
                self._small.pop(set_id, None)
        return None

    def merged(self, set_id: int, run: Sequence[StoredChunk], into: StoredChunk) -> None:
        """Note that a run of chunks was merged into one."""
        small = self._small[set_id]
        at = small.index(run[0])
        if into.size >= FULL_BYTES:
            del small[: at + len(run)]
        else:
            small[at : at + len(run)] = [into]
        self._changed.add(set_id)

    def skip(self, set_id: int) -> None:
        """Do not merge the present chunks of a set."""
        self._small.pop(set_id, None)
        self._changed.discard(set_id)


def _run_of(small: Sequence[StoredChunk], *, final: bool) -> list[StoredChunk]:
    if final:
        return _as_much_as_fits(small)
    for limit in _LEVELS:
        start = len(small)
        while start and small[start - 1].size < limit:
            start -= 1
        tail = small[start:]
        if len(tail) >= _FAN_IN or (len(tail) > 1 and sum(chunk.size for chunk in tail) >= FULL_BYTES):
            return _as_much_as_fits(tail)
    return []


def _as_much_as_fits(chunks: Sequence[StoredChunk]) -> list[StoredChunk]:
    """Return the oldest chunks, up to one full chunk in size; none when that is a single chunk."""
    size = 0
    for count, chunk in enumerate(chunks, start=1):
        size += chunk.size
        if size >= FULL_BYTES and count > 1:
            return list(chunks[:count])
    return list(chunks) if len(chunks) > 1 else []


def write_chunk(
    db: sqlite3.Connection, set_id: int, chunk: Chunk, chunk_id: int | None = None
) -> StoredChunk:
    """Insert a chunk into the table, within the caller's transaction."""
    parts = pack_parts(chunk.parts, chunk.first_seq)
    body = pack_body(chunk.group)
    cursor = db.execute(
        "INSERT INTO chunks (id, set_id, first_seq, last_seq, rows, crc, parts, body)"
        " VALUES (?,?,?,?,?,?,?,?)",
        (
            chunk_id,
            set_id,
            chunk.first_seq,
            chunk.last_seq,
            chunk.group.rows,
            checksum(parts, body),
            parts,
            body,
        ),
    )
    return StoredChunk(int(cursor.lastrowid or 0), len(parts) + len(body))


def merge_run(
    db: sqlite3.Connection, set_id: int, streams: tuple[int, ...], run: Sequence[StoredChunk]
) -> StoredChunk:
    """Replace the chunks of a run by one, within the caller's transaction."""
    ids = [chunk.id for chunk in run]
    marks = ",".join("?" * len(ids))
    rows = db.execute(
        f"SELECT first_seq, crc, parts, body FROM chunks WHERE id IN ({marks}) ORDER BY first_seq", ids
    ).fetchall()
    chunks = []
    for first_seq, crc, parts, body in rows:
        if checksum(parts, body) != crc:
            raise DamagedFile("a chunk has changed on disk since it was written")
        chunks.append(Chunk(unpack_parts(parts, first_seq), unpack_body(body, streams)))
    db.execute(f"DELETE FROM chunks WHERE id IN ({marks})", ids)
    return write_chunk(db, set_id, join_chunks(chunks), ids[0])
