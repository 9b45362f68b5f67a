"""A stretch of a process file as one batch: which stretch fits a size, and its rows, exactly cut."""

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

_FIRST_SPAN = 1024


@dataclass(frozen=True, slots=True)
class ChunkLocation:
    """A chunk on disk: where it is and which numbers it spans."""

    id: int
    set_id: int
    first_seq: int
    last_seq: int
    rows: int


@dataclass
class HistoryReader:
    """Reads stretches of one process file; keeps a chunk that the next stretch needs again."""

    sets: dict[int, tuple[int, ...]]
    axes: frozenset[int]  # streams that are further x values: their order against others does not matter
    damaged: set[int]  # chunks whose bytes have changed since they were written
    _span: int = _FIRST_SPAN  # how many numbers to look at first
    _held: dict[ChunkLocation, Chunk] = field(default_factory=dict)

    def batch(
        self, db: sqlite3.Connection, after: int, upto: int, limit: int, process: str, attempt: int
    ) -> Batch:
        """Return the next batch after `after`: about `limit` bytes, at most `upto`, at least one number."""
        places, reach = self._stretch(db, after, upto, limit)
        while True:
            groups = self.groups(db, [place for place in places if place.first_seq <= reach], after, reach)
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
        self, db: sqlite3.Connection, places: Sequence[ChunkLocation], after: int, upto: int
    ) -> list[PointGroup]:
        """The rows of some chunks within after < seq <= upto, each stream's in the order of the log."""
        cuts: dict[int, list[Chunk]] = {}
        for place in sorted(places, key=lambda place: (place.first_seq, place.set_id)):
            chunk = self._chunk(db, place)
            cut = chunk.cut(after, upto) if chunk is not None else None
            if cut is not None:
                cuts.setdefault(place.set_id, []).append(cut)
        crossing = self._crossing(cuts)
        groups = [cut.group for set_id, held in cuts.items() if set_id not in crossing for cut in held]
        return groups + _interleave([cut for set_id in crossing for cut in cuts[set_id]])

    def _stretch(
        self, db: sqlite3.Connection, after: int, upto: int, limit: int
    ) -> tuple[list[ChunkLocation], int]:
        """(chunks, last number) of what fits in `limit`; looks no further into the file than it must."""
        while True:
            end = min(upto, after + self._span)
            places = self._locations(db, after, end)
            reach = self._reachable(places, _text_sizes(db, after, end), after, end, limit)
            if reach < end or end == upto:
                self._span = max(_FIRST_SPAN, 2 * (reach - after))
                return places, reach
            self._span *= 8

    def _locations(self, db: sqlite3.Connection, after: int, upto: int) -> list[ChunkLocation]:
        rows = db.execute(_CHUNKS_OF_RANGE, {"after": after, "upto": upto})
        return [ChunkLocation(*row) for row in rows]

    def _reachable(
        self,
        places: Sequence[ChunkLocation],
        texts: Sequence[tuple[int, int]],
        after: int,
        upto: int,
        limit: int,
    ) -> int:
        """The last number that about `limit` bytes reach, rows taken as evenly spread over their chunk."""

        def size(reach: int) -> float:
            total = float(sum(length for seq, length in texts if seq <= reach))
            for place in places:
                low, high = max(place.first_seq, after + 1), min(place.last_seq, reach)
                if high >= low:
                    share = (high - low + 1) / (place.last_seq - place.first_seq + 1)
                    total += place.rows * share * (len(self.sets[place.set_id]) + 2) * 8
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

    def _chunk(self, db: sqlite3.Connection, place: ChunkLocation) -> Chunk | None:
        chunk = self._held.get(place)
        if chunk is None:
            try:
                chunk = self._held[place] = read_chunk(db, place.id, self.sets[place.set_id])
            except DamagedFile:
                self.damaged.add(place.id)
                return None
        return chunk

    def _forget(self, reach: int) -> None:
        self._held = {place: chunk for place, chunk in self._held.items() if place.last_seq > reach}

    def _crossing(self, cuts: Iterable[int]) -> list[int]:
        """Set that share a stream with another one: their rows must be put in order together."""
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
    """Return where the rows of some sets are, in order."""
    places = []
    for set_id in set_ids:
        rows = db.execute(
            "SELECT id, set_id, first_seq, last_seq, rows FROM chunks"
            " WHERE set_id = ? AND first_seq <= ? AND last_seq > ? ORDER BY first_seq",
            (set_id, upto, after),
        )
        places += [ChunkLocation(*row) for row in rows]
    return sorted(places, key=lambda place: (place.first_seq, place.set_id))


def read_chunk(db: sqlite3.Connection, chunk_id: int, streams: tuple[int, ...]) -> Chunk:
    """Return one chunk, its checksum verified."""
    first_seq, crc, parts, body = db.execute(
        "SELECT first_seq, crc, parts, body FROM chunks WHERE id = ?", (chunk_id,)
    ).fetchone()
    if checksum(parts, body) != crc:
        raise DamagedFile("the bytes have changed since they were written")
    return Chunk(unpack_parts(parts, first_seq), unpack_body(body, streams))


def read_events(db: sqlite3.Connection, after: int, upto: int, kind: str | None = None) -> list[Event]:
    """Events of after < seq <= upto, in order; one that cannot be read any more is left out."""
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
    """(seq, bytes) of what is not points."""
    return db.execute(
        "SELECT seq, length(body) FROM events WHERE seq > ?1 AND seq <= ?2"
        " UNION ALL SELECT seq, length(body) FROM catalogues WHERE seq > ?1 AND seq <= ?2"
        " UNION ALL SELECT seq, length(name) + length(unit) + 16 FROM streams WHERE seq > ?1 AND seq <= ?2",
        (after, upto),
    ).fetchall()


def _interleave(chunks: Sequence[Chunk]) -> list[PointGroup]:
    """Return the parts of several sets in the order of the log; neighbours of one set stay one group."""
    pieces = sorted(
        (piece for chunk in chunks for piece in chunk.pieces()),
        key=lambda piece: (piece.parts[0].seq, piece.parts[0].place),
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
