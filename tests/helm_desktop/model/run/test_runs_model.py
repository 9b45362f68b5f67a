"""The rows of the runs panel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from helm_desktop.model.run.runs_model import NoSuchRun, ProjectHeading, RunsModel, find_run, row_text
from helm_desktop.model.run.updates import RunRow
from helm_sdk.protocol.peer import RunState

ROW = RunRow(
    run_id="20261129-100000-aaaaaa",
    folder="/a",
    project="quickstart",
    name="first",
    state=RunState.LIVE,
    created=1.0,
    step=212,
    plan_step=600,
    config={"lr": 3e-3, "batch_size": 64},
    metric="train/loss",
    value=0.4118,
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "live · step 212 of 600 · lr 3e-3"),
        ({"plan_step": None, "config": {}}, "live · step 212"),
        ({"state": RunState.QUIET, "step": None}, "quiet · lr 3e-3"),
        ({"state": RunState.FINISHED, "step": 599, "seconds": 64.0}, "finished · 600 steps · 1 min 4 s"),
        ({"state": RunState.FINISHED, "step": 0, "seconds": None}, "finished · 1 step"),
        ({"state": RunState.KILLED, "step": 37}, "killed at step 37"),
        ({"state": RunState.KILLED, "step": None}, "killed before its first step"),
        ({"state": RunState.FAILED, "step": 37, "exit_status": 1}, "failed at step 37 · exit 1"),
        ({"state": RunState.INTERRUPTED, "step": 5}, "interrupted at step 5"),
        ({"step": 4100, "plan_step": 20_000, "config": {"lr": 0.02}}, "live · step 4100 of 20k · lr 0.02"),
    ],
)
def test_that_a_row_says_how_its_run_stands(changes: dict[str, Any], words: str) -> None:
    assert row_text(replace(ROW, **changes)) == words


def test_that_runs_stand_under_their_projects_newest_first(qapp: object) -> None:
    model = RunsModel()
    other = replace(ROW, folder="/c", project="other", created=3.0)
    model.set_runs([ROW, replace(ROW, folder="/b", created=2.0), other])
    rows = [model.index(row).data(RunsModel.RowRole) for row in range(model.rowCount())]
    assert [row.project if isinstance(row, ProjectHeading) else row.folder for row in rows] == [
        "other",
        "/c",
        "quickstart",
        "/b",
        "/a",
    ]
    assert rows[2].text == "2 runs"
    assert model.value_text(ROW) == "0.412"


def test_that_a_live_run_that_moves_on_keeps_the_list_as_it_is(qapp: object) -> None:
    model = RunsModel()
    model.set_runs([ROW])
    resets: list[bool] = []
    changed: list[int] = []
    model.modelReset.connect(lambda: resets.append(True))
    model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    model.set_runs([replace(ROW, step=213)])
    assert resets == []
    assert changed == [1]


def test_that_the_filter_finds_names_states_and_settings(qapp: object) -> None:
    model = RunsModel()
    model.set_runs([ROW, replace(ROW, folder="/b", name="second", state=RunState.KILLED, config={"lr": 0.1})])
    for text, folders in (("second", ["/b"]), ("LIVE", ["/a"]), ("lr=0.1", ["/b"]), ("none such", [])):
        model.set_filter(text)
        rows = [model.run_at(row) for row in range(model.rowCount())]
        assert [row.folder for row in rows if row is not None] == folders
    model.set_filter("")
    assert model.rowCount() == 3


def test_that_a_run_is_found_by_id_or_name() -> None:
    rows = [ROW, replace(ROW, run_id="20261128-100000-bbbbbb", folder="/b", name="second")]
    assert find_run(rows, "latest") is rows[0]
    assert find_run(rows, "second") is rows[1]
    assert find_run(rows, "20261128") is rows[1]
    with pytest.raises(NoSuchRun, match="matches several runs"):
        find_run(rows, "2026")
    with pytest.raises(NoSuchRun, match="the newest are"):
        find_run(rows, "third")
    with pytest.raises(NoSuchRun, match="there are no runs yet"):
        find_run([], "latest")
