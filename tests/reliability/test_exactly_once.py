"""A command takes effect once or not at all, whatever happens to the run between its states."""

from __future__ import annotations

import json
import subprocess
import uuid
from pathlib import Path

from helm_sdk.client import RunClient
from helm_sdk.keys import load_keys
from helm_sdk.protocol.messages import Command
from helm_sdk.record.run import RunFolder
from helpers.fleet import tell
from helpers.scripts import helmctl, shown
from reliability import strangers


def send(
    home: Path, control: str, value: object, command_id: str, *more: str
) -> subprocess.CompletedProcess[str]:
    """Send with an id of one's own."""
    return helmctl(
        "send", "latest", control, json.dumps(value), "--id", command_id, *more, "--timeout", "20", home=home
    )


def states_of(run: RunFolder, command_id: str) -> list[tuple[int, str]]:
    """(attempt, state) of every event of a command on disk."""
    found = []
    for reader in run.readers():
        with reader:
            found += [
                (reader.record.attempt, event.body["state"])
                for event in reader.events("command")
                if event.body["command_id"] == command_id
            ]
    return found


def test_that_a_command_sent_twice_is_applied_once(home: Path) -> None:
    command = Command(id=str(uuid.uuid4()), capability="set_rate", input={"value": 0.75})
    with strangers.steered(home) as (_, run), RunClient(run, keys=load_keys()) as client:
        outcomes = [client.send_and_wait(command, 20.0) for _ in range(2)]

    assert [outcome.state for outcome in outcomes] == ["applied", "applied"]
    assert states_of(run, command.id) == [(1, "received"), (1, "waiting"), (1, "applied")]


def test_that_what_was_received_is_on_disk_when_the_run_is_killed_and_never_replayed(home: Path) -> None:
    command_id = str(uuid.uuid4())
    with strangers.steered(home) as (script, run):
        sent = send(home, "hold", {"any": "thing"}, command_id)
        script.kill()  # the moment that it was acknowledged
        assert sent.returncode == 0, sent.stdout + sent.stderr
    recorded = states_of(run, command_id)
    assert recorded[0] == (1, "received")
    assert not {"applied", "failed"} & {state for _, state in recorded}
    assert "the run ended first" in _told_by_the_shell(home, command_id)

    with strangers.steered(home, run.run_id) as (script, _):
        again = send(home, "hold", {"any": "thing"}, command_id, "--wait")
        tell(script, "serve")  # its safe point comes by: nothing is waiting there
        assert script.finish() == 0

    assert again.returncode == 4, again.stdout + again.stderr
    assert "the run ended first" in again.stdout + again.stderr
    assert not [line for line in script.lines if line.startswith("handler")]
    assert states_of(run, command_id) == recorded
    assert "the run ended first" in _told_by_the_shell(home, command_id)


def test_that_a_command_applied_before_a_resume_is_answered_and_not_run_again(home: Path) -> None:
    command_id = str(uuid.uuid4())
    with strangers.steered(home) as (script, run):
        first = send(home, "set_rate", {"value": 0.5}, command_id, "--wait")
        assert first.returncode == 0, first.stdout + first.stderr
        script.kill()
    recorded = states_of(run, command_id)
    assert recorded == [(1, "received"), (1, "waiting"), (1, "applied")]

    with strangers.steered(home, run.run_id) as (script, again):
        second = send(home, "set_rate", {"value": 0.5}, command_id, "--wait")
        tell(script, "end")
        assert script.finish() == 0
    with again.readers()[-1] as reader:
        rates = {value for _, value, _ in reader.points("rate")}

    assert second.returncode == 0, second.stdout + second.stderr
    assert "applied" in second.stdout
    assert rates == {1.0}  # the script's own start: nothing is replayed on resume
    assert states_of(run, command_id) == recorded


def _told_by_the_shell(home: Path, command_id: str) -> str:
    """What `helmctl show` says of a command."""
    told = json.dumps(shown(home=home))
    assert command_id in told
    return told
