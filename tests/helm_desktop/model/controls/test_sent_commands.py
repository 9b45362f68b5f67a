"""Commands on their way to the run."""

from __future__ import annotations

from helm_desktop.model.controls.sent_commands import SentCommand, SentCommands
from helm_sdk.protocol.messages import Command


def command(command_id: str, name: str = "lr") -> Command:
    return Command(id=command_id, capability=name, input=1.0)


def test_that_the_last_command_to_a_control_is_on_its_way_until_it_is_recorded() -> None:
    sent = SentCommands()
    assert sent.of("lr") is None
    sent.add(command("a"))
    sent.add(command("b"))
    assert sent.of("lr") == SentCommand(command("b"))
    sent.remove("lr")
    sent.remove("lr")
    assert sent.of("lr") is None


def test_that_a_refusal_finds_its_control_and_holds_until_the_next_command() -> None:
    sent = SentCommands()
    sent.add(command("a"))
    sent.add(command("b", "wd"))
    assert sent.refuse("b", "the run does not live") == "wd"
    assert sent.refuse("x", "somebody else's") == ""
    found = sent.of("wd")
    assert found is not None
    assert found.refused == "the run does not live"
    assert sent.of("lr") == SentCommand(command("a"))
    sent.add(command("c", "wd"))
    assert sent.of("wd") == SentCommand(command("c", "wd"))
