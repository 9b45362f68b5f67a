"""What became of each command, folded from events in whatever order they come."""

from __future__ import annotations

import random
from typing import Any

from helm_sdk.protocol.history import CommandHistory
from helm_sdk.protocol.messages import Capability, Event


def _event(number: int, state: str, command: str = "c1", *, step: int | None = None, **body: Any) -> Event:
    filled = {"command_id": command, "capability": "lr", "state": state, **body}
    return Event(id=number, kind="command", time=100.0 + number, step=step, body=filled)


LIFE = [
    _event(1, "received", input={"lr": "1e-3"}, reason="try", sender="ada"),
    _event(2, "waiting", safe_point="trainer.step"),
    _event(3, "applied", step=7, old=0.003, new="1e-3", result={"lr": 0.001}, revision=1),
    _event(4, "confirmed", step=8, ran_at=0.001),
]


def _folded(events: list[Event], process: str = "rank-0", attempt: int = 1) -> CommandHistory:
    history = CommandHistory()
    for event in events:
        history.add(event, process, attempt)
    return history


def test_that_a_command_keeps_each_state_it_went_through() -> None:
    record = _folded(LIFE).by_id("c1")

    assert record is not None
    assert [stage.state for stage in record.track] == ["received", "waiting", "applied", "confirmed"]
    assert [stage.time for stage in record.track] == [101.0, 102.0, 103.0, 104.0]
    assert (record.state, record.step, record.value, record.result) == ("confirmed", 7, "1e-3", {"lr": 0.001})
    assert (record.sender, record.reason, record.safe_point) == ("ada", "try", "trainer.step")


def test_that_repeated_and_shuffled_events_give_the_same_history() -> None:
    events = [*LIFE, *LIFE]
    random.Random(1).shuffle(events)

    record = _folded(events).by_id("c1")

    assert record is not None
    assert [stage.event_id for stage in record.track] == [1, 2, 3, 4]


def test_that_a_known_event_changes_nothing() -> None:
    history = _folded(LIFE)

    assert history.add(LIFE[0], "rank-0", 1) is None
    assert history.add(Event(id=9, kind="note", time=0.0), "rank-0", 1) is None


def test_that_a_control_starts_with_what_it_declares() -> None:
    history = CommandHistory()
    history.declare(Capability(name="lr", starting={"lr": 0.1}))

    assert history.current("lr").value == {"lr": 0.1}
    assert history.current(Capability(name="dropout", starting={"p": 0.2})).value == {"p": 0.2}
    assert history.current("lr").revision == 0


def test_that_the_last_applied_change_is_the_current_value() -> None:
    later = [
        _event(5, "received", "c2", input={"lr": 2}),
        _event(6, "applied", "c2", new=2, revision=2),
        _event(7, "rejected", "c3", message="lr is true, it must be a number"),
    ]
    history = _folded([*LIFE, *later])

    current = history.current("lr")

    assert (current.value, current.revision) == (2, 2)
    assert current.change is history.by_id("c2")
    assert [record.id for record in history.of("lr")] == ["c1", "c2", "c3"]
    assert history.by_id("c3", "rank-1") is None


def test_that_a_new_attempt_forgets_the_values_of_the_one_before() -> None:
    history = _folded(LIFE)
    history.declare(Capability(name="lr", starting="start"), "rank-0")
    history.begin("rank-0", 2)

    assert history.current("lr").value == "start"
    assert history.current("lr", "rank-0").value == "start"


def test_that_an_open_command_fails_when_its_run_has_ended() -> None:
    history = _folded(LIFE[:2])

    assert [record.id for record in history.open()] == ["c1"]
    record = history.ended().by_id("c1")

    assert record is not None
    assert (record.state, record.message) == ("failed", "the run ended first")
    assert history.ended().open() == []
    assert [record.id for record in history.open()] == ["c1"]


def test_that_an_open_command_of_an_older_attempt_has_failed() -> None:
    history = _folded(LIFE[:2])
    history.begin("rank-0", 2)
    history.add(_event(1, "received", "c2"), "rank-0", 2)

    assert [record.id for record in history.ended(run_ended=False).open()] == ["c2"]


def test_that_a_command_to_all_has_a_track_in_each_process() -> None:
    history = CommandHistory()
    for process in ("rank-0", "rank-1"):
        history.add(_event(1, "received"), process, 1)
    history.add(_event(2, "applied", new=1), "rank-1", 1)

    assert [(record.process, record.state) for record in history.each("c1")] == [
        ("rank-0", "received"),
        ("rank-1", "applied"),
    ]
    assert history.current("lr").revision == 1


def test_that_an_event_without_sense_is_counted_and_skipped() -> None:
    history = CommandHistory()

    assert history.add(Event(id=1, kind="command", time=0.0, body={"state": 3}), "rank-0", 1) is None
    assert history.unreadable == 1
