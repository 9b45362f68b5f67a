"""The run itself enforces the policy, at receipt, by the file as it is now."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import helm_sdk
from helm_sdk.keys import Keys, load_keys, trust
from helm_sdk.models import Capability, record_schema
from helm_sdk.protocol import kinds
from helm_sdk.protocol.messages import Answer, ApproveCommand, Command, CommandState, SendCommand
from helm_sdk.record.layout import config_home
from helpers.raw_client import RawClient, state_of, wait_until

Start = Callable[..., helm_sdk.Run]


def write(policy: Any) -> None:
    """Make this the user's policy."""
    config_home().mkdir(parents=True, exist_ok=True)
    (config_home() / "policy.json").write_text(json.dumps(policy))


def steered(start: Start) -> helm_sdk.Run:
    """A run with one control, `rate`."""
    run = start("shared")
    schema = record_schema(kinds.field("value", kinds.number(0, 1)))
    run.on("after_step", Capability(name="rate", input_schema=schema), lambda value, context: None)
    return run


def sent(client: RawClient, value: float, via: str = "helmctl", command_id: str = "") -> CommandState:
    """How a command stands once it was received."""
    command = Command(id=command_id or f"{value}-{via}", capability="rate", input={"value": value})
    answer = client.ask(SendCommand(request=client.number(), process="rank-0", command=command, via=via))
    assert isinstance(answer, Answer), answer
    return state_of(answer.event)


def test_that_the_file_as_it_is_now_decides(start: Start) -> None:
    run = steered(start)
    with RawClient(run.run_id) as client:
        client.attach()
        assert sent(client, 0.1).state == "waiting"
        write({"controls": [{"control": "rate", "approval": "refused"}]})
        refused = sent(client, 0.2)
        assert refused.state == "rejected"
        assert refused.message == "policy: rate may not be changed (the rule for rate)"
        write({"controls": [{"control": "rate", "approval": "sender"}]})
        waits = sent(client, 0.3)
        assert waits.state == "awaiting approval"
        assert waits.message == "policy: somebody must approve rate (the rule for rate)"
        assert waits.approval == "sender"
        approve = ApproveCommand(request="1", process="rank-0", command_id="0.3-helmctl", approve=True)
        answer = client.ask(approve)
        assert isinstance(answer, Answer)
        assert (state_of(answer.event).state, state_of(answer.event).message) == ("waiting", "")
        write({"projects": {"shared": {"controls": [{"control": "*", "approval": "another key"}]}}})
        waits = sent(client, 0.4)
        assert waits.message.startswith("policy: another key must approve rate")
        assert waits.approval == "another key"
        assert "another key" in client.refused(
            ApproveCommand(request="2", process="rank-0", command_id="0.4-helmctl", approve=True)
        )


def test_that_programs_keep_their_limits_over_attempts(start: Start) -> None:
    bounds = {"value": {"max": 0.5}}
    write({"programs": {"limits": [{"control": "rate", "bounds": bounds, "per_hour": 2}]}})
    run = steered(start)
    with RawClient(run.run_id) as client:
        client.attach()
        assert sent(client, 0.9).state == "waiting"  # by hand
        assert sent(client, 0.9, "autopilot").message == (
            "policy: value is 0.9 (programs may set value at 0.5 or less of rate)"
        )
        assert sent(client, 0.1, "autopilot").state == "waiting"
    run.finish()
    again = start("shared", resume=run.run_id)
    schema = record_schema(kinds.field("value", kinds.number(0, 1)))
    again.on("after_step", Capability(name="rate", input_schema=schema), lambda value, context: None)
    with RawClient(again.run_id) as client:
        client.attach()
        assert sent(client, 0.2, "autopilot").state == "waiting"
        assert sent(client, 0.3, "autopilot").message == (
            "policy: programs may change rate 2 times an hour, and have"
        )


def test_that_a_programs_key_does_not_approve(start: Start, tmp_path: Path) -> None:
    write({"controls": [{"control": "rate", "approval": "another key"}], "programs": {"keys": ["bot"]}})
    other = load_keys(tmp_path / "other")
    trust("bot", other.public)
    run = steered(start)
    recorder = run._recording.recorder
    assert recorder is not None
    sockets = recorder.services.connection.sockets
    assert sockets is not None
    assert wait_until(lambda: sockets.allowed.name_of(other.public) == "bot")
    with (
        RawClient(run.run_id) as client,
        RawClient(run.run_id, keys=Keys(other.public, other.secret, other.folder)) as bot,
    ):
        client.attach()
        bot.attach()
        assert sent(client, 0.1, command_id="c").state == "awaiting approval"
        approve = ApproveCommand(request="1", process="rank-0", command_id="c", approve=True)
        assert "programs may not approve" in bot.refused(approve)
