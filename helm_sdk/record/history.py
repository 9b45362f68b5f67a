"""Read a range of sequence numbers of a process file as one batch of about a given size."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import Batch, Catalogue, Event, PointGroup, StreamDef
from helm_sdk.protocol.wire import unpack
from helm_sdk.record.chunks import Chunk, checksum, join_rows, unpack_body, unpack_parts
from helm_sdk.record.errors import DamagedFile
from helm_sdk.record.tables import stream_def

_CHUNKS_OF_RANGE = """
    SELECT c.id, c.set_id, c.first_seq, c.last_seq, c.rows FROM sets AS s CROSS JOIN chunks AS c
    ON c.set_id = s.id AND c.first_seq <= :upto AND c.first_seq >= coalesce(
        (SELECT max(first_seq) FROM chunks WHERE set_id = s.id AND first_seq <= :after + 1), 0)
    WHERE c.last_seq > :after
"""

_FIRST_RANGE = 1024


@dataclass(frozen=True, slots=True)
class ChunkLocation:
    """A chunk in the file: its row id, and the sequence numbers that it covers."""

    id: int
    set_id: int
    first_seq: int
    last_seq: int
    rows: int


@dataclass
class HistoryReader:
    """Reads ranges of one process file, one after another; caches chunks that the next range needs again."""

    sets: dict[int, tuple[int, ...]]
    axes: frozenset[int]  # streams that are axes: their order relative to others does not matter
    damaged: set[int]  # ids of chunks whose checksum is wrong
    _range: int = _FIRST_RANGE  # how many numbers to look at first
    _cached: dict[ChunkLocation, Chunk] = field(default_factory=dict)

    def batch(
        self, db: sqlite3.Connection, after: int, upto: int, limit: int, process: str, attempt: int
    ) -> Batch:
        """Return the next batch after number `after`, of about `limit` bytes, up to `upto`.

        It covers at least one number. `upto` must be more than `after`.
        """
        locations, reach = self._fitting(db, after, upto, limit)
        while True:
            within = [location for location in locations if location.first_seq <= reach]
            groups = self.groups(db, within, after, reach)
            if reach == after + 1 or _bytes_of(groups) <= 4 * limit:
                break
            reach = after + max(1, (reach - after) // 4)
        self._forget(reach)
        return Batch(
            process=process,
            attempt=attempt,
            seq=reach,
            first=after + 1 if reach > after + 1 else 0,
            streams=_streams(db, after, reach),
            groups=tuple(groups),
            events=tuple(read_events(db, after, reach)),
            catalogues=tuple(read_catalogues(db, after, reach)),
        )

    def groups(
        self, db: sqlite3.Connection, locations: Sequence[ChunkLocation], after: int, upto: int
    ) -> list[PointGroup]:
        """Return the rows of some chunks of after < seq <= upto; each stream keeps the order of the log."""
        cuts: dict[int, list[Chunk]] = {}
        for location in sorted(locations, key=_order):
            chunk = self._chunk(db, location)
            cut = chunk.cut(after, upto) if chunk is not None else None
            if cut is not None:
                cuts.setdefault(location.set_id, []).append(cut)
        crossing = self._crossing(cuts)
        groups = [cut.group for set_id, each in cuts.items() if set_id not in crossing for cut in each]
        return groups + _interleave([cut for set_id in crossing for cut in cuts[set_id]])

    def _fitting(
        self, db: sqlite3.Connection, after: int, upto: int, limit: int
    ) -> tuple[list[ChunkLocation], int]:
        """Return (chunks, last number) of what fits in `limit` bytes, reading no more than needed."""
        while True:
            end = min(upto, after + self._range)
            locations = self._locations(db, after, end)
            reach = self._reachable(locations, _text_sizes(db, after, end), after, end, limit)
            if reach < end or end == upto:
                self._range = max(_FIRST_RANGE, 2 * (reach - after))
                return locations, reach
            self._range *= 8

    def _locations(self, db: sqlite3.Connection, after: int, upto: int) -> list[ChunkLocation]:
        rows = db.execute(_CHUNKS_OF_RANGE, {"after": after, "upto": upto})
        return [ChunkLocation(*row) for row in rows]

    def _reachable(
        self,
        locations: Sequence[ChunkLocation],
        texts: Sequence[tuple[int, int]],
        after: int,
        upto: int,
        limit: int,
    ) -> int:
        """Return the last number that fits in about `limit` bytes.

        The rows of a chunk are assumed to be spread evenly over its numbers.
        """

        def size(reach: int) -> float:
            total = float(sum(length for seq, length in texts if seq <= reach))
            for location in locations:
                low, high = max(location.first_seq, after + 1), min(location.last_seq, reach)
                if high >= low:
                    share = (high - low + 1) / (location.last_seq - location.first_seq + 1)
                    total += location.rows * share * (len(self.sets[location.set_id]) + 2) * 8
            return total

        if size(upto) <= limit:
            return upto
        low, high = after + 1, upto
        while low < high:
            middle = (low + high + 1) // 2
            if size(middle) <= limit:
                low = middle
            else:
                high = middle - 1
        return low

    def _chunk(self, db: sqlite3.Connection, location: ChunkLocation) -> Chunk | None:
        chunk = self._cached.get(location)
        if chunk is None:
            try:
                chunk = self._cached[location] = read_chunk(db, location.id, self.sets[location.set_id])
            except DamagedFile:
                self.damaged.add(location.id)
                return None
        return chunk

    def _forget(self, reach: int) -> None:
        self._cached = {
            location: chunk for location, chunk in self._cached.items() if location.last_seq > reach
        }

    def _crossing(self, cuts: Iterable[int]) -> list[int]:
        """Return the sets that share a stream with another one: their rows have to be ordered together."""
        present = list(cuts)
        owners: dict[int, int] = {}
        crossing: set[int] = set()
        for set_id in present:
            for stream in self.sets[set_id]:
                if stream not in self.axes and owners.setdefault(stream, set_id) != set_id:
                    crossing |= {set_id, owners[stream]}
        return [set_id for set_id in present if set_id in crossing]


def chunk_locations(
    db: sqlite3.Connection, set_ids: Iterable[int], after: int, upto: int
) -> list[ChunkLocation]:
    """Return the chunks of some sets with rows of after < seq <= upto, in order."""
    locations = []
    for set_id in set_ids:
        rows = db.execute(
            "SELECT id, set_id, first_seq, last_seq, rows FROM chunks"
            " WHERE set_id = ? AND first_seq <= ? AND last_seq > ? ORDER BY first_seq",
            (set_id, upto, after),
        )
        locations += [ChunkLocation(*row) for row in rows]
    return sorted(locations, key=_order)


def read_chunk(db: sqlite3.Connection, chunk_id: int, streams: tuple[int, ...]) -> Chunk:
    """Return one chunk. Raises DamagedFile when its checksum is wrong."""
    first_seq, crc, parts, body = db.execute(
        "SELECT first_seq, crc, parts, body FROM chunks WHERE id = ?", (chunk_id,)
    ).fetchone()
    if checksum(parts, body) != crc:
        raise DamagedFile("the bytes have changed since they were written")
    return Chunk(unpack_parts(parts, first_seq), unpack_body(body, streams))


def read_events(db: sqlite3.Connection, after: int, upto: int, kind: str | None = None) -> list[Event]:
    """Return the events of after < seq <= upto, in order; one that cannot be read is left out."""
    rows = db.execute(
        "SELECT id, kind, time, step, crc, body FROM events"
        " WHERE seq > ?1 AND seq <= ?2 AND (?3 IS NULL OR kind = ?3) ORDER BY row",
        (after, upto, kind),
    )
    events = []
    for event_id, name, time, step, crc, blob in rows:
        readable, body = _body(blob, crc)
        if readable:
            events.append(Event(id=event_id, kind=name, time=time, step=step, body=body))
    return events


def read_catalogues(db: sqlite3.Connection, after: int, upto: int) -> list[Catalogue]:
    """Return the newest catalogue of each kind, where it came within after < seq <= upto."""
    rows = db.execute(
        "SELECT kind, revision, crc, body FROM catalogues WHERE seq > ? AND seq <= ? ORDER BY seq, kind",
        (after, upto),
    )
    catalogues = []
    for kind, revision, crc, blob in rows:
        readable, body = _body(blob, crc)
        if readable:
            catalogues.append(Catalogue(kind=kind, revision=revision, body=body))
    return catalogues


def _order(location: ChunkLocation) -> tuple[int, int]:
    return location.first_seq, location.set_id


def _body(blob: bytes, crc: int) -> tuple[bool, Any]:
    try:
        return checksum(blob) == crc, unpack(blob)
    except WireError:
        return False, None


def _streams(db: sqlite3.Connection, after: int, upto: int) -> tuple[StreamDef, ...]:
    rows = db.execute(
        "SELECT id, name, kind, unit, better FROM streams WHERE seq > ? AND seq <= ? ORDER BY row",
        (after, upto),
    )
    return tuple(stream_def(row) for row in rows)


def _text_sizes(db: sqlite3.Connection, after: int, upto: int) -> list[tuple[int, int]]:
    """Return (sequence number, bytes) of events, catalogues and stream definitions."""
    return db.execute(
        "SELECT seq, length(body) FROM events WHERE seq > ?1 AND seq <= ?2"
        " UNION ALL SELECT seq, length(body) FROM catalogues WHERE seq > ?1 AND seq <= ?2"
        " UNION ALL SELECT seq, length(name) + length(unit) + 16 FROM streams WHERE seq > ?1 AND seq <= ?2",
        (after, upto),
    ).fetchall()


def _interleave(chunks: Sequence[Chunk]) -> list[PointGroup]:
    """Return the rows of several sets in the order of the log, consecutive rows of one set as one group."""
    pieces = sorted(
        (piece for chunk in chunks for piece in chunk.pieces()),
        key=lambda piece: (piece.parts[0].seq, piece.parts[0].group_index),
    )
    runs: list[list[PointGroup]] = []
    for piece in pieces:
        if runs and runs[-1][0].streams == piece.group.streams:
            runs[-1].append(piece.group)
        else:
            runs.append([piece.group])
    return [join_rows(run) for run in runs]


def _bytes_of(groups: Iterable[PointGroup]) -> int:
    return sum(len(group.values) + 2 * len(group.steps) for group in groups)
