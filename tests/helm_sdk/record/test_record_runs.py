"""All runs of a home: listed, found by what people call them, changed by two programs at once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import pytest

from helm_sdk.protocol.messages import UserRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.record import layout
from helm_sdk.record.errors import AmbiguousRun, DamagedFile, RunNotFound
from helm_sdk.record.overview import Overview, read_overview
from helm_sdk.record.run import create_run
from helm_sdk.record.runs import RunIndex, find_run, list_runs
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.user import change_user, read_user, set_step_note, set_user
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import batch, defined, group, process_record, run_record, start_python, write_loss

TAGGER = """
import sys
from pathlib import Path
import msgspec
from helm_sdk.record.user import change_user
folder, word = Path(sys.argv[1]), sys.argv[2]
for number in range(20):
    add = lambda user: msgspec.structs.replace(user, tags=(*(user.tags or ()), f"{word}{number}"))
    change_user(folder, add)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three runs of two projects."""
    for index, (project, name) in enumerate((("p", "calm"), ("p", "bold"), ("q/r", "bold"))):
        record = run_record(f"2026112{index}-120000-{index:06x}", project, name, created=float(index))
        folder = create_run(tmp_path, record).path
        writer = write_loss(folder, 3 + index, close=False)
        writer.set_record(msgspec.structs.replace(writer.record, outcome="finished"))
        writer.close()
        os.utime(writer.path, (1.7e9, 1.7e9))
    return tmp_path


def test_that_runs_are_listed_newest_first_with_their_figures(home: Path) -> None:
    runs = list_runs(home)
    assert [(run.name, run.project, run.step) for run in runs] == [
        ("bold", "q/r", 4),
        ("bold", "p", 3),
        ("calm", "p", 2),
    ]
    assert {run.state for run in runs} == {RunState.FINISHED}
    assert (runs[0].metric, runs[0].value) == ("train/loss", 0.2)
    assert [run.name for run in list_runs(home, "q/r")] == ["bold"]
    assert list_runs(home, metric="none")[0].value is None
    assert list_runs(home / "nowhere") == []


def test_that_a_list_asked_again_opens_only_what_has_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = RunIndex(home)
    before = index.list()
    opened: list[Path] = []

    def read(source: ProcessFileAccess) -> Overview:
        opened.append(source.path)
        return read_overview(source)

    monkeypatch.setattr("helm_sdk.record.run.read_overview", read)
    assert index.list() == before
    assert opened == []
    writer = ProcessWriter(before[0].path, process_record(attempt=2))
    writer.commit([batch(1, group([1], [50], [[9.0]]), streams=defined("train/loss"))])
    newest = index.list()[0]
    assert (newest.state, newest.attempt, newest.step, newest.value) == (RunState.LIVE, 2, 50, 9.0)
    assert opened == [writer.path]
    writer.close()


def test_that_an_ended_run_is_not_looked_into_until_something_happens_to_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = RunIndex(home)
    for run in index.list():
        os.utime(run.path, (1.7e9, 1.7e9))
    before = index.list()
    with monkeypatch.context() as patched:
        patched.setattr("helm_sdk.record.runs.summarise", None)
        assert index.list() == before
    set_user(before[1].path, name="renamed")
    assert [run.name for run in index.list()] == ["bold", "renamed", "calm"]
    shutil.rmtree(before[0].path)
    assert [run.name for run in index.list()] == ["renamed", "calm"]
    assert index.list(metric="none")[0].metric == ""


def test_that_a_folder_that_cannot_be_read_is_told_and_hides_no_other(home: Path) -> None:
    folder = layout.run_folder(home, "p", "broken")
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("nonsense")
    (layout.run_folder(home, "p", "empty")).mkdir()
    index = RunIndex(home)
    assert len(index.list()) == 3
    assert len(index.problems) == 1
    assert "is not JSON" in index.problems[0]


def test_that_a_run_is_found_by_id_prefix_name_path_and_latest(home: Path) -> None:
    newest = list_runs(home)[0]
    for text in (newest.run_id, "20261122", str(newest.path), "latest", str(newest.path / "a1-rank-0.helm")):
        assert find_run(home, text).run_id == newest.run_id
    assert find_run(home, "calm").record.name == "calm"
    set_user(newest.path, name="my run")
    assert find_run(home, "my run").run_id == newest.run_id
    assert find_run(home, "bold").record.project == "p"


def test_that_a_run_that_cannot_be_found_is_told_in_one_sentence(home: Path, tmp_path: Path) -> None:
    with pytest.raises(AmbiguousRun, match="bold may be any of 20261122-120000-000002"):
        find_run(home, "bold")
    with pytest.raises(AmbiguousRun, match="give more of its id"):
        find_run(home, "2026112")
    with pytest.raises(RunNotFound, match="there is no run nobody: the newest are 20261122"):
        find_run(home, "nobody")
    with pytest.raises(RunNotFound, match="there is no run in"):
        find_run(tmp_path / "empty", "latest")
    for odd in ("", "\0", "x" * 5000, "../.."):
        with pytest.raises(RunNotFound):
            find_run(home, odd)


def test_that_runs_in_the_fallback_home_are_found_too(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    create_run(layout.fallback_home(), run_record("20270101-000000-ffffff", created=99.0))
    assert len(list_runs(home)) == 4
    assert find_run(home, "latest").run_id == "20270101-000000-ffffff"


def test_that_two_programs_lose_nothing_of_each_others_changes(home: Path) -> None:
    folder = list_runs(home)[0].path
    with start_python(TAGGER, folder, "shell") as one, start_python(TAGGER, folder, "app") as two:
        assert (one.wait(), two.wait()) == (0, 0)
    tags = read_user(folder).tags
    assert tags is not None
    assert sorted(tags) == sorted(f"{word}{number}" for word in ("shell", "app") for number in range(20))
    assert {path.name for path in folder.iterdir()} == {"run.json", "user.json", "a1-rank-0.helm"}


def test_that_fields_of_a_newer_version_are_kept(home: Path) -> None:
    folder = list_runs(home)[0].path
    (folder / "user.json").write_text('{"name": "x", "mood": "good"}')
    change_user(folder, lambda user: msgspec.structs.replace(user, name="", pinned=True))
    assert (folder / "user.json").read_text().split() == ["{", '"mood":', '"good",', '"pinned":', "true", "}"]
    assert list_runs(home)[0].pinned


def test_that_a_damaged_user_file_is_never_written_over(home: Path) -> None:
    folder = list_runs(home)[0].path
    (folder / "user.json").write_text('{"name": 3}')
    with pytest.raises(DamagedFile, match="does not fit"):
        set_user(folder, name="x")
    assert (folder / "user.json").read_text() == '{"name": 3}'
    assert list_runs(home)[0].name == "bold"


def test_that_notes_on_steps_come_and_go(home: Path) -> None:
    folder = list_runs(home)[0].path
    set_step_note(folder, 3, "here it turned")
    set_step_note(folder, 10, "and here")
    assert set_step_note(folder, 3, "").step_notes == {"10": "and here"}
    assert read_user(folder) == UserRecord(step_notes={"10": "and here"})


def test_that_names_that_differ_keep_files_that_differ() -> None:
    names = ["a/b", "a-b", "a b", "a.b", "", ".", "..", "a" * 300, "a" * 301, "CON", "nul.txt", "ü", "-"]
    names.append("\ud800")
    safe = [layout.safe_name(name) for name in names]
    assert len(set(safe)) == len(names)
    assert all(each and each not in (".", "..") and "/" not in each and len(each) <= 81 for each in safe)
    assert layout.safe_name("rank-0") == "rank-0"


def test_that_run_ids_sort_by_time_and_differ() -> None:
    assert layout.new_run_id(0).startswith("19700101-000000-")
    assert len({layout.new_run_id(0) for _ in range(50)}) == 50
