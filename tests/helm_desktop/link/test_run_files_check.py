"""What the files of a run say, and when they are looked at."""

from __future__ import annotations

from pathlib import Path

import helm_sdk
from helm_desktop.link.run_files_check import CHECK_SECONDS, ENDED_FACTOR, USER_SECONDS, RunFilesCheck
from helm_desktop.model.run.updates import AboutUpdate, StatusUpdate
from helm_sdk.protocol.peer import RunState
from helm_sdk.record.layout import USER_FILE
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run


def finished_run(home: Path) -> RunFolder:
    with helm_sdk.init("p", name="short", home=home):
        pass
    return find_run(home, "latest")


def looked_at_first(files: RunFilesCheck, run: RunFolder) -> float:
    """When everything has been looked at once, what people wrote too."""
    assert files.due(run, 100.0)
    files.due(run, 100.0 + USER_SECONDS)
    return 100.0 + USER_SECONDS


def test_that_an_end_is_told_only_once_history_was_read(tmp_path: Path) -> None:
    run, files = finished_run(tmp_path), RunFilesCheck()
    (about,) = files.read(run, caught_up=False)
    assert isinstance(about, AboutUpdate)
    assert about.name == "short"
    assert not files.ended
    _, status = files.read(run, caught_up=True)
    assert isinstance(status, StatusUpdate)
    assert status.state is RunState.FINISHED
    assert files.ended


def test_that_files_are_looked_at_when_due_and_when_asked_for(tmp_path: Path) -> None:
    run, files = finished_run(tmp_path), RunFilesCheck()
    now = looked_at_first(files, run)
    assert not files.due(run, now + CHECK_SECONDS / 2)
    files.request()
    assert files.due(run, now + CHECK_SECONDS / 2)
    assert files.due(run, now + CHECK_SECONDS * 2)


def test_that_an_ended_run_is_looked_at_more_seldom(tmp_path: Path) -> None:
    run, files = finished_run(tmp_path), RunFilesCheck()
    now = looked_at_first(files, run)
    files.read(run, caught_up=True)
    assert not files.due(run, now + CHECK_SECONDS * (ENDED_FACTOR - 1))
    assert files.due(run, now + CHECK_SECONDS * (ENDED_FACTOR + 1))
    files.restart()
    assert files.due(run, now + CHECK_SECONDS * (ENDED_FACTOR + 1.1))


def test_that_what_people_wrote_is_read_soon(tmp_path: Path) -> None:
    run, files = finished_run(tmp_path), RunFilesCheck()
    now = looked_at_first(files, run)
    assert not files.due(run, now + USER_SECONDS)
    (run.path / USER_FILE).write_text("{}")
    assert files.due(run, now + USER_SECONDS * 2)
