"""The commands of a run, folded from events and closed by its end."""

from __future__ import annotations

from typing import Any

from helm_desktop.model.controls.command_log import CommandLog
from helm_sdk.protocol.messages import Capability, Event

LR = Capability(name="lr", starting=3.0)


def log(*told: tuple[str, str], process: str = "rank-0", **body: Any) -> CommandLog:
    """Commands that went through these states: (command, state)."""
    made = CommandLog()
    made.declare(LR, process)
    for number, (command, state) in enumerate(told, start=1):
        add(made, number, command, state, process, **body)
    return made


def add(
    made: CommandLog, number: int, command: str, state: str, process: str = "rank-0", **body: Any
) -> None:
    named = {"command_id": command, "capability": "lr", "state": state, **body}
    made.add(Event(id=number, kind="command", time=float(number), step=number, body=named), process, 1)


def test_that_commands_are_listed_newest_first() -> None:
    made = log(("a", "received"), ("a", "applied"), ("b", "received"), ("c", "awaiting approval"))
    assert [record.id for record in made.of("lr")] == ["c", "b", "a"]
    waiting = made.waiting("lr")
    assert waiting is not None
    assert waiting.id == "c"
    assert [record.id for record in made.awaiting_approval()] == ["c"]
    assert made.knows("a")
    assert not made.knows("d")


def test_that_an_event_that_is_known_changes_nothing() -> None:
    made = log(("a", "received"))
    event = Event(id=1, kind="command", time=1.0, body={"command_id": "a", "capability": "lr", "state": "x"})
    assert made.add(event, "rank-0", 1) is None
    assert made.add(Event(id=2, kind="note", time=1.0, body={}), "rank-0", 1) is None


def test_that_the_end_of_the_run_closes_what_was_open_and_a_next_attempt_opens_nothing() -> None:
    made = log(("a", "received"))
    made.set_ended(True)
    assert made.waiting("lr") is None
    assert [record.state for record in made.of("lr")] == ["failed"]
    made.set_ended(False)
    assert made.waiting("lr") is not None
    made.begin_attempt("rank-0", 2)
    assert made.waiting("lr") is None


def test_that_a_next_attempt_begins_with_the_starting_value() -> None:
    made = log(("a", "received"), ("a", "applied"), new=1.0)
    assert made.current(LR).value == 1.0
    made.begin_attempt("rank-0", 2)
    assert made.current(LR).value == 3.0


def test_that_the_inputs_before_a_change_are_those_that_were_applied() -> None:
    made = CommandLog()
    for number, (command, state, value) in enumerate(
        [("a", "applied", 1.0), ("b", "rejected", 2.0), ("c", "applied", 4.0)], start=1
    ):
        add(made, number, command, state, input=value)
    assert made.inputs_before(made.of("lr")[0]) == [1.0]
    assert made.inputs_before(made.of("lr")[1]) == []


def test_that_a_command_to_several_processes_is_asked_of_all_again() -> None:
    made = log(("a", "received"), input=5.0, reason="plateau")
    (record,) = made.of("lr")
    again = made.copy_of(record)
    assert (again.id, again.process, again.input, again.reason) == ("", "rank-0", 5.0, "plateau")
    add(made, 1, "a", "received", "rank-1", input=5.0)
    assert made.copy_of(record).process == "all"
