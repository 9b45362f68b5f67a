"""The parts of the recorder, each without its thread: connection, reports, and the drain of points."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._recorder import point_drain
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.connection import RecorderConnection
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.live import process_record
from helm_sdk._recorder.point_drain import PointDrain
from helm_sdk._recorder.services import RecorderServices
from helm_sdk.keys import load_keys
from helm_sdk.protocol.messages import RunRecord
from helm_sdk.record.live import live_entries
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import create_run


def _identity(home: Path, *, keys: bool = False) -> RecorderIdentity:
    record = RunRecord(run_id="20260101-000000-aaaaaa", project="p", name="n", created=1.0)
    folder = create_run(home, record)
    process = process_record(record.run_id, "rank-0", "trainer", 1, time.time())
    return RecorderIdentity(
        home, folder.path, folder.record, process, load_keys() if keys else None, earlier=((0, 7),)
    )


class _Recorder:
    """Services and drain, driven by the test instead of the recorder's thread."""

    def __init__(self, home: Path) -> None:
        self.identity = _identity(home)
        self.buffer, self.points = Buffer(1 << 20), SafePoints()
        loop = (lambda: 41, lambda: "eval")
        self.services = RecorderServices(
            self.identity, self.buffer, ControlRegistry(), self.points, loop, 100.0, lambda action: action()
        )
        self.drain = PointDrain(self.services, self.buffer, self.identity.run.run_id)

    def log(self, steps: int) -> None:
        for step in range(steps):
            self.buffer.rows.append(({"a": float(step)}, step, float(step), None))

    def stored(self) -> list[int | None]:
        """End, and read what is on the disk."""
        for action in self.services.closing_actions(RunEnding(), 2.0):
            action()
        with ProcessReader(self.services.writer.path) as reader:
            return [step for step, _, _ in reader.points("a")]


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[_Recorder]:
    made = _Recorder(tmp_path)
    yield made
    made.services.connection.close()


def test_that_a_process_without_keys_is_in_the_index_and_every_call_does_nothing(tmp_path: Path) -> None:
    connection = RecorderConnection(_identity(tmp_path))
    connection.enter()
    (entry,) = live_entries(tmp_path, "20260101-000000-aaaaaa")
    connection.wake()
    connection.refresh_keys()
    requests = connection.wait(60.0, 0.0)
    connection.leave()
    connection.close()

    assert (entry.publish, entry.request, entry.public_key) == ("", "", "")
    assert requests == []
    assert not list(live_entries(tmp_path, "20260101-000000-aaaaaa"))


def test_that_a_process_with_keys_says_where_it_answers_and_a_wake_ends_its_wait(tmp_path: Path) -> None:
    connection = RecorderConnection(_identity(tmp_path, keys=True))
    connection.enter()
    (entry,) = live_entries(tmp_path, "20260101-000000-aaaaaa")
    connection.wake()
    requests = connection.wait(60.0, 0.0)
    connection.close()

    assert entry.publish.startswith("tcp://")
    assert entry.request.startswith("tcp://")
    assert requests == []
    assert connection.sockets is None


def test_that_the_reports_say_where_the_loop_is_and_what_there_is(recorder: _Recorder) -> None:
    recorder.points.paused = True
    reports = recorder.services._reports
    beat = reports.heartbeat(5.0)
    snapshot = reports.snapshot("r-1", 5.0)
    finished = reports.finished(RunEnding("failed", "no disk", 3), 6.0)

    assert (beat.step, beat.doing, beat.paused, beat.time) == (41, "eval", True, 105.0)
    assert (snapshot.request, snapshot.attempts) == ("r-1", {0: 7, 1: snapshot.last_seq})
    assert snapshot.run == recorder.identity.run
    assert (finished.outcome, finished.message, finished.exit_status) == ("failed", "no disk", 3)
    assert finished.time == 106.0


def test_that_the_first_points_are_stored_at_once_and_the_next_after_the_interval(
    recorder: _Recorder,
) -> None:
    recorder.log(2)
    assert recorder.drain.step(10.0)
    assert 0 < recorder.drain.pause(10.0) <= point_drain.COMMIT_SECONDS
    recorder.log(3)
    recorder.drain.step(10.0)  # not due yet
    assert recorder.services.point_queue.has_pending
    recorder.drain.step(11.0)
    assert not recorder.services.point_queue.has_pending
    assert recorder.stored() == [0, 1, 0, 1, 2]


def test_that_the_end_stores_all_points_that_wait(recorder: _Recorder) -> None:
    recorder.log(5000)
    recorder.drain.finish(30.0)

    assert not recorder.services.point_queue.has_pending
    assert recorder.services.record.start_step == 0
    assert recorder.stored() == list(range(5000))
