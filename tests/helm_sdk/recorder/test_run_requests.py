"""What a process answers: snapshots, pages of history, files; and what it refuses."""

import os
from collections.abc import Callable
from pathlib import Path

import msgpack
import msgspec
import pytest

import helm_sdk
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    Backfill,
    Batch,
    Fetch,
    FilePart,
    Finished,
    Heartbeat,
    Page,
)
from helpers.raw_client import RawClient

Start = Callable[..., helm_sdk.Run]


def pages(client: RawClient, upto: int, attempt: int = 1, limit: int = 1 << 20) -> list[Batch]:
    """All of history, page by page."""
    found: list[Batch] = []
    last = 0
    while last < upto:
        page = client.ask(
            Backfill(
                request=client.number(),
                process="rank-0",
                attempt=attempt,
                after_seq=last,
                upto_seq=upto,
                limit_bytes=limit,
            )
        )
        assert isinstance(page, Page), page
        assert page.last > last
        found.extend(page.batches)
        last = page.last
    return found


def rows(batches: list[Batch]) -> int:
    return sum(group.rows for batch in batches for group in batch.groups)


def test_that_a_snapshot_and_what_follows_it_are_the_whole_run(start: Start) -> None:
    """D33"""
    run = start()
    for step in range(300):
        run.log({"a": float(step)}, step=step)
    run.flush()
    with RawClient(run.run_id) as client:
        snapshot = client.attach()
        for step in range(300, 900):
            run.log({"a": float(step)}, step=step)
        run.finish()
        finished = client.await_published(lambda message: isinstance(message, Finished))
        assert isinstance(finished, Finished)
        live = [m for m in client.published if isinstance(m, Batch) and m.seq > snapshot.last_seq]
    assert [stream.name for stream in snapshot.streams] == ["a"]
    assert snapshot.run is not None
    assert snapshot.run.run_id == run.run_id
    assert rows(live) == 600
    assert live[-1].seq == finished.last_seq


def test_that_history_comes_in_pages_cut_exactly(start: Start) -> None:
    run = start()
    for step in range(20_000):
        run.log({"a": float(step), "b": 1.0}, step=step)
    run.flush()
    with RawClient(run.run_id) as client:
        upto = client.attach().last_seq
        small = pages(client, upto, limit=40_000)
        large = pages(client, upto)
    assert rows(small) == rows(large) == 20_000
    assert len(small) > len(large)
    covered = [seq for batch in small for seq in range(batch.start, batch.seq + 1)]
    assert covered == list(range(1, upto + 1))


def test_that_an_earlier_attempts_history_is_given_too(start: Start) -> None:
    first = start()
    first.log({"a": 1.0}, step=0)
    first.finish()
    second = start(resume="latest")
    with RawClient(second.run_id) as client:
        snapshot = client.attach()
        assert set(snapshot.attempts) == {1, 2}
        assert rows(pages(client, snapshot.attempts[1], attempt=1)) == 1
        beyond = Backfill(request="9", process="rank-0", attempt=7, after_seq=0, upto_seq=5)
        assert "could not be read" in client.refused(beyond)


def test_that_files_are_fetched_from_inside_the_run_folder_alone(start: Start, tmp_path: Path) -> None:
    run = start()
    assert run.folder is not None
    (run.folder / "media").mkdir()
    (run.folder / "media" / "x.txt").write_text("0123456789")
    (tmp_path / "secret").write_text("no")
    os.symlink(tmp_path, run.folder / "media" / "out")
    with RawClient(run.run_id) as client:
        part = client.ask(Fetch(request="1", process="rank-0", path="media/x.txt", offset=3, limit_bytes=4))
        assert isinstance(part, FilePart)
        assert (part.data, part.size, part.offset) == (b"3456", 10, 3)
        for path in ("../../../secret", "media/out/secret", str(tmp_path / "secret"), "", ".", "media/\0"):
            assert "inside the run folder" in client.refused(Fetch(request="2", process="rank-0", path=path))
        for path in ("a1-rank-0.helm", "a1-rank-0.helm-wal", ".a1-rank-0.helm.lock"):
            assert "pages" in client.refused(Fetch(request="3", process="rank-0", path=path))
        assert "no file" in client.refused(Fetch(request="4", process="rank-0", path="media"))


def test_that_malformed_frames_are_counted_and_refused_at_a_bounded_rate(start: Start) -> None:
    run = start()
    with RawClient(run.run_id) as client:
        client.attach()
        for _ in range(300):
            client.dealer.send_multipart([run.run_id.encode(), b"attach", b"\xc1\xc1"])
            client.dealer.send_multipart([b"\xff", b"attach", b""])
            client.dealer.send_multipart([b"one frame"])
            client.dealer.send_multipart([run.run_id.encode(), b"tomorrow", b"\x80"])
        deep: object = 1
        for _ in range(200):
            deep = [deep]
        client.dealer.send_multipart([run.run_id.encode(), b"attach", msgpack.packb(deep)])
        recorder = run._recording.recorder
        assert recorder is not None
        from helpers.raw_client import wait_until

        assert wait_until(lambda: recorder.services.requests.malformed == 901)
        assert recorder.services.requests.unknown == 300
        answered = 0
        while client.dealer.poll(100):
            client.dealer.recv_multipart()
            answered += 1
        assert 0 < answered <= 80
        client.attach()


def test_that_a_request_for_another_run_or_process_is_refused(start: Start) -> None:
    run = start()
    with RawClient(run.run_id) as client:
        wanted = Fetch(request="1", process="rank-3", path="x")
        assert "this is process rank-0" in client.refused(wanted)
        other = msgspec.structs.replace(wanted, process="rank-0")
        assert f"this is run {run.run_id}" in client.refused(other, topic="20200101-000000-abcdef")


def test_that_heartbeats_tell_the_pace_of_safe_points_and_what_the_run_does(start: Start) -> None:
    run = start()
    run.sync("after_step", step=41)
    with RawClient(run.run_id) as client, run.span("eval"):
        client.attach()

        def tells(message: object) -> bool:
            return isinstance(message, Heartbeat) and message.doing == "eval"

        beat = client.await_published(tells)
    assert isinstance(beat, Heartbeat)
    assert beat.step == 41
    assert (beat.safe_points[0].name, beat.safe_points[0].step) == ("after_step", 41)


@pytest.mark.parametrize("count", [40])
def test_that_every_published_batch_is_small(start: Start, count: int) -> None:
    run = start()
    with RawClient(run.run_id) as client:
        client.attach()
        for step in range(3000):
            run.log({f"m{index}": 1.0 for index in range(count)}, step=step)
        run.finish()
        client.await_published(lambda message: isinstance(message, Finished))
        sizes = [len(wire.encode(m)) for m in client.published if isinstance(m, Batch)]
    assert max(sizes) <= wire.MAX_BATCH_BYTES
