"""Store points that wait beside a process file, after its writer ended before it stored them."""

from __future__ import annotations

from pathlib import Path

from helm_sdk.protocol.messages import Batch, Catalogue, PointGroup, StreamDef
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.spill import CATALOGUE, spill_files, spilled_batches
from helm_sdk.record.writer import ProcessWriter


def waiting(process_file: Path) -> int:
    """Return how many points wait beside a process file and are not stored in it."""
    if not spill_files(process_file):
        return 0
    with ProcessReader(process_file) as reader:
        done = _recovered_upto(reader.catalogues().get(CATALOGUE))
    return sum(
        len(group.values) // 8 for _, batch in spilled_batches(process_file, done) for group in batch.groups
    )


def recover(process_file: Path) -> int:
    """Commit what waits, in order and each batch once; return how many points that were.

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
            new = tuple(stream for stream in spilled.streams if stream.id not in known)
            known.update(stream.id for stream in new)
            writer.commit(_numbered(spilled, new, catalogue, writer.last_seq), durable=True)
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
        raise RecordError("its catalogue of the points that waited beside it is not valid")
    return number or 0


def _numbered(spilled: Batch, new: tuple[StreamDef, ...], catalogue: Catalogue, last_seq: int) -> list[Batch]:
    """Return a batch for each group, with the definitions in the first and the catalogue in the last."""
    groups: list[PointGroup | None] = [*spilled.groups] or [None]
    return [
        Batch(
            process=spilled.process,
            attempt=spilled.attempt,
            seq=last_seq + place,
            streams=new if place == 1 else (),
            groups=(group,) if group is not None else (),
            catalogues=(catalogue,) if place == len(groups) else (),
        )
        for place, group in enumerate(groups, start=1)
    ]
