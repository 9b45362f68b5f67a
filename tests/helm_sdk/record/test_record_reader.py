"""The reader: beside a live writer, after a kill, in folders that may not be written, in copies."""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import stat
import tempfile
import threading
from pathlib import Path

import pytest

from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import batch, defined, group, process_record, rows_of, start_python, write_loss

WRITER = """
import sys
from pathlib import Path
from helpers.record_files import batch, group, write_loss
writer = write_loss(Path(sys.argv[1]), 20, close=False)
print(writer.last_seq, flush=True)
for order in sys.stdin:
    if order.strip() == "close":
        writer.close()
        print("closed", flush=True)
        continue
    for _ in range(int(order)):
        seq = writer.last_seq + 1
        writer.commit([batch(seq, group([1], [seq - 2], [[1.0 / (seq - 1)]]))])
        writer.merge_slice()
    print(writer.last_seq, flush=True)
"""

STRANGER = """
import os, sys
import hypothesis.strategies, json, msgspec, psutil, tempfile, shutil
from pathlib import Path
from helm_sdk.record.run import RunFolder
from helm_sdk.record.reader import ProcessReader
import helm_sdk.record.verify
this = RunFolder.__init__.__code__
os.setgroups([]); os.setgid(65534); os.setuid(65534)
with ProcessReader(Path(sys.argv[1])) as reader:
    print(reader.last_seq, sum(1 for _ in reader.points("train/loss")), flush=True)
    sys.stdin.readline()
    print(reader.last_seq, sum(1 for _ in reader.points("train/loss")), flush=True)
"""


def test_that_a_reader_follows_a_live_writer_in_another_process(tmp_path: Path) -> None:
    with start_python(WRITER, tmp_path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        seen = int(writer.stdout.readline())
        with ProcessReader(tmp_path / "a1-rank-0.helm") as reader:
            rows = rows_of(reader.batches())[1]
            for _ in range(5):
                print(40, file=writer.stdin, flush=True)
                last = int(writer.stdout.readline())
                assert reader.last_seq == last
                rows += rows_of(reader.batches(seen))[1]
                seen = last
            print("close", file=writer.stdin, flush=True)
            assert writer.stdout.readline() == "closed\n"
            assert [path.name for path in tmp_path.iterdir()] == ["a1-rank-0.helm"]
            assert rows_of(reader.batches())[1] == rows
        assert [step for step, _, _ in rows] == list(range(220))


def test_that_readers_beside_a_busy_writer_never_hear_of_locks(tmp_path: Path) -> None:
    writer = write_loss(tmp_path, 1, close=False)
    done = threading.Event()
    problems: list[str] = []
    looks = [0] * 3

    def look(which: int) -> None:
        with ProcessReader(writer.path) as reader:
            while not done.is_set():
                try:
                    last = reader.last_seq
                    count = sum(held.rows for each in reader.batches(0, last) for held in each.groups)
                    reader.summary()
                except RecordError as error:
                    problems.append(str(error))
                    return
                if count != last - 1:
                    problems.append(f"{count} points up to {last}")
                looks[which] += 1

    threads = [threading.Thread(target=look, args=(which,)) for which in range(3)]
    for thread in threads:
        thread.start()
    while min(looks) < 10 and not problems:
        seq = writer.last_seq + 1
        writer.commit([batch(seq, group([1], [seq], [[0.5]]))], durable=seq % 10 == 0)
        writer.merge_slice()
    writer.close()
    done.set()
    for thread in threads:
        thread.join()
    assert problems == []


def test_that_a_killed_writer_leaves_its_newest_rows(tmp_path: Path) -> None:
    with start_python(WRITER, tmp_path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        print(37, file=writer.stdin, flush=True)
        last = int(writer.stdout.readline())
        writer.kill()
    path = tmp_path / "a1-rank-0.helm"
    log = path.with_name(path.name + "-wal").read_bytes()
    with ProcessReader(path) as reader:
        assert reader.last_seq == last == 58
        assert [step for step, _, _ in reader.points("train/loss")] == list(range(57))
        assert reader.summary()[0].count == 57
    assert path.with_name(path.name + "-wal").read_bytes() == log


def test_that_a_folder_copied_while_it_lives_opens_elsewhere(tmp_path: Path) -> None:
    folder, copy = tmp_path / "live", tmp_path / "copy"
    writer = write_loss(folder, 40, close=False)
    shutil.copytree(folder, copy)
    with ProcessReader(copy / writer.path.name) as reader:
        assert len(list(reader.points("train/loss"))) == 40
    writer.close()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="another user is asked to read")
@pytest.mark.parametrize("kept", ["all", "no -shm"])
def test_that_a_live_file_is_read_in_a_folder_that_may_not_be_written(kept: str) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    folder = Path(tempfile.mkdtemp(prefix="helm-test-"))  # pytest's own are closed to other users
    writer = write_loss(folder, 25, close=False)
    try:
        if kept == "no -shm":
            for name in ("", "-wal"):
                shutil.copy(f"{writer.path}{name}", folder / f"a2-rank-0.helm{name}")
            path = folder / "a2-rank-0.helm"
        else:
            path = writer.path
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)  # the writer makes them its user's alone; here they were opened to others
        with start_python(STRANGER, path) as stranger:
            assert stranger.stdin is not None
            assert stranger.stdout is not None
            assert stranger.stdout.readline() == "26 25\n"
            writer.commit([batch(27, group([1], [25], [[0.5]]))])
            print(file=stranger.stdin, flush=True)
            assert stranger.stdout.readline() == ("27 26\n" if kept == "all" else "26 25\n")
    finally:
        writer.close()
        shutil.rmtree(folder)


