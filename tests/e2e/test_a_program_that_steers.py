"""What helm_sdk.client's own words promise a program: follow, send, approve, wait; its name; its limits."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helm_sdk.client import Point, RunClient, RunView, connect, new_command
from helm_sdk.client import __doc__ as client_words
from helm_sdk.keys import load_keys, trust
from helm_sdk.protocol.history import CommandRecord, Stage
from helpers.scripts import SCRIPTS, Script, helmctl, shown, start

SECONDS = 30.0
NONE = Point(-1, 0.0, 0.0, "", 0)


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    path = tmp_path / "gate"
    path.write_bytes(b"..")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def script(home: Path, tmp_path: Path, gate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A run of a user whose allow-list knows the program's key as "pilot"."""
    user, program = tmp_path / "user", tmp_path / "program"
    env = {"GATE": str(gate), "HELM_CONFIG_HOME": str(user)}
    trust("pilot", load_keys(program / "keys").public, user / "keys")
    running = start(SCRIPTS / "asked.py", home=home, env=env)
    monkeypatch.setenv("HELM_CONFIG_HOME", str(program))
    try:
        running.wait_for_line("the loop is ready")
        yield running
    finally:
        running.kill()


def until(client: RunClient, view: RunView, seen: Callable[[], Any]) -> None:
    """Poll until it is seen."""
    for _ in range(int(SECONDS / 0.1)):
        view.apply(*client.poll(0.1))
        if seen():
            return
    raise AssertionError("it was never seen")


def opened(gate: Path, steps: int = 1) -> None:
    """Let the loop run so many steps."""
    with gate.open("ab") as file:
        file.write(b"." * steps)


def lets_on(gate: Path) -> Callable[[CommandRecord, Stage], None]:
    """Lets the loop run a few steps once a request waits: what is told is a moment ahead of the queue."""

    def on_state(record: CommandRecord, stage: Stage) -> None:
        if stage.state == "waiting":
            opened(gate, 20)

    return on_state


def test_that_a_program_follows_sends_waits_and_approves_under_its_name(
    script: Script, home: Path, tmp_path: Path, gate: Path
) -> None:
    view = RunView("train/*")
    with connect("latest", home=home, via="autopilot") as client:
        until(client, view, lambda: (view.last("train/loss") or NONE).step == 1)
        assert view.step == 1
        assert [(point.step, point.value) for point in view.points("train/loss")] == [(0, 1.0), (1, 1.0)]
        assert view.points("train/loss") == []
        assert set(view.controls) == {"reload", "broken", "rate", "later"}
        assert view.streams["train/loss"].name == "train/loss"
        opened(gate)
        until(client, view, lambda: (view.last("train/loss") or NONE).step == 2)
        assert len(view.points("train/loss")) == 1

        command = new_command("rate", {"value": "0.10"}, reason="it is time")
        outcome = client.send_and_wait(command, SECONDS, lets_on(gate), on_update=view.apply)
        assert outcome.took_effect, outcome
        assert view.current("rate").value == {"value": "0.10"}
        assert view.current("rate").revision == 1
        wrong = client.send_and_wait(new_command("rate", {"value": -1}), SECONDS, on_update=view.apply)
        assert (wrong.state, wrong.took_effect) == ("rejected", False)
        assert "value is -1, it must be 0 or more" in wrong.message

        env = {"HELM_CONFIG_HOME": str(tmp_path / "user")}
        sent = helmctl("send", "latest", "reload", home=home, env=env)
        assert sent.returncode == 0, sent.stdout + sent.stderr
        until(client, view, view.awaiting)
        (waiting,) = view.awaiting()
        client.approve(waiting.id, reason="looks right")
        until(client, view, lambda: [own.state for own in view.requests("reload")] == ["waiting"])
        opened(gate, 20)
        until(client, view, lambda: [own.state for own in view.requests("reload")] == ["applied"])
        assert view.requests("reload")[0].approver == "pilot"
        assert view.requests("reload")[0].result == {"approver": "pilot"}

        broken = client.send_and_wait(new_command("later"), 0.5, on_update=view.apply)
        assert broken.state == "timeout"
        script.kill()
        until(client, view, lambda: client.over)
        assert [own.state for own in view.requests("later")] == ["failed"]
        assert view.requests("later")[0].message == "the run ended first"
    (rate, refused, _, _) = shown(home=home)["changes"]
    assert (rate["sender"], rate["via"], rate["reason"]) == ("pilot", "autopilot", "it is time")
    assert refused["state"] == "rejected"
    assert "pilot via autopilot" in helmctl("show", "latest", home=home).stdout


def test_that_the_policy_holds_a_program_to_its_limits_and_says_which(
    script: Script, home: Path, tmp_path: Path, gate: Path
) -> None:
    limit = {"control": "rate", "bounds": {"value": {"min": 0.1, "max": 1}}, "per_hour": 1}
    policy = tmp_path / "user" / "policy.json"
    policy.write_text(json.dumps({"programs": {"limits": [limit]}}))
    with connect("latest", home=home, via="autopilot", history=False) as client:

        def send(control: str, value: Any = None) -> str:
            outcome = client.send_and_wait(new_command(control, value), SECONDS, lets_on(gate))
            return outcome.message or outcome.state

        assert "rate" in send("rate", {"value": 5})
        assert send("rate", {"value": 0.5}) == "applied"
        assert send("rate", {"value": 0.6}) == "policy: programs may change rate 1 time an hour, and have"
        assert send("broken").startswith("policy: ")
    user = {"HELM_CONFIG_HOME": str(tmp_path / "user")}
    by_hand = helmctl("send", "latest", "rate", '{"value": 5}', home=home, env=user)
    assert by_hand.returncode == 0, by_hand.stdout + by_hand.stderr


FLAT = """
import time
import helm_sdk
from helm_sdk.models import Capability, number, field, record_schema
run = helm_sdk.init("p", name="flat")
done = []
control = Capability(name="lr", input_schema=record_schema(field("scale", number(0))), safe_points=("here",))
run.on("here", control, lambda value, context: done.append(context.reason))
step = 0
while not done:
    run.log({"train/loss": 3.0}, step=step)
    run.sync("here", step=step)
    time.sleep(0.02)
    step += 1
print("reason:", *done, flush=True)
run.finish()
"""


def test_that_the_example_in_the_words_of_the_client_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HELM_RUN_HOME", str(tmp_path))
    lines = [line for line in (client_words or "").splitlines() if not line or line.startswith("    ")]
    running = start(FLAT, home=tmp_path)
    try:
        running.wait_for_line("helm: run")
        exec(textwrap.dedent("\n".join(lines)), {})
        running.wait_for_line("reason: the loss is above 2")
        assert running.finish() == 0
    finally:
        running.kill()
    assert capsys.readouterr().out.startswith("applied")


def test_that_a_view_without_history_knows_what_there_is(script: Script, home: Path, gate: Path) -> None:
    first = RunView()
    with connect("latest", home=home, via="a") as client:
        assert client.send_and_wait(new_command("rate", {"value": 1}), SECONDS, lets_on(gate)).took_effect
        client.send(new_command("later"))
        until(client, first, lambda: first.requests("later"))
    view = RunView("train/loss")
    with connect("latest", home=home, via="b", history=False) as client:
        until(client, view, lambda: view.controls and view.requests("later"))
        assert "train/loss" in view.streams
        assert all(point.step > 1 for point in view.points("train/loss")), "history stays where it is"
        opened(gate)
        last = gate.stat().st_size - 1
        until(client, view, lambda: (view.last("train/loss") or NONE).step == last)
        assert view.points("train/loss")[-1].step == last
