"""The writer: one at a time, in sequence, all or nothing, one plain file at the end."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

import msgspec
import pytest

from helm_sdk.protocol.messages import Event
from helm_sdk.record import database, layout, migrations
from helm_sdk.record.errors import DamagedFile, DiskFull, LockedError, NewerFormat, RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import batch, defined, group, process_record, rows_of, start_python, write_loss

HOLDER = """
import sys
from pathlib import Path
from helpers.record_files import process_record
from helm_sdk.record.writer import ProcessWriter
writer = ProcessWriter(Path(sys.argv[1]), process_record())
print("open", flush=True)
sys.stdin.readline()
"""

STRANGER = """
import os, sys
from pathlib import Path
from helpers.record_files import process_record
from helm_sdk.record.errors import RecordError
from helm_sdk.record.writer import ProcessWriter
record = process_record()
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    ProcessWriter(Path(sys.argv[1]), record)
except RecordError as error:
    print(f"{type(error).__name__}: {error}")
"""


def test_that_a_second_writer_is_refused_in_one_sentence(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    with pytest.raises(LockedError, match=r"another process that writes a1-rank-0\.helm has it open"):
        ProcessWriter(tmp_path, process_record())
    writer.close()
    ProcessWriter(tmp_path, process_record()).close()


def test_that_the_lock_of_a_killed_process_is_gone_with_it(tmp_path: Path) -> None:
    with start_python(HOLDER, tmp_path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(LockedError):
            ProcessWriter(tmp_path, process_record())
        holder.kill()
        holder.wait()
        writer = ProcessWriter(tmp_path, process_record())
        assert writer.last_seq == 0
        writer.close()


def test_that_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    wake, waker = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(waker)
        os.read(wake, 1)
        os._exit(0)
    try:
        writer.close()
        ProcessWriter(tmp_path, process_record()).close()
    finally:
        os.close(waker)
        os.waitpid(child, 0)
        os.close(wake)


def test_that_numbers_must_go_on(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1), batch(2)])
    for wrong in ([batch(2)], [batch(4)], [batch(3), batch(5)]):
        with pytest.raises(RecordError, match="was due"):
            writer.commit(wrong)
    assert writer.last_seq == 2
    writer.commit([batch(3)])
    writer.close()
    with pytest.raises(RecordError, match="is closed"):
        writer.commit([batch(4)])


def test_that_columns_of_different_lengths_are_refused_whole(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    bad = msgspec.structs.replace(group([1], [1, 2], [[1.0, 2.0]]), values=b"12345678")
    with pytest.raises(RecordError, match="not of one length"):
        writer.commit([batch(1, group([1], [1], [[1.0]])), batch(2, bad)])
    assert writer.last_seq == 0
    with ProcessReader(writer.path) as reader:
        assert list(reader.batches()) == []
    writer.close()


def test_that_a_full_disk_keeps_nothing_and_the_same_commit_works_later(tmp_path: Path) -> None:
    writer = write_loss(tmp_path, 10, close=False)
    pages = writer._db.execute("PRAGMA page_count").fetchone()[0]
    writer._db.execute(f"PRAGMA max_page_count = {pages}")
    large = batch(12, group([1, 2], list(range(4000)), [[0.25] * 4000] * 2), streams=defined("x", "y"))
    with pytest.raises(DiskFull, match="the disk is full"):
        writer.commit([large])
    assert writer.last_seq == 11
    with ProcessReader(writer.path) as reader:
        assert reader.last_seq == 11
        assert len(reader.streams()) == 1
    writer._db.execute("PRAGMA max_page_count = 1000000")
    writer.commit([large], durable=True)
    writer.close()
    with ProcessReader(writer.path) as reader:
        assert len(rows_of(reader.batches())[2]) == 4000
        assert [summary.count for summary in reader.summary()] == [4010, 4000]


def test_that_a_durable_commit_is_full_and_the_next_is_normal_again(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    told: list[str] = []
    writer._db.set_trace_callback(told.append)
    writer.commit([batch(1, events=[Event(id=1, kind="command", time=1.0)])], durable=True)
    assert told[0].endswith("= FULL")
    assert told[-1].endswith("= NORMAL")
    told.clear()
    writer.commit([batch(2)])
    assert not any("synchronous" in statement for statement in told)
    writer.close()


def test_that_a_commit_is_a_few_statements_however_many_batches(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, group([1, 2], [0], [[0.0], [0.0]]), streams=defined("a", "b"))])
    told: list[str] = []
    writer._db.set_trace_callback(told.append)
    writer.commit([batch(seq, group([1, 2], [seq], [[1.0], [2.0]])) for seq in range(2, 52)])
    assert len({*told}) <= 4  # a trigger tells its statement again
    told.clear()
    writer.commit([batch(52, group([1, 2], [52], [[1.0], [2.0]]))])
    assert len({*told}) == 1
    writer.close()
    with ProcessReader(writer.path) as reader:
        assert reader.last_seq == 52
        assert [step for step, _, _ in reader.points("b")] == [0, *range(2, 53)]


def test_that_one_plain_file_is_left(tmp_path: Path) -> None:
    writer = write_loss(tmp_path, 50, close=False)
    writer.set_record(msgspec.structs.replace(writer.record, outcome="finished"))
    writer.close()
    writer.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a1-rank-0.helm"]
    with sqlite3.connect(writer.path) as plain:
        assert plain.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert plain.execute("SELECT count(*) FROM chunks").fetchone() == (1,)
    plain.close()
    with ProcessReader(writer.path) as reader:
        assert reader.record.outcome == "finished"


def test_that_a_reader_that_holds_on_delays_the_end_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helm_sdk.record.writer._CLOSE_LOG_SECONDS", 0.05)
    writer = write_loss(tmp_path, 9, close=False)
    holder = database.open_readable(writer.path)
    holder.execute("BEGIN")
    holder.execute("SELECT count(*) FROM chunks").fetchone()
    writer.close()
    holder.close()
    with ProcessReader(writer.path) as reader:
        assert len(list(reader.points("train/loss"))) == 9
    ProcessWriter(tmp_path, process_record()).close()
    assert [path.name for path in tmp_path.iterdir()] == ["a1-rank-0.helm"]


def test_that_the_log_is_folded_while_the_writer_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helm_sdk.record.folding._FOLD_BYTES", 1)
    writer = write_loss(tmp_path, 1, close=False)
    before = writer.path.stat().st_size
    for seq in range(3, 3000):
        writer.commit([batch(seq, group([1], list(range(500)), [[0.5] * 500]))])
        if writer.path.stat().st_size > before:
            break
    else:
        pytest.fail("nothing was folded")
    writer.close()
    with ProcessReader(writer.path) as reader:
        assert reader.summary()[0].count == (seq - 2) * 500 + 1


def test_that_a_folder_that_may_not_be_written_is_told_in_one_sentence() -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with start_python(STRANGER, folder) as stranger:
            assert stranger.stdout is not None
            said = stranger.stdout.read()
        assert said == f"ReadOnly: {folder}/.a1-rank-0.helm.lock may not be written\n"
        assert list(Path(folder).iterdir()) == []


def test_that_a_process_name_of_any_text_has_a_file_inside_the_folder(tmp_path: Path) -> None:
    for name in ("../../etc", "a/b", "a b", "", "ü" * 400, "con"):
        writer = ProcessWriter(tmp_path, process_record(process=name))
        assert writer.path.parent == tmp_path
        writer.close()
        with ProcessReader(writer.path) as reader:
            assert reader.record.process == name
    assert len(list(tmp_path.iterdir())) == 6


def test_that_a_writer_goes_on_with_its_own_file(tmp_path: Path) -> None:
    write_loss(tmp_path, 30)
    writer = ProcessWriter(tmp_path, process_record())
    assert writer.last_seq == 31
    writer.commit([batch(32, group([1], [30], [[float("inf")]]))])
    writer.close()
    with ProcessReader(writer.path) as reader:
        (summary,) = reader.summary()
        assert (summary.count, summary.last_step, summary.non_finite) == (31, 30, 1)
        assert [step for step, _, _ in reader.points("train/loss")] == list(range(31))


def test_that_a_newer_format_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = write_loss(tmp_path, 1).path
    with sqlite3.connect(path) as plain:
        plain.execute(f"PRAGMA user_version = {migrations.newest() + 1}")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(NewerFormat, match="newer version of Helm"):
        ProcessReader(path)
    with pytest.raises(NewerFormat):
        ProcessWriter(tmp_path, process_record())
    assert path.read_bytes() == before
    assert not layout.process_file(tmp_path, 1, "rank-0").with_suffix(".helm-wal").exists()


def test_that_an_older_format_is_read_without_being_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_loss(tmp_path, 3).path
    before = path.read_bytes()
    step = ("ALTER TABLE process ADD COLUMN mood TEXT NOT NULL DEFAULT ''",)
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, step))
    with ProcessReader(path) as reader:
        assert len(list(reader.points("train/loss"))) == 3
    assert path.read_bytes() == before
    db = database.open_writable(path)
    assert db.execute("SELECT mood FROM process").fetchone() == ("",)
    db.close()


@pytest.mark.parametrize("content", [b"not sqlite at all" * 100, b"SQLite format 3\0" + b"\1" * 4096])
def test_that_another_programs_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = layout.process_file(tmp_path, 1, "rank-0")
    path.write_bytes(content)
    with pytest.raises(DamagedFile):
        ProcessReader(path)
    with pytest.raises(DamagedFile):
        ProcessWriter(tmp_path, process_record())
    assert path.read_bytes() == content


def test_that_another_sqlite_file_is_refused(tmp_path: Path) -> None:
    path = layout.process_file(tmp_path, 1, "rank-0")
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    other.close()
    with pytest.raises(DamagedFile, match="is not a file of Helm"):
        ProcessReader(path)
    with pytest.raises(DamagedFile, match="is not a file of Helm"):
        ProcessWriter(tmp_path, process_record())