def test_that_a_private_copy_serves_where_the_file_will_not_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies, folder = tmp_path / "copies", tmp_path / "run"
    copies.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(copies))
    monkeypatch.setattr("helm_sdk.record.source.open_readable", _will_not_open)
    with start_python(WRITER, folder) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        last = int(writer.stdout.readline())
        before = (folder / "a1-rank-0.helm").stat().st_mtime_ns
        with ProcessReader(folder / "a1-rank-0.helm") as reader:
            assert reader.last_seq == last
            assert len(list(reader.points("train/loss"))) == last - 1
            print(5, file=writer.stdin, flush=True)
            last = int(writer.stdout.readline())
            assert len(list(reader.points("train/loss"))) == last - 1
            assert len(list(copies.iterdir())) == 1
        assert list(copies.iterdir()) == []
        assert (folder / "a1-rank-0.helm").stat().st_mtime_ns == before
        print("close", file=writer.stdin, flush=True)
        assert writer.stdout.readline() == "closed\n"


def _will_not_open(path: Path) -> sqlite3.Connection:
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    raise error


def test_that_a_file_is_never_copied_in_the_process_that_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = write_loss(tmp_path, 2, close=False)
    monkeypatch.setattr("helm_sdk.record.source.open_readable", _will_not_open)
    with pytest.raises(RecordError, match="could not be opened beside its writer"):
        ProcessReader(writer.path)
    writer.close()


def test_that_a_reader_leaves_a_finished_file_untouched(tmp_path: Path) -> None:
    path = write_loss(tmp_path, 25).path
    path.chmod(stat.S_IRUSR)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with ProcessReader(path) as reader:
        list(reader.batches())
        reader.summary()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_that_a_missing_file_and_a_file_not_begun_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="does not exist"):
        ProcessReader(tmp_path / "a1-rank-0.helm")
    (tmp_path / "a1-rank-0.helm").touch()
    with pytest.raises(RecordError, match="has not been begun yet"):
        ProcessReader(tmp_path / "a1-rank-0.helm")


def test_that_figures_count_what_is_not_finite_and_what_repeats(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, streams=defined("loss", "acc", "never"))])
    writer.commit([batch(2, group([1, 2], [1, 2, 4, 3, 5], [[1.0, math.nan, 3.0, 4.0, -0.0], [0.5] * 5]))])
    writer.commit([batch(3, group([1], [100], [[1.0]]), group([1], [100], [[2.0]]))])
    writer.commit([batch(4, group([1], [100, 101, 3], [[math.inf, 1e308, 1e308]]))])

    def check() -> None:
        with ProcessReader(writer.path) as reader:
            loss, acc = reader.summary()
            assert (loss.count, loss.first_step, loss.last_step, loss.last_value) == (10, 1, 3, 1e308)
            assert (loss.non_finite, loss.repeats) == (2, 3)
            assert (acc.stream.name, acc.count, acc.non_finite, acc.repeats) == ("acc", 5, 0, 0)
            assert reader.overview().step == 5

    check()
    writer.close()
    check()


def test_that_figures_are_the_same_whenever_they_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helm_sdk.record.writer._STATS_SECONDS", 0.0)
    writer = write_loss(tmp_path, 12, close=False)
    writer.commit([batch(14, group([1], [11], [[math.nan]]))])
    with ProcessReader(writer.path) as reader:
        (summary,) = reader.summary()
        assert (summary.count, summary.repeats, summary.non_finite) == (13, 1, 1)
        assert math.isnan(summary.last_value)
    writer.close()
