"""helmctl runs, show, points, watch and verify on what a real run wrote."""

from __future__ import annotations

import csv
import io
import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_sdk import cli
from helm_sdk.record.runs import find_run
from helm_sdk.record.user import set_step_note

VALUES = [0.1, 1 / 3, math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2]


@pytest.fixture
def run() -> helm_sdk.Run:
    run = helm_sdk.init("project a", name="reads", config={"opt": {"lr": 0.1}, "layers": [1, 2]}, tags=["x"])
    run.tunable("knob", 1.0, minimum=0.0, maximum=2.0)
    for step, value in enumerate(VALUES):
        run.log({"my.loss": value, "my_loss": 1.0}, step=step)
    run.finish()
    return run


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert cli.main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_that_runs_are_listed_and_filtered(run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["runs"]) == 0
    assert run.run_id in capsys.readouterr().out
    assert [found["run_id"] for found in _json(capsys, "runs")] == [run.run_id]
    assert [found["state"] for found in _json(capsys, "runs", "--project", "project a")] == ["finished"]
    assert _json(capsys, "runs", "--state", "live") == []
    assert _json(capsys, "runs", "--project", "other") == []


def test_that_home_says_where_runs_are(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert _json(capsys, "runs", "--home", str(tmp_path)) == []
    assert cli.main(["show", run.run_id, "--home", str(tmp_path)]) == cli.MISTAKE


def test_that_points_come_back_bit_for_bit(run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["points", "reads", "my.loss", "--csv"]) == 0
    text = capsys.readouterr().out
    rows = list(csv.DictReader(io.StringIO(text)))

    assert text.splitlines()[0] == "step,value,time,attempt,process"
    assert [row["value"] for row in rows][:6] == ["0.1", repr(1 / 3), "nan", "inf", "-inf", "-0.0"]
    assert [struct.pack("<d", float(row["value"])) for row in rows] == [
        struct.pack("<d", value) for value in VALUES
    ]
    assert [int(row["step"]) for row in rows] == list(range(len(VALUES)))
    assert {(row["attempt"], row["process"]) for row in rows} == {("1", "rank-0")}
    assert [float(row["time"]) for row in rows] == sorted(float(row["time"]) for row in rows)


def test_that_points_as_json_say_what_is_not_finite(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [row["value"] for row in _json(capsys, "points", "reads", "my.loss")]

    assert values == [0.1, 1 / 3, "nan", "inf", "-inf", -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2]


def test_that_attempts_follow_each_other_in_the_points(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    again = helm_sdk.init("project a", resume=run.run_id)
    again.log({"my_loss": 2.0}, step=3)
    again.finish()
    capsys.readouterr()

    rows = _json(capsys, "points", run.run_id, "my_loss")
    assert [(row["step"], row["attempt"]) for row in rows][-2:] == [(len(VALUES) - 1, 1), (3, 2)]
    only = _json(capsys, "points", run.run_id, "my_loss", "--attempt", "2")
    assert [row["value"] for row in only] == [2.0]


def test_that_an_unknown_stream_names_those_that_are_like_it(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["points", "reads", "my-loss"]) == cli.MISTAKE
    assert "did you mean my" in capsys.readouterr().err


def test_that_show_tells_everything(run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]) -> None:
    shown = _json(capsys, "show", run.run_id[:12])
    stream = {stream["name"]: stream for stream in shown["streams"]}["my.loss"]
    control = {control["name"]: control for control in shown["controls"]}["set_knob"]

    assert (shown["state"], shown["config"]) == ("finished", {"opt": {"lr": 0.1}, "layers": [1, 2]})
    assert (stream["count"], stream["non_finite"], stream["last_step"]) == (len(VALUES), 3, len(VALUES) - 1)
    assert (control["current"], control["revision"]) == ({"value": 1.0}, 0)
    assert control["schema"]["root"]["kind"] == "record"
    assert [process["process"] for process in shown["processes"]] == ["rank-0"]
    assert cli.main(["show", "latest"]) == 0
    text = capsys.readouterr().out
    assert all(part in text for part in ("opt.lr", "my.loss", "set_knob", "rank-0", "finished", "tags: x"))


def test_that_a_name_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    run = helm_sdk.init("p", name="evil\x1b[2J")
    run.log({"a\x1b[31m": 1.0}, step=0)
    run.finish()
    capsys.readouterr()

    for words in (["runs"], ["show", "latest"]):
        assert cli.main(words) == 0
        assert "\x1b" not in capsys.readouterr().out


def test_that_verify_finds_a_whole_run_whole_and_a_damaged_one_damaged(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", "latest"]) == 0
    assert "is whole" in capsys.readouterr().out

    file = find_run(None, "latest").path / "a1-rank-0.helm"
    file.write_bytes(b"not a database" * 100)
    assert cli.main(["verify", "latest"]) == 1
    assert "damaged: a1-rank-0.helm" in capsys.readouterr().out


def test_that_watching_a_finished_run_tells_its_end_and_leaves(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["watch", "latest"]) == 0
    text = capsys.readouterr().out
    assert f"step {len(VALUES) - 1}  my.loss" in text
    assert "rank-0 finished" in text


def test_that_watching_as_json_leaves_out_no_point(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["watch", "latest", "--json", "--stream", "my_*"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    steps = [step for line in lines if line["kind"] == "points" for step in line["steps"]]

    assert steps == list(range(len(VALUES)))
    assert all(set(line["values"]) == {"my_loss"} for line in lines if line["kind"] == "points")


def test_that_a_part_that_cannot_be_read_is_told(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    again = helm_sdk.init("project a", resume=run.run_id)
    again.log({"my_loss": 2.0}, step=3)
    again.finish()
    (find_run(None, run.run_id).path / "a1-rank-0.helm").write_bytes(b"not a database" * 100)
    capsys.readouterr()

    assert cli.main(["points", run.run_id, "my_loss", "--csv"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[1].startswith("3,2.0,")
    assert said.err.startswith("helmctl: a1-rank-0.helm cannot be read")
    assert "a1-rank-0.helm" in _json(capsys, "show", run.run_id)["problems"][0]


def test_that_long_texts_are_shortened_for_reading_alone(capsys: pytest.CaptureFixture[str]) -> None:
    name, notes = "n" * 512, "why\n" * 300
    run = helm_sdk.init("long", name="long", notes=notes)
    run.log({name: 1.0}, step=0)
    run.finish()
    assert cli.main(["show", "long"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines if "n" * 20 in line or "why" in line) < 160
    shown = _json(capsys, "show", "long")
    assert shown["streams"][0]["name"] == name
    assert shown["notes"] == notes


def test_that_notes_on_steps_are_shown_in_the_order_of_steps(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "notes on steps" not in _said(capsys, "show", "reads")
    assert run.folder is not None
    set_step_note(run.folder, 10, "and\nhere")
    set_step_note(run.folder, 2, "here it turned")
    tail = _said(capsys, "show", "reads").splitlines()[-3:]
    assert tail == ["notes on steps (2)", "  step 2  here it turned", "  step 10  and here"]
    notes = [{"step": 2, "text": "here it turned"}, {"step": 10, "text": "and\nhere"}]
    assert _json(capsys, "show", "reads")["step_notes"] == notes


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert cli.main(list(words)) == 0
    return capsys.readouterr().out


def test_that_one_process_lives_and_several_live(capsys: pytest.CaptureFixture[str]) -> None:
    with helm_sdk.init("counted"):
        cli.main(["doctor"])
    assert "1 process lives" in capsys.readouterr().out
    cli.main(["doctor"])
    assert "0 processes live" in capsys.readouterr().out
