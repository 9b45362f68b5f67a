"""helmctl approve, cancel and policy on a real run."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import helm_sdk
from helm_sdk import cli
from helm_sdk.keys import own_name
from helm_sdk.record.layout import config_home
from helpers.raw_client import RawClient, wait_until


def write(policy: Any) -> None:
    """Make this the user's policy."""
    config_home().mkdir(parents=True, exist_ok=True)
    (config_home() / "policy.json").write_text(json.dumps(policy))


@pytest.fixture
def run() -> Iterator[helm_sdk.Run]:
    """A run whose loop comes by as long as the test lasts."""
    write({"controls": [{"control": "set_knob", "approval": "sender"}]})
    with helm_sdk.init("p", name="steered") as run:
        run.tunable("knob", 1.0, minimum=0.0, maximum=2.0)
        run.tunable("stuck", 1.0, minimum=0.0, maximum=2.0, safe_point="never")
        over = threading.Event()

        def loop() -> None:
            while not over.wait(0.01):
                run.sync("step", step=1)

        thread = threading.Thread(target=loop)
        thread.start()
        yield run
        over.set()
        thread.join()


def state(run: helm_sdk.Run, command_id: str) -> str:
    with RawClient(run.run_id) as client:
        client.attach()
        known = client.send("set_knob", {"value": 0.0}, id=command_id)[1]
    return str(known.body["state"])


def test_that_what_waits_is_listed_approved_and_refused(
    run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for command_id, value in (("aaa-1", 1.5), ("aab-2", 0.5)):
        words = ["send", "steered", "set_knob", json.dumps({"value": value}), "--id", command_id]
        assert cli.main([*words, "--reason", "try"]) == 0
    capsys.readouterr()
    assert cli.main(["approve", "steered"]) == 0
    listed = capsys.readouterr().out
    assert "aaa-1" in listed
    assert "try" in listed
    assert cli.main(["approve", "steered", "aa"]) == cli.MISTAKE
    assert "beginning of 2 commands" in capsys.readouterr().err
    assert cli.main(["approve", "steered", "aaa"]) == 0
    assert "waiting" in capsys.readouterr().out
    assert wait_until(lambda: state(run, "aaa-1") == "applied")
    assert cli.main(["approve", "steered", "aab", "--refuse", "--reason", "too low"]) == 0
    assert f"rejected: refused by {own_name()}: too low" in capsys.readouterr().out
    assert cli.main(["approve", "steered", "aab-2"]) == 10
    assert "does not await approval, it is rejected" in capsys.readouterr().out
    assert cli.main(["approve", "steered", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_that_a_change_is_withdrawn(run: helm_sdk.Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["send", "steered", "set_stuck", '{"value": 0.5}', "--id", "later"]) == 0
    assert cli.main(["cancel", "steered", "lat", "--reason", "no"]) == 0
    assert f"cancelled by {own_name()}: no" in capsys.readouterr().out
    assert cli.main(["cancel", "steered", "later"]) == 10


def test_that_a_finished_run_takes_no_decision(capsys: pytest.CaptureFixture[str]) -> None:
    helm_sdk.init("p", name="over").finish()
    assert cli.main(["approve", "over", "x"]) == 9
    assert "finished" in capsys.readouterr().out


def test_that_a_policy_is_shown_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policy", "show"]) == 0
    assert "there is no policy" in capsys.readouterr().out
    write({"controls": [{"control": "lr", "approval": "refused"}]})
    assert cli.main(["policy", "show"]) == 0
    assert "lr is changed never" in capsys.readouterr().out
    assert cli.main(["policy", "check"]) == 0
    assert cli.main(["policy", "check", "--control", "lr"]) == 3
    assert "may not be changed" in capsys.readouterr().out
    assert cli.main(["policy", "check", "--control", "wd", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["approval"] == "none"
    write({"control": []})
    assert cli.main(["policy", "check"]) == cli.MISTAKE
    assert "is no policy" in capsys.readouterr().err
