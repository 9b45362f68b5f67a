"""One run that is open: updates in, facts out."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.status_texts import strip_texts
from helm_desktop.model.run.updates import AboutUpdate, CaughtUpUpdate, LossUpdate, ProcessFacts, StatusUpdate
from helm_sdk.protocol.messages import (
    Batch,
    Catalogue,
    Event,
    Finished,
    Heartbeat,
    PointGroup,
    RunRecord,
    StreamDef,
)
from helm_sdk.protocol.peer import RunState
from helm_sdk.protocol.updates import BatchUpdate, LinkUpdate
from helpers.updates import batch_update, finished_update, heartbeat_update

STREAMS = (StreamDef(id=1, name="train/loss"), StreamDef(id=2, name="tokens", kind="axis"))


@pytest.fixture
def session(qapp: object) -> Session:
    """A session of nothing yet."""
    return Session("folder")


def points(
    seq: int, steps: list[int], values: list[float], streams: tuple[StreamDef, ...] = ()
) -> BatchUpdate:
    """Points of stream 1; step s happens at second 1000 + s / 10."""
    n = len(steps)
    group = PointGroup(
        streams=(1,),
        steps=struct.pack(f"<{n}q", *steps),
        times=struct.pack(f"<{n}d", *[1000 + step / 10 for step in steps]),
        values=struct.pack(f"<{n}d", *values),
    )
    return batch_update(Batch(process="rank-0", attempt=1, seq=seq, streams=streams, groups=(group,)))


def happened(kind: str, step: int, event_id: int = 1, **body: Any) -> BatchUpdate:
    """An event."""
    event = Event(id=event_id, kind=kind, time=1000 + step / 10, step=step, body=body)
    return batch_update(Batch(process="rank-0", attempt=1, seq=event_id + 100, events=(event,)))


def catalogue(kind: str, body: Any) -> BatchUpdate:
    """A catalogue."""
    entry = Catalogue(kind=kind, revision=1, body=body)
    return batch_update(Batch(process="rank-0", attempt=1, seq=500, catalogues=(entry,)))


def about(*, hosts: tuple[str, ...] = ("box",)) -> AboutUpdate:
    """Who the run is."""
    record = RunRecord(run_id="id", project="quickstart", name="first", created=1000.0)
    facts = tuple(
        ProcessFacts(f"rank-{number}", "trainer", 1, host, 7, 990.0, 1000.0)
        for number, host in enumerate(hosts)
    )
    return AboutUpdate(record, "renamed", "folder", facts)


def test_that_a_batch_of_news_is_told_of_once(session: Session) -> None:
    told: list[str] = []
    session.points_arrived.connect(lambda: told.append("points"))
    session.streams_changed.connect(lambda: told.append("streams"))
    session.apply([points(1, [0, 1], [3.0, 2.0], STREAMS), points(2, [2], [1.0]), points(3, [3], [0.5])])
    assert told == ["streams", "points"]
    assert session.store.series["train/loss"].count == 4
    assert session.streams.names == ["train/loss"]


def test_that_changes_and_checkpoints_are_marked_and_listed(session: Session) -> None:
    session.apply(
        [
            happened("joined", 0, 1, role="trainer"),
            happened("checkpoint", 90, 2, bytes=21_000),
            happened(
                "command",
                140,
                3,
                command_id="c",
                capability="set_mixture",
                state="applied",
                input={"weights": {"weights": {"web": "0.4", "code": "0.6"}}},
            ),
        ]
    )
    assert [(mark.kind, mark.step) for mark in session.marks.all()] == [("checkpoint", 90), ("change", 140)]
    assert [row.text for row in session.activity.entries()] == [
        "set_mixture applied: web 40%, code 60%",
        "checkpoint saved, 21 KB",
        "rank-0 joined as trainer",
    ]


def test_that_a_command_is_one_line_that_follows_its_state(session: Session) -> None:
    for number, state in enumerate(["received", "waiting", "applied"], start=1):
        session.apply(
            [happened("command", 10 + number, number, command_id="c", capability="lr", state=state, new=0.5)]
        )
    assert [row.text for row in session.activity.entries()] == ["lr applied: 0.5"]
    session.apply([happened("command", 11, 1, command_id="c", capability="lr", state="received")])
    assert [row.text for row in session.activity.entries()] == ["lr applied: 0.5"]


def test_that_a_run_that_ended_is_not_called_live_while_its_history_is_read(session: Session) -> None:
    session.apply([about(), catalogue("plan", {"step": 6_000})])
    session.apply([points(1, [1_211], [1.0], STREAMS)])
    words = strip_texts(session, RunState.KILLED)
    assert (words.state, words.status, words.left) == ("killed", "killed · quickstart", "")
    assert words.step == "1,211 of 6,000"
    assert strip_texts(session, RunState.LIVE).state == "live"
    session.apply([CaughtUpUpdate(), StatusUpdate(RunState.KILLED, ended=9.0)])
    assert strip_texts(session, RunState.FINISHED).status == "killed at step 1,211 · quickstart"


def test_that_the_strip_says_how_a_live_run_stands(session: Session) -> None:
    session.apply([about(hosts=("box", "box", "other")), catalogue("plan", {"step": 600})])
    session.apply([points(1, list(range(213)), [1.0] * 213, STREAMS), happened("checkpoint", 188)])
    words = strip_texts(session)
    assert words.name == "renamed"
    assert words.status == "live · quickstart"
    assert words.step == "212 of 600"
    assert words.left == "39 s"
    assert words.processes == "3 on 2 machines"
    assert words.checkpoint.startswith("step 188, 2 s ago")
    assert words.running == "0:21"
    assert words.throughput == ""


def test_that_the_clock_of_an_ended_run_stands_still(session: Session, qtbot: QtBot) -> None:
    session.apply([about(), points(1, [0, 37], [1.0, 2.0], STREAMS)])
    session.apply([StatusUpdate(RunState.KILLED, "killed at step 37")])
    words = strip_texts(session)
    assert words.status == "killed at step 37 · quickstart"
    assert words.left == ""
    qtbot.wait(1100)
    assert strip_texts(session).running == words.running == "0:03"


def test_that_a_finished_process_ends_at_its_own_time(session: Session) -> None:
    session.apply([about(), points(1, [0], [1.0], STREAMS)])
    session.apply([finished_update(Finished(process="rank-0", attempt=1, last_seq=1, time=1060.0))])
    session.apply([StatusUpdate(RunState.FINISHED, "finished", None, 1060.0)])
    assert strip_texts(session).running == "1:00"


def test_that_a_paused_run_and_a_long_evaluation_are_said(session: Session) -> None:
    beat = Heartbeat(process="rank-0", attempt=1, last_seq=1, time=1001.0, step=5, paused=True)
    session.apply([about(), heartbeat_update(beat)])
    assert strip_texts(session).status == "paused · quickstart"
    beat = Heartbeat(process="rank-0", attempt=1, last_seq=1, time=1002.0, step=5, doing="eval")
    session.apply([heartbeat_update(beat)])
    assert strip_texts(session).status == "live, eval running · quickstart"


def said(session: Session) -> list[str]:
    """The warnings in the strip."""
    return [warning.text for warning in strip_texts(session).warnings]


def test_that_trouble_with_the_connection_is_a_warning(session: Session) -> None:
    session.apply([about(), LinkUpdate("rank-0", "key refused", "the run does not trust this key")])
    assert said(session) == ["the run does not trust this key"]
    session.apply([LinkUpdate("rank-0", "attached"), LossUpdate(3, 3)])
    assert said(session) == ["3 batches did not come live, 3 fetched again"]
    beat = Heartbeat(process="rank-0", attempt=1, last_seq=1, time=1001.0, lost_points=12)
    session.apply([heartbeat_update(beat)])
    assert said(session)[0] == "12 points lost: the run's disk was full or too slow"


def test_that_the_planned_rate_belongs_to_its_chart(session: Session) -> None:
    curve = {"stream": "optim/lr/group0", "steps": [0, 600], "values": [3e-3, 0.0]}
    session.apply([catalogue("plan", {"step": 600, "curves": [curve]})])
    planned = session.plan.curve("optim/lr/group0")
    assert planned is not None
    assert planned.steps == (0, 600)
    assert session.plan.curve("train/loss") is None


def test_that_a_catalogue_that_cannot_be_read_is_told_and_stops_nothing(session: Session) -> None:
    session.apply([catalogue("plan", {"step": "many"}), points(1, [0], [1.0], STREAMS)])
    assert session.store.series["train/loss"].count == 1
    (line,) = session.activity.entries()
    assert line.bad
    assert "plan" in line.text


@pytest.mark.parametrize("what", ["nonfinite", "skipped"])
def test_that_a_step_that_went_wrong_is_marked_as_a_rule_is(session: Session, what: str) -> None:
    session.apply([happened("warning", 7, what=what, message="the loss is nan")])
    assert [(mark.kind, mark.step, mark.text) for mark in session.marks.all()] == [
        ("rule", 7, "the loss is nan")
    ]
    (line,) = session.activity.entries()
    assert (line.kind, line.bad) == ("rule", True)


def test_that_a_plan_in_tokens_ends_where_its_rates_do(session: Session) -> None:
    curve = {"stream": "optim/lr/group0", "steps": [0, 199], "values": [1.0, 0.0]}
    plan = Catalogue(kind="plan", revision=1, body={"tokens": 10_000, "made_at": 0, "curves": [curve]})
    session.apply([batch_update(Batch(process="rank-0", attempt=1, seq=1, catalogues=(plan,)))])
    assert session.progress.plan_step == 200
