"""A run's folder: how it stands, by what is left of its processes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec
import pytest

from helm_sdk.protocol.messages import LiveEntry, ProcessRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.record.errors import DamagedFile, RecordError
from helm_sdk.record.host import boot_id, process_gone, this_process
from helm_sdk.record.live import live_entries, remove_live_entry, write_live_entry
from helm_sdk.record.overview import Overview, read_overview
from helm_sdk.record.run import RunFolder, create_run
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import (
    batch,
    defined,
    group,
    live_entry,
    process_record,
    run_record,
    start_python,
    write_loss,
)

TRAINING = """
import sys
from pathlib import Path
from helpers.record_files import write_loss
writer = write_loss(Path(sys.argv[1]), 7, close=False)
print("live", flush=True)
sys.stdin.readline()
"""


def _run(tmp_path: Path, run_id: str = "20261129-120000-abcdef") -> RunFolder:
    return create_run(tmp_path, run_record(run_id, name="first"))


def _end(writer: ProcessWriter, outcome: str, message: str = "", status: int | None = None) -> None:
    changed = msgspec.structs.replace(writer.record, outcome=outcome, message=message, exit_status=status)
    writer.set_record(changed)
    writer.close()


def test_that_a_killed_run_says_at_which_step(tmp_path: Path) -> None:
    run = _run(tmp_path)
    with start_python(TRAINING, run.path) as training:
        assert training.stdout is not None
        assert training.stdout.readline() == "live\n"
        assert (run.state(), run.state_text()) == (RunState.LIVE, "live")
        training.kill()
        # Not waited for yet: a zombie has died as well.
        while process_gone(run.statuses()[0].overview.record) is False:
            os.sched_yield()
        assert (run.state(), run.state_text()) == (RunState.KILLED, "killed at step 6")
    assert RunFolder(run.path).state_text() == "killed at step 6"


@pytest.mark.parametrize(
    ("outcome", "message", "status", "text"),
    [
        ("finished", "", None, "finished"),
        ("interrupted", "", None, "interrupted"),
        ("failed", "ValueError: no books", None, "failed: ValueError: no books"),
        ("failed", "", 3, "failed: exit status 3"),
        ("evaporated", "", None, "finished"),
    ],
)
def test_that_a_run_says_how_it_ended(
    tmp_path: Path, outcome: str, message: str, status: int | None, text: str
) -> None:
    run = _run(tmp_path)
    _end(write_loss(run.path, 2, close=False), outcome, message, status)
    assert run.state_text() == text


def test_that_a_process_of_another_machine_is_judged_by_its_file(tmp_path: Path) -> None:
    run = _run(tmp_path)
    far = msgspec.structs.replace(process_record(), host="elsewhere", pid=1)
    writer = ProcessWriter(run.path, far)
    assert run.state() is RunState.LIVE
    _age(run.path, 60)
    assert RunFolder(run.path).state_text() == "lost: nothing for 60 s"
    writer.close()


def test_that_a_long_evaluation_is_quiet_and_no_death(tmp_path: Path) -> None:
    run = _run(tmp_path)
    writer = write_loss(run.path, 2, close=False)
    write_live_entry(tmp_path, _entry(run, heartbeat=time.time()))
    _age(run.path, 300)
    assert RunFolder(run.path).state_text() == "quiet: nothing for 0 s"
    writer.close()


def test_that_a_clock_set_back_does_not_kill_and_a_new_pid_does(tmp_path: Path) -> None:
    record = process_record()
    assert process_gone(msgspec.structs.replace(record, started=record.started + 3600)) is False
    assert process_gone(msgspec.structs.replace(record, start_ticks=record.start_ticks + 1)) is True
    assert process_gone(msgspec.structs.replace(record, host="elsewhere")) is None
    assert process_gone(msgspec.structs.replace(record, pid_namespace="pid:[1]")) is None
    assert process_gone(msgspec.structs.replace(record, boot_id="before")) is None


def test_that_a_run_from_before_a_restart_of_the_machine_was_killed(tmp_path: Path) -> None:
    run = _run(tmp_path)
    writer = ProcessWriter(run.path, msgspec.structs.replace(process_record(), boot_id="before"))
    assert boot_id() != "before"
    assert run.state() is RunState.LIVE
    _age(run.path, 60)
    assert RunFolder(run.path).state_text() == "killed before its first step"
    writer.close()


def test_that_a_copy_of_a_live_run_is_not_live_itself(tmp_path: Path) -> None:
    run = _run(tmp_path / "one")
    writer = write_loss(run.path, 2, close=False)
    copy = _run(tmp_path / "two")
    write_loss(copy.path, 2, close=False).close()
    write_live_entry(tmp_path / "two", _entry(run, heartbeat=time.time()))
    _age(copy.path, 300)
    assert RunFolder(copy.path).state() is not RunState.LIVE
    writer.close()


def test_that_the_newest_attempt_of_the_main_process_speaks_for_the_run(tmp_path: Path) -> None:
    run = _run(tmp_path)
    assert run.next_attempt() == 1
    _end(write_loss(run.path, 15, close=False), "failed", "out of memory")
    for process, attempt, outcome in (("rank-1", 2, "failed"), ("rank-0", 2, "finished"), ("eval", 1, "")):
        writer = ProcessWriter(run.path, process_record(process=process, attempt=attempt))
        writer.commit(
            [batch(1, group([1, 2], [99], [[0.1], [1.0]]), streams=defined("train/loss", "system/cpu"))]
        )
        _end(writer, outcome)
    assert run.next_attempt() == 3
    assert run.state() is RunState.FINISHED
    assert [file.path.name for file in run.process_files()] == [
        "a1-rank-0.helm",
        "a1-eval.helm",
        "a2-rank-0.helm",
        "a2-rank-1.helm",
    ]
    assert [status.file.process for status in run.statuses()] == ["rank-0", "rank-1", "eval"]
    readers = run.readers()
    assert [reader.record.attempt for reader in readers] == [1, 1, 2, 2]
    steps = [[step for step, _, _ in reader.points("train/loss")] for reader in readers]
    assert steps[0] == list(range(15))
    assert steps[2] == [99]


def test_that_files_are_opened_again_only_when_they_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _run(tmp_path)
    writer = write_loss(run.path, 3, close=False)
    _age(run.path, 1)
    run.state()
    opened: list[Path] = []

    def read(source: ProcessFileAccess) -> Overview:
        opened.append(source.path)
        return read_overview(source)

    monkeypatch.setattr("helm_sdk.record.run.read_overview", read)
    assert run.statuses()[0].overview.step == 2
    assert opened == []
    writer.commit([batch(5, group([1], [3], [[0.0]]))])
    assert run.statuses()[0].overview.step == 3
    assert len(opened) == 1
    writer.close()


def test_that_a_damaged_file_does_not_hide_the_others(tmp_path: Path) -> None:
    run = _run(tmp_path)
    write_loss(run.path, 3)
    (run.path / "a1-rank-1.helm").write_bytes(b"rot" * 1000)
    (run.path / "a1-rank-2.helm").touch()
    assert [status.file.process for status in run.statuses()] == ["rank-0"]
    assert len(run.readers()) == 1


def test_that_a_folder_without_a_record_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"holds no run: it has no run\.json"):
        RunFolder(tmp_path)
    with pytest.raises(RecordError, match="is not a folder"):
        RunFolder(tmp_path / "nothing")
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(DamagedFile, match="is not JSON"):
        RunFolder(tmp_path)


def test_that_a_config_comes_back_as_it_was(tmp_path: Path) -> None:
    config = {"lr": 0.1, "odd": float("inf"), "big": 2**80, "text": "ü\n\ud800", "list": [1, None, {}]}
    record = msgspec.structs.replace(run_record("20261129-120000-abcdef", project="a/b c"), config=config)
    run = create_run(tmp_path, record)
    assert run.path.parent.parent == tmp_path / "runs"
    assert RunFolder(run.path).record == record
    assert run.home == tmp_path


def test_that_the_index_of_live_processes_is_written_read_and_emptied(tmp_path: Path) -> None:
    run = _run(tmp_path)
    entry = _entry(run, heartbeat=1.0)
    path = write_live_entry(tmp_path, entry)
    write_live_entry(tmp_path, msgspec.structs.replace(entry, process="a/b"))
    write_live_entry(tmp_path, msgspec.structs.replace(entry, run_id=run.run_id + "-x"))
    (path.parent / "broken.json").write_text("[1]")
    assert len(live_entries(tmp_path)) == 3
    assert {each.process for each in live_entries(tmp_path, run.run_id)} == {"rank-0", "a/b"}
    assert run.live()[1] == entry
    remove_live_entry(tmp_path, run.run_id, "rank-0")
    remove_live_entry(tmp_path, run.run_id, "rank-0")
    assert [each.process for each in run.live()] == ["a/b"]
    assert live_entries(tmp_path / "nowhere") == []


def _entry(run: RunFolder, heartbeat: float) -> LiveEntry:
    return live_entry(run, heartbeat=heartbeat)


def _age(folder: Path, seconds: float) -> None:
    """Let the files look as if nothing had moved for a while."""
    for path in folder.iterdir():
        os.utime(path, (time.time() - seconds,) * 2)


def test_that_a_record_without_ticks_is_still_told_from_the_dead() -> None:
    record = ProcessRecord(
        run_id="r",
        process="p",
        role="trainer",
        attempt=1,
        pid=2**22 + 1,
        started=1.0,
        opened=1.0,
        host=this_process().host,
        pid_namespace=this_process().pid_namespace,
    )
    assert process_gone(record) is True
    assert process_gone(msgspec.structs.replace(record, pid=os.getpid())) is False
