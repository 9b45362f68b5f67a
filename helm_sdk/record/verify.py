"""Verify a run folder: find damaged and missing files, and what to do about them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import RunRecord, StreamDef
from helm_sdk.protocol.wire import unpack
from helm_sdk.record import layout
from helm_sdk.record.chunks import checksum, in_order
from helm_sdk.record.errors import DamagedFile, RecordError
from helm_sdk.record.history import read_chunk
from helm_sdk.record.json_file import read_message
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.recover import waiting
from helm_sdk.record.signs import log_of
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.tables import read_process, read_sets, read_streams
from helm_sdk.record.user import read_user

_SQLITE_PROBLEMS = 5


@dataclass(frozen=True)
class Problem:
    """One problem of a run folder."""

    file: str
    what: str
    advice: str
    damage: bool = True  # False: a remark, nothing is lost


def verify(folder: Path) -> list[Problem]:
    """Return every problem of a run folder; empty when there is none. Every checksum is verified."""
    problems = list(_check_json(folder))
    files = sorted(path for path in folder.iterdir() if layout.parse_process_file(path.name))
    if not files:
        problems.append(Problem("", "no process has written yet", "nothing can be lost", damage=False))
    for path in files:
        source = ProcessFileAccess(path)
        try:
            with source.reading() as db:
                problems += _check_process(db, path)
        except RecordError as error:
            problems.append(Problem(path.name, str(error), "copy the folder again from where it was written"))
        finally:
            source.close()
        problems += _check_log(path)
        problems += _check_waiting(path)
        problems += _check_media(folder, path)
    return problems


def _check_json(folder: Path) -> Iterator[Problem]:
    try:
        if read_message(folder / layout.RUN_FILE, RunRecord) is None:
            yield Problem(layout.RUN_FILE, "is not there", "copy it again from where the run was written")
    except RecordError as error:
        yield Problem(layout.RUN_FILE, str(error), "copy it again from where the run was written")
    try:
        read_user(folder)
    except RecordError as error:
        yield Problem(layout.USER_FILE, str(error), "repair or remove it: names, tags and notes are in it")


def _check_media(folder: Path, path: Path) -> Iterator[Problem]:
    """Check the files that events of kind "media" name."""
    try:
        with ProcessReader(path) as reader:
            bodies = [event.body for event in reader.events("media")]
    except RecordError:
        return  # reported already
    for body in bodies:
        also = body.get("also")
        names = [body.get("file"), *(also if isinstance(also, list) else ())]
        try:
            size = sum((folder / str(name)).stat().st_size for name in names)
        except (OSError, ValueError):
            yield Problem(str(names[0]), "is not there", "copy media/ again from where the run was written")
            continue
        if size != body.get("bytes", size):
            yield Problem(str(names[0]), f"has {size:,} bytes, not {body['bytes']:,}", "copy media/ again")


def _check_log(path: Path) -> Iterator[Problem]:
    try:
        size = log_of(path).stat().st_size
    except OSError:
        return
    if size:
        yield Problem(
            log_of(path).name,
            "holds what is not in the file yet: the run lives or was killed",
            f"copy it together with {path.name}",
            damage=False,
        )


def _check_waiting(path: Path) -> Iterator[Problem]:
    try:
        points = waiting(path)
    except (RecordError, OSError) as error:
        yield Problem(path.name, f"what waits beside it cannot be read: {error}", "use a copy from a backup")
        return
    if points:
        yield Problem(
            path.name,
            f"{points:,} points wait in a file beside it: the run lives or ended before it came to them",
            "`helmctl verify RUN --recover` puts them in their place once it has ended",
            damage=False,
        )


def _check_process(db: sqlite3.Connection, path: Path) -> Iterator[Problem]:
    for (message,) in db.execute(f"PRAGMA quick_check({_SQLITE_PROBLEMS})").fetchall():
        if message != "ok":
            yield Problem(path.name, f"SQLite finds it damaged: {message}", "use a copy from a backup")
    _, last_seq, stats_seq = read_process(db)
    sets, streams = read_sets(db), read_streams(db)
    counts: Counter[int] = Counter()
    yield from _check_chunks(db, path, sets, (stats_seq, last_seq), counts)
    yield from _check_counts(db, path, counts, streams)
    for set_id, ids in sets.items():
        unknown = [stream for stream in ids if stream not in streams]
        if unknown:
            what = f"set {set_id} names streams that are not defined: {unknown[:5]}"
            yield Problem(path.name, what, "the points are there, their names are not")
    if stats_seq > last_seq:
        yield Problem(path.name, "its figures are ahead of its points", "the points are what counts")
    for table in ("events", "catalogues"):
        yield from _check_bodies(db, path, table, last_seq)


def _check_chunks(
    db: sqlite3.Connection,
    path: Path,
    sets: dict[int, tuple[int, ...]],
    numbers: tuple[int, int],
    counts: Counter[int],
) -> Iterator[Problem]:
    stats_seq, last_seq = numbers
    before: tuple[int, int] = (-1, 0)  # set, last number of the chunk before
    query = "SELECT id, set_id, first_seq, last_seq, rows FROM chunks ORDER BY set_id, first_seq"
    for chunk_id, set_id, first_seq, chunk_last, rows in db.execute(query).fetchall():
        where = f"chunk {chunk_id} (numbers {first_seq} to {chunk_last})"
        if set_id not in sets:
            yield Problem(path.name, f"{where} is of an unknown set of streams", "its points are lost")
            continue
        try:
            chunk = read_chunk(db, chunk_id, sets[set_id])
        except DamagedFile as error:
            yield Problem(
                path.name, f"{where}: {error}", f"{rows} rows are left out; use a copy from a backup"
            )
            continue
        fits = chunk.last_seq == chunk_last and sum(part.rows for part in chunk.parts) == rows
        if not fits or chunk.group.rows != rows or not in_order(chunk.parts):
            yield Problem(path.name, f"{where} is not cut as it says", "use a copy from a backup")
        if set_id == before[0] and first_seq <= before[1]:
            yield Problem(path.name, f"{where} overlaps the one before", "use a copy from a backup")
        if chunk_last > last_seq:
            yield Problem(
                path.name,
                f"{where} is after the last number {last_seq}",
                "please report this as a bug of Helm",
            )
        before = (set_id, chunk_last)
        counted = chunk.cut(0, stats_seq)
        if counted is not None:
            counts.update(dict.fromkeys(sets[set_id], counted.group.rows))


def _check_counts(
    db: sqlite3.Connection, path: Path, counts: Counter[int], streams: dict[int, StreamDef]
) -> Iterator[Problem]:
    """Compare the number of points of each stream with its figures, which finds points that are missing."""
    for stream, count in db.execute("SELECT stream, count FROM stats").fetchall():
        if counts[stream] != count:
            name = streams[stream].name if stream in streams else f"stream {stream}"
            what = f"{name} has {counts[stream]} points where {count} were written"
            yield Problem(path.name, what, "use a copy from a backup")


def _check_bodies(db: sqlite3.Connection, path: Path, table: str, last_seq: int) -> Iterator[Problem]:
    for seq, kind, crc, body in db.execute(f"SELECT seq, kind, crc, body FROM {table}").fetchall():
        try:
            whole = checksum(body) == crc
            unpack(body)
        except WireError:
            whole = False
        if not whole:
            what = f"the {kind} of number {seq} has changed since it was written"
            yield Problem(path.name, what, "it is left out; use a copy from a backup")
        if seq > last_seq:
            yield Problem(
                path.name,
                f"a {kind} is after the last number {last_seq}",
                "please report this as a bug of Helm",
            )
