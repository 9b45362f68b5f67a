"""helmctl send to a real run in a process of its own: each outcome with its exit status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk import cli
from helm_sdk.record.runs import find_run
from helpers.record_files import start_python

SCRIPT = """
import sys, time, helm_sdk
from helm_sdk.models import Capability, opaque_schema, record_schema

mixture = {"kind": "record", "fields": [
    {"name": "weights", "type": {"kind": "mixture", "components": ["web", "code", "math", "books"]}}]}
number = {"kind": "record", "fields": [
    {"name": "lr", "type": {"kind": "scalar", "type": "number", "bounds": {"min": 0, "exclusive": ["min"]}}}]}
run = helm_sdk.init("p", name="steered")

def fail(value, context):
    raise RuntimeError("it does not work")

def declare(name, root, handler, safe_point="after_step", **more):
    schema = {"revision": "1", "root": root}
    run.on(safe_point, Capability(name=name, input_schema=schema, safe_points=(safe_point,), **more), handler)

declare("set_mixture", mixture, lambda value, context: {"web": float(value["weights"]["weights"]["web"])},
        starting={"weights": {"weights": {"web": "0.4", "code": "0.3", "math": "0.2", "books": "0.1"}}})
declare("lr", number, lambda value, context: None)
declare("fails", {"kind": "opaque"}, fail)
declare("never", {"kind": "opaque"}, lambda value, context: None, safe_point="never_reached")
print("ready", flush=True)
step = 0
while not sys.stdin.closed:
    run.log({"loss": 1.0}, step=step)
    run.sync("after_step", step)
    step += 1
    time.sleep(0.005)
"""
WEIGHTS = '{"weights": {"weights": {"web": "0.7", "code": "0.1", "math": "0.1", "books": "0.1"}}}'


@pytest.fixture(scope="module")
def steered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """One run for all tests here; its home and keys."""
    folder = tmp_path_factory.mktemp("steered")
    places = {"HELM_RUN_HOME": str(folder / "home"), "HELM_CONFIG_HOME": str(folder / "config")}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places.items():
            patch.setenv(name, value)
        script = start_python(SCRIPT)
    assert script.stdout is not None
    while script.stdout.readline() != "ready\n":
        assert script.poll() is None
    yield places
    script.kill()
    script.communicate()


@pytest.fixture(autouse=True)
def _same_home(steered: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in steered.items():
        monkeypatch.setenv(name, value)


def _said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_that_an_applied_change_is_told_state_by_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "set_mixture", WEIGHTS, "--reason", "try web", "--wait"]) == 0

    lines = _said(capsys).splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["received", "waiting", "applied"]
    assert "after_step" in lines[1]
    assert "step" in lines[2]
    assert lines[3].strip() == '{"web": 0.7}'
    cli.main(["show", "steered", "--json"])
    shown = json.loads(_said(capsys))
    control = next(control for control in shown["controls"] if control["name"] == "set_mixture")
    assert control["current"] == json.loads(WEIGHTS)
    assert shown["changes"][0]["reason"] == "try web"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "true", "0", '"x"', "null"])
def test_that_the_run_itself_rejects_what_does_not_fit(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "lr", f'{{"lr": {text}}}']) == 3

    said = _said(capsys)
    assert "rejected" in said
    assert "lr is" in said


def test_that_an_accepted_change_is_enough_without_wait(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "never", '{"a": 1}', "--json"]) == 0
    assert json.loads(_said(capsys))["state"] in ("received", "waiting")


def test_that_a_failing_handler_has_a_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "fails", "{}", "--wait"]) == 4
    assert "it does not work" in _said(capsys)


def test_that_a_change_that_waits_too_long_expires(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "never", "{}", "--wait", "--expires", "100ms"]) == 5
    assert "expired" in _said(capsys)


def test_that_a_superseded_change_has_a_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "never", "1", "--id", "first"]) == 0
    assert cli.main(["send", "steered", "never", "2", "--supersedes", "first"]) == 0
    assert cli.main(["send", "steered", "never", "1", "--id", "first", "--wait"]) == 7
    assert "superseded" in _said(capsys)


def test_that_an_id_is_taken_once(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert cli.main(["send", "steered", "set_mixture", WEIGHTS, "--id", "once", "--wait"]) == 0
    capsys.readouterr()
    cli.main(["show", "steered", "--json"])
    changes = json.loads(_said(capsys))["changes"]
    assert [change["id"] for change in changes].count("once") == 1


def test_that_waiting_ends_with_the_timeout(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "never", "{}", "--wait", "--timeout", "0.6"]) == 8
    assert "may take effect later" in _said(capsys)


def test_that_a_stale_revision_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "set_mixture", WEIGHTS, "--expect-revision", "99"]) == 3
    assert "99" in _said(capsys)


def test_that_a_control_that_is_not_there_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "nope", "{}"]) == 3
    assert "nope" in _said(capsys)


def test_that_a_process_that_is_not_there_is_unreachable(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "lr", '{"lr": 1}', "--process", "rank-9"]) in (9, 10)
    assert "rank-9" in _said(capsys)


def test_that_a_key_that_is_not_trusted_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path))

    assert cli.main(["send", "steered", "lr", '{"lr": 1}']) == 9
    assert "does not trust" in _said(capsys)


@pytest.mark.parametrize("text", ["{", "[1,", "nope", ""])
def test_that_text_that_is_no_json_is_a_mistake(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "lr", text]) == cli.MISTAKE
    assert capsys.readouterr().err.startswith("helmctl: this is no JSON")


@pytest.mark.parametrize("when", ["soon", "5 parsecs", "s"])
def test_that_an_odd_expiry_is_a_mistake(when: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "lr", "{}", "--expires", when]) == cli.MISTAKE


def test_that_a_run_that_is_over_is_unreachable(capsys: pytest.CaptureFixture[str]) -> None:
    run = helm_sdk.init("p", name="over")
    run.finish()
    assert find_run(None, "over").run_id == run.run_id

    assert cli.main(["send", "over", "lr", "{}"]) == 9
    assert "finished" in _said(capsys)


def test_that_watching_a_live_run_shows_its_points_and_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["watch", "steered", "--every", "0.1", "--timeout", "0.7"]) == 0
    lines = _said(capsys).splitlines()

    steps = [int(line.split()[1]) for line in lines if line.startswith("step")]
    assert len(steps) >= 2
    assert steps == sorted(steps)
    assert "loss 1" in lines[0]
