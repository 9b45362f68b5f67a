"""Puts what waited beside a process file into it, where its writer ended before it came to that."""

from __future__ import annotations

from pathlib import Path

from helm_sdk.protocol.messages import Batch, Catalogue, PointGroup, StreamDef
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.spill import CATALOGUE, spill_files, spilled_batches
from helm_sdk.record.writer import ProcessWriter


def waiting(process_file: Path) -> int:
    """Return how many points wait beside a process file and are not in it."""
    if not spill_files(process_file):
        return 0
    with ProcessReader(process_file) as reader:
        done = _recovered_upto(reader.catalogues().get(CATALOGUE))
    return sum(
        len(group.values) // 8 for _, batch in spilled_batches(process_file, done) for group in batch.groups
    )


def recover(process_file: Path) -> int:
    """Commit what waits, exactly once and in its order; how many points that were.

    Raises LockedError while the process lives.
    """
    files = spill_files(process_file)
    if not files:
        return 0
    with ProcessReader(process_file) as reader:
        record, known = reader.record, {stream.id for stream in reader.streams()}
    points = 0
    writer = ProcessWriter(process_file.parent, record)
    try:
        with ProcessReader(process_file) as reader:  # again, now that nobody else writes
            catalogue = reader.catalogues().get(CATALOGUE)
        for number, spilled in spilled_batches(process_file, _recovered_upto(catalogue)):
            catalogue = Catalogue(
                kind=CATALOGUE,
                revision=catalogue.revision + 1 if catalogue else 1,
                body={"number": number},
            )
            fresh = tuple(stream for stream in spilled.streams if stream.id not in known)
            known.update(stream.id for stream in fresh)
            writer.commit(_numbered(spilled, fresh, catalogue, writer.last_seq), durable=True)
            points += sum(len(group.values) // 8 for group in spilled.groups)
    finally:
        writer.close()
    for _, path in files:
        path.unlink(missing_ok=True)
    return points


def _recovered_upto(catalogue: Catalogue | None) -> int:
    body = catalogue.body if catalogue is not None else {}
    number = body.get("number") if isinstance(body, dict) else None
    if not isinstance(number, int | None):
        raise RecordError("what it says of the points that waited beside it makes no sense")
    return number or 0


def _numbered(
    spilled: Batch, fresh: tuple[StreamDef, ...], catalogue: Catalogue, last_seq: int
) -> list[Batch]:
    """A batch of the wire's size for each group, the definitions in the first, the mark in the last."""
    groups: list[PointGroup | None] = [*spilled.groups] or [None]
    return [
        Batch(
            process=spilled.process,
            attempt=spilled.attempt,
            seq=last_seq + place,
            streams=fresh if place == 1 else (),
            groups=(group,) if group is not None else (),
            catalogues=(catalogue,) if place == len(groups) else (),
        )
        for place, group in enumerate(groups, start=1)
    ]
