"""Builders of batches and process files, and second processes that write or read them."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from helm_sdk.protocol.messages import (
    Batch,
    Event,
    LiveEntry,
    PointGroup,
    ProcessRecord,
    RunRecord,
    StreamDef,
)
from helm_sdk.record.host import this_process
from helm_sdk.record.packed_columns import floats, integers, pack_floats, pack_integers
from helm_sdk.record.run import RunFolder
from helm_sdk.record.writer import ProcessWriter

Row = tuple[int, float, bytes]  # step, time, the value's own bytes: NaN payloads compare
_TESTS = Path(__file__).resolve().parents[1]


def live_entry(run: RunFolder, **more: Any) -> LiveEntry:
    """The index entry of a run's rank-0, as if this very process were it."""
    me = this_process()
    return LiveEntry(
        run_id=run.run_id,
        project=run.record.project,
        process="rank-0",
        role="trainer",
        attempt=1,
        folder=str(run.path),
        pid=me.pid,
        started=me.started,
        start_ticks=me.start_ticks,
        host=me.host,
        boot_id=me.boot_id,
        pid_namespace=me.pid_namespace,
        **more,
    )


def process_record(process: str = "rank-0", attempt: int = 1, run_id: str = "run") -> ProcessRecord:
    """A record of this very process."""
    me = this_process()
    return ProcessRecord(
        run_id=run_id,
        process=process,
        role="trainer",
        attempt=attempt,
        pid=me.pid,
        started=me.started,
        start_ticks=me.start_ticks,
        opened=me.started,
        host=me.host,
        boot_id=me.boot_id,
        pid_namespace=me.pid_namespace,
    )


def run_record(run_id: str, project: str = "p", name: str = "", created: float = 1.0) -> RunRecord:
    """A run.json with little in it."""
    return RunRecord(run_id=run_id, project=project, name=name or run_id, created=created)


def group(streams: Sequence[int], steps: Sequence[int], columns: Sequence[Sequence[float]]) -> PointGroup:
    """Rows of some streams, a column each; the time is the step's own number."""
    return PointGroup(
        streams=tuple(streams),
        steps=pack_integers(steps),
        times=pack_floats([1.7e9 + index for index in range(len(steps))]),
        values=b"".join(pack_floats(column) for column in columns),
    )


def batch(
    seq: int,
    *groups: PointGroup,
    streams: Iterable[StreamDef] = (),
    events: Iterable[Event] = (),
    process: str = "rank-0",
) -> Batch:
    """One batch of attempt 1."""
    return Batch(
        process=process, attempt=1, seq=seq, groups=groups, streams=tuple(streams), events=tuple(events)
    )


def defined(*names: str) -> tuple[StreamDef, ...]:
    """Streams 1, 2, 3… by these names."""
    return tuple(StreamDef(id=number, name=name) for number, name in enumerate(names, start=1))


def rows_of(batches: Iterable[Batch]) -> dict[int, list[Row]]:
    """Every point of every stream in order, its value as bytes."""
    rows: dict[int, list[Row]] = {}
    for each in batches:
        for held in each.groups:
            steps, times, size = integers(held.steps), floats(held.times), held.rows * 8
            for index, stream in enumerate(held.streams):
                column = held.values[index * size : (index + 1) * size]
                values = [column[at : at + 8] for at in range(0, size, 8)]
                rows.setdefault(stream, []).extend(zip(steps, times, values, strict=True))
    return rows


def write_loss(folder: Path, steps: int, *, close: bool = True, run_id: str = "run") -> ProcessWriter:
    """A process file with train/loss at steps 0..steps-1, a batch each."""
    writer = ProcessWriter(folder, process_record(run_id=run_id))
    writer.commit([batch(1, streams=defined("train/loss"))])
    writer.commit([batch(step + 2, group([1], [step], [[1.0 / (step + 1)]])) for step in range(steps)])
    if close:
        writer.close()
    return writer


def nan_with_payload(payload: int) -> float:
    """A NaN whose lower bits say something."""
    number: float = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 | payload))[0]
    assert math.isnan(number)
    return number


def start_python(source: str, *arguments: object) -> subprocess.Popen[str]:
    """A second process that runs `source` with the tests' helpers at hand."""
    environment = {**os.environ, "PYTHONPATH": f"{_TESTS.parent}{os.pathsep}{_TESTS}"}
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
