"""Opening a run of 10 million points: the first chart, everything, bytes a point on disk and in memory."""

from __future__ import annotations

import os
import tempfile
import time
from array import array
from pathlib import Path

STREAMS = 100
ROWS = 100_000  # times STREAMS: 10 million points
ROWS_A_BATCH = 60  # 100 streams of 60 rows are 48 KB: what a busy recorder would commit


def write_run(home: Path) -> tuple[Path, float]:
    """A run's folder with one process file, and how many million points a second were written."""
    from helm_sdk.protocol.messages import Batch, PointGroup, ProcessRecord, RunRecord, StreamDef
    from helm_sdk.record import layout
    from helm_sdk.record.writer import ProcessWriter

    run_id = layout.new_run_id()
    folder = layout.run_folder(home, "bench", run_id)
    folder.mkdir(parents=True)
    import msgspec

    record = RunRecord(run_id=run_id, project="bench", name="ten-million", created=time.time())
    (folder / "run.json").write_bytes(msgspec.json.encode(record))
    now = time.time()
    process = ProcessRecord(
        run_id=run_id, process="rank-0", role="trainer", attempt=1, pid=os.getpid(), started=now, opened=now,
        host="bench", outcome="finished",
    )  # fmt: skip
    writer = ProcessWriter(folder, process)
    streams = tuple(StreamDef(id=at, name=f"group{at // 10}/stream{at}") for at in range(STREAMS))
    ids = tuple(range(STREAMS))
    wave = array("d", [((at * 2654435761) % 1000003) / 1000003 for at in range(STREAMS * ROWS_A_BATCH)])
    began = time.perf_counter()
    pending: list[Batch] = []
    for seq, first in enumerate(range(0, ROWS, ROWS_A_BATCH), start=1):
        rows = min(ROWS_A_BATCH, ROWS - first)
        steps = array("q", range(first, first + rows))
        times = array("d", [now + step * 1e-3 for step in steps])
        group = PointGroup(
            streams=ids,
            steps=steps.tobytes(),
            times=times.tobytes(),
            values=wave[: STREAMS * rows].tobytes(),
        )
        pending.append(
            Batch(process="rank-0", attempt=1, seq=seq, streams=streams if seq == 1 else (), groups=(group,))
        )
        if len(pending) == 8:
            writer.commit(pending)
            pending = []
    if pending:
        writer.commit(pending)
    took = time.perf_counter() - began
    writer.close()
    return folder, STREAMS * ROWS / took / 1e6


def measure() -> list[dict[str, object]]:
    """Seconds from opening to a first stream that can be drawn, and to every point."""
    from helm_desktop.model.series.series_model import SeriesStore
    from helm_sdk.client import BatchUpdate, RunClient
    from helm_sdk.keys import load_keys
    from helm_sdk.record.run import RunFolder

    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HELM_RUN_HOME": home, "HELM_CONFIG_HOME": str(Path(home) / "config")}
        folder, speed = write_run(Path(home))
        bytes_on_disk = sum(path.stat().st_size for path in folder.glob("*.helm*"))
        keys = load_keys()
        began = time.perf_counter()
        first = None
        count = 0
        store = SeriesStore()
        with RunClient(RunFolder(folder), keys=keys) as client:
            while count < STREAMS * ROWS:
                for update in client.poll(1.0):
                    if isinstance(update, BatchUpdate):
                        store.extend(update.batch)
                        count += sum(group.rows * len(group.streams) for group in update.batch.groups)
                if first is None and count:
                    drawn = store.series["group0/stream0"].window(0, ROWS, 400)
                    assert drawn.lines
                    first = time.perf_counter() - began
        whole = time.perf_counter() - began
        held = store.memory_bytes / count
    return [
        {"what": "write, 100 streams together", "figure": speed, "unit": "M points/s"},
        {
            "what": "10 M points on disk",
            "figure": bytes_on_disk / (STREAMS * ROWS),
            "unit": "bytes/point",
            "aim": "≤ 12",
            "reached": bytes_on_disk <= 12 * STREAMS * ROWS,
        },
        {
            "what": "10 M points in memory",
            "figure": held,
            "unit": "bytes/point",
            "aim": "≤ 24",
            "reached": held <= 24,
        },
        {
            "what": "open 10 M points, first chart",
            "figure": first,
            "unit": "s",
            "aim": "≤ 0.5",
            "reached": first is not None and first <= 0.5,
        },
        {
            "what": "open 10 M points, complete",
            "figure": whole,
            "unit": "s",
            "aim": "≤ 1.5",
            "reached": whole <= 1.5,
        },
    ]
