"""Where memory is full a call waits a moment for a recorder that gets on, and for no other."""

import threading
import time
from pathlib import Path

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.journal import Journal
from helm_sdk._recorder.live import process_record
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.spill import SpillFile
from helm_sdk.record.writer import ProcessWriter

WIDTH = 100
BOUND = 1 << 20


class Bench:
    """A ledger whose recorder is this test."""

    def __init__(self, folder: Path, bound: int = BOUND) -> None:
        self.writer = ProcessWriter(folder, process_record("r", "rank-0", "trainer", 1, 0.0))
        self.journal = Journal(self.writer, "rank-0", 1, lambda action: action())
        self.buffer = Buffer(bound)
        self.spill_queue = SpillQueue(
            SpillFile(self.writer.path), bound // 4, "rank-0", 1, self.buffer.notices
        )
        self.point_queue = PointQueue(self.journal, self.buffer, self.spill_queue, 0.0)
        self.buffer.pack_oldest = self.point_queue.pack_oldest
        self.buffer.reserve(0)
        self.step = 0

    def log(self) -> bool:
        """What `Run.log` does; False when the row is lost."""
        rows = self.buffer.rows
        if len(rows) >= self.buffer.max_rows and not self.buffer.make_room(WIDTH):
            return False
        rows.append(({f"m{at}": float(self.step) for at in range(WIDTH)}, self.step, float(self.step), None))
        self.step += 1
        return True

    def fill(self) -> None:
        """Log until nothing finds room."""
        while self.log():
            pass

    def stored(self) -> list[int]:
        """The steps that come out, in the order in which they are stored."""
        while self.point_queue.drain():
            self.journal.commit(lambda batch: None)
        self.spill_queue.close()
        self.writer.close()
        with ProcessReader(self.writer.path) as reader:
            return [step for step, _, _ in reader.points("m7")]


def test_that_memory_stays_within_its_bound_and_what_finds_no_room_is_counted(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.fill()
    assert BOUND // 2 < bench.spill_queue.memory_bytes <= BOUND
    assert bench.buffer.lost == WIDTH
    began = time.monotonic()
    for _ in range(100):
        assert not bench.log()  # nobody gets on: no call waits for that
    assert time.monotonic() - began < 5.0
    assert bench.buffer.lost == 101 * WIDTH
    assert bench.stored() == list(range(bench.step))


def test_that_a_call_waits_for_a_recorder_that_writes_the_file(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.fill()
    lost = bench.buffer.lost
    bench.spill_queue.spill()
    while bench.log() and bench.spill_queue.memory_bytes < BOUND // 2:
        pass
    logged = threading.Event()

    def record() -> None:
        while not logged.is_set():
            bench.spill_queue.spill()

    recorder = threading.Thread(target=record)
    recorder.start()
    try:
        for _ in range(5_000):
            bench.log()
    finally:
        logged.set()
        recorder.join()
    assert bench.spill_queue.spilled_points > 2 * BOUND // 8
    assert bench.buffer.lost - lost <= 0.01 * 5_000 * WIDTH
    assert bench.stored() == list(range(bench.step))


def test_that_packed_points_come_before_those_that_were_logged_later(tmp_path: Path) -> None:
    bench = Bench(tmp_path, 4 * BOUND)
    for _ in range(4_100):
        assert bench.log()
    assert len(bench.spill_queue) > 0
    assert len(bench.buffer.rows) > 0
    bench.spill_queue.spill(keep=0)
    for _ in range(200):
        assert bench.log()
    assert bench.spill_queue.in_file
    assert bench.stored() == list(range(4_300))
