"""The small tables of a process file: sets of streams, figures, definitions, and its writer."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Sequence

import msgspec

from helm_sdk.protocol.messages import Batch, Catalogue, ProcessRecord, StreamDef
from helm_sdk.protocol.wire import pack
from helm_sdk.record.chunks import checksum
from helm_sdk.record.errors import NotBegun
from helm_sdk.record.stats import StreamStats


def pack_set(streams: tuple[int, ...]) -> bytes:
    """Return stream ids as little-endian uint32."""
    return struct.pack(f"<{len(streams)}I", *streams)


def read_sets(db: sqlite3.Connection) -> dict[int, tuple[int, ...]]:
    """Return the stream ids of each set."""
    return {
        set_id: struct.unpack(f"<{len(blob) // 4}I", blob)
        for set_id, blob in db.execute("SELECT id, streams FROM sets")
    }


def read_stats(db: sqlite3.Connection) -> dict[int, StreamStats]:
    """Return the figures of each stream as of process.stats_seq."""
    return {row[0]: StreamStats.from_row(row[1:]) for row in db.execute("SELECT * FROM stats")}


def read_streams(db: sqlite3.Connection) -> dict[int, StreamDef]:
    """Return the newest definition of each stream, in the order of their first ones."""
    streams: dict[int, StreamDef] = {}
    for row in db.execute("SELECT id, name, kind, unit, better FROM streams ORDER BY row"):
        streams[row[0]] = stream_def(row)
    return streams


def stream_def(row: tuple[int, str, str, str, str]) -> StreamDef:
    """Return a definition from a row (id, name, kind, unit, better)."""
    return StreamDef(id=row[0], name=row[1], kind=row[2], unit=row[3], better=row[4])


def read_process(db: sqlite3.Connection) -> tuple[ProcessRecord, int, int]:
    """Return (the writer, the last sequence number, the number up to which the figures count)."""
    row = db.execute("SELECT record, last_seq, stats_seq FROM process").fetchone()
    if row is None:
        raise NotBegun("the process file has not been begun yet")
    text, last_seq, stats_seq = row
    return msgspec.convert(json.loads(text), ProcessRecord), last_seq, stats_seq


def insert_texts(db: sqlite3.Connection, batches: Sequence[Batch]) -> None:
    """Insert stream definitions, events and catalogues, within the caller's transaction."""
    for batch in batches:
        for stream in batch.streams:
            db.execute(
                "INSERT INTO streams (seq, id, name, kind, unit, better) VALUES (?,?,?,?,?,?)",
                (batch.seq, stream.id, stream.name, stream.kind, stream.unit, stream.better),
            )
        for event in batch.events:
            body = pack(msgspec.to_builtins(event.body, builtin_types=(bytes,)))
            db.execute(
                "INSERT INTO events (seq, id, kind, time, step, crc, body) VALUES (?,?,?,?,?,?,?)",
                (batch.seq, event.id, event.kind, event.time, event.step, checksum(body), body),
            )
        for catalogue in batch.catalogues:
            _insert_catalogue(db, batch.seq, catalogue)


def _insert_catalogue(db: sqlite3.Connection, seq: int, catalogue: Catalogue) -> None:
    body = pack(msgspec.to_builtins(catalogue.body, builtin_types=(bytes,)))
    db.execute(
        "INSERT OR REPLACE INTO catalogues VALUES (?,?,?,?,?)",
        (catalogue.kind, seq, catalogue.revision, checksum(body), body),
    )
