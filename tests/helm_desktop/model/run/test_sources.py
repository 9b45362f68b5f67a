"""The sources of a run made by hand: every cell against what was put in."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.source_columns import CONTROLS, PROCESSES, STREAMS, SourceColumn
from helm_desktop.model.run.sources import Sources, spacing_of
from helm_desktop.model.run.updates import AboutUpdate, LossUpdate, StatusUpdate
from helm_sdk.protocol.messages import Heartbeat
from helm_sdk.protocol.peer import RunState
from helpers.sources import EVERY_TEN, START, about, by_hand, logged, lost_points
from helpers.updates import heartbeat_update


@pytest.fixture
def session(qapp: object) -> Session:
    """A session of nothing yet."""
    return Session("folder")


def told(columns: Sequence[SourceColumn[Any]], rows: Sequence[Any], *titles: str) -> list[tuple[str, ...]]:
    """What these columns say of each row."""
    shown = [column for column in columns if column.title in titles]
    return [tuple(column.text(row) for column in shown) for row in rows]


def tips(columns: Sequence[SourceColumn[Any]], row: Any, title: str) -> str:
    """What a cell says under the mouse."""
    return next(column.tip(row) for column in columns if column.title == title)


def test_that_each_stream_says_who_writes_it_and_how_often(session: Session) -> None:
    session.apply(by_hand())
    rows = Sources(session).streams
    assert told(STREAMS, rows, "Name", "Written by", "Spacing", "Points") == [
        ("train/loss", "rank-0", "every step", "101"),
        ("train/loss", "rank-1", "every 5 steps", "20"),
        (EVERY_TEN, "rank-0", "every 10 steps", "11"),
        ("eval/score", "rank-0", "one step so far", "1"),
        ("eval/later", "rank-0", "no points yet", "0"),
    ]
    assert [row.last_step for row in rows] == [100, 95, 100, 50, None]


def test_that_the_last_write_is_a_step_and_its_age_by_the_run_s_own_clock(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session.progress, "_clock", lambda: 0.0)  # it stands at the last sign of life
    session.apply(by_hand())
    assert told(STREAMS, Sources(session).streams, "Last write") == [
        ("step 100, 4 s ago",),
        ("step 95, 4 s ago",),
        ("step 100, 4 s ago",),
        ("step 50, 9 s ago",),
        ("not yet",),
    ]


def test_that_an_ended_run_s_last_write_ages_by_the_reader_s_clock(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.apply([*by_hand(), StatusUpdate(RunState.FINISHED, "finished", 0, START + 15.0)])
    monkeypatch.setattr(time, "time", lambda: START + 10.0 + 7200.0)
    assert told(STREAMS, Sources(session).streams[:1], "Last write") == [("step 100, 2 h ago",)]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([0, 1, 2, 3], "every step"),
        ([0, 10, 20, 30], "every 10 steps"),
        ([0, 10], "about every 10 steps"),  # of one difference nobody knows
        ([0, 1000, 2000], "every 1,000 steps"),
        ([0, 10, 20, 31, 41], "about every 10 steps"),
        ([0, 2, 5], "about every 2.5 steps"),
        ([0, 1, 2, 3, 10, 11], "about every step"),
        ([30, 20, 10, 0], "every 10 steps"),
        ([7] * 40 + [17] * 40 + [27] * 40, "every 10 steps"),
        ([*range(500), *range(510, 1200, 10)], "every 10 steps"),  # it changed: what holds now
    ],
)
def test_that_spacing_is_the_usual_difference_of_the_last_distinct_steps(
    session: Session, steps: list[int], words: str
) -> None:
    session.apply([logged("a", steps)])
    spacing = spacing_of(session.store.series["a"].segment("rank-0", 1))
    assert spacing is not None
    assert spacing.text == words


def test_that_a_new_attempt_goes_on_in_the_same_row(session: Session) -> None:
    session.apply(by_hand())
    sources = Sources(session)
    session.apply([logged("train/loss", range(90, 301, 10), attempt=2)])
    sources.refresh()
    assert told(STREAMS, sources.streams[:2], "Name", "Written by", "Spacing", "Points") == [
        ("train/loss", "rank-0", "every 10 steps", "123"),
        ("train/loss", "rank-1", "every 5 steps", "20"),
    ]


def test_that_spacing_follows_what_is_logged(session: Session) -> None:
    session.apply([logged("a", [0])])
    sources = Sources(session)
    (row,) = sources.streams
    assert told(STREAMS, [row], "Spacing") == [("one step so far",)]
    session.apply([logged("a", [4, 8, 12])])
    sources.refresh()
    assert sources.streams[0] is row
    assert told(STREAMS, [row], "Spacing", "Points") == [("every 4 steps", "4")]


def test_that_nothing_is_said_to_be_lost_only_where_that_is_known(session: Session) -> None:
    session.apply(by_hand()[:-1])  # its history is still being read
    sources = Sources(session)
    assert told(STREAMS, sources.streams[:1], "Lost", "Repaired") == [("not known", "not known")]
    session.apply(by_hand()[-1:])
    sources.refresh()
    assert told(STREAMS, sources.streams[:1], "Lost", "Repaired") == [("0", "0")]
    assert tips(STREAMS, sources.streams[0], "Lost") == "rank-0 lost no point"


def test_that_points_a_process_lost_bound_what_each_of_its_streams_lost(session: Session) -> None:
    session.apply([*by_hand(), lost_points(40), lost_points(2)])
    rows = Sources(session).streams
    assert told(STREAMS, rows[:2], "Written by", "Lost") == [("rank-0", "up to 42"), ("rank-1", "0")]
    assert "Their streams are not recorded" in tips(STREAMS, rows[0], "Lost")
    beat = Heartbeat(process="rank-1", attempt=1, last_seq=9, time=START + 15.0, lost_points=7)
    session.apply([heartbeat_update(beat)])
    sources = Sources(session)
    assert told(PROCESSES, sources.processes, "Points lost") == [("42",), ("7",)]


def test_that_batches_missed_on_the_way_are_told_of_the_process_that_sent_them(session: Session) -> None:
    each = {"rank-0": (5, 3), "rank-1": (2, 2)}
    session.apply([*by_hand(), LossUpdate(7, 5, 0, each)])
    sources = Sources(session)
    assert told(PROCESSES, sources.processes, "Name", "Batches lost", "Repaired") == [
        ("rank-0", "5", "3"),
        ("rank-1", "2", "2"),
    ]
    assert told(STREAMS, sources.streams[:2], "Repaired") == [("3 of 5 batches",), ("2 batches",)]
    tip = tips(STREAMS, sources.streams[0], "Repaired")
    assert tip == "5 batches of rank-0 did not come live, 3 fetched again"
    session.apply([LossUpdate(7, 5)])  # of which processes they were is not told
    sources.refresh()
    assert told(PROCESSES, sources.processes, "Batches lost") == [("not known",), ("not known",)]


def test_that_controls_say_who_declared_them_and_why_one_cannot_be_used(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session.progress, "_clock", lambda: 0.0)
    session.apply(by_hand())
    titles = [column.title for column in CONTROLS]
    sources = Sources(session)
    assert told(CONTROLS, sources.controls, *titles) == [
        ("lr", "trainer", "rank-0", "trainer.step", "yes", "step 90, 5 s ago: 0.25"),
        ("set_mixture", "script", "rank-0", "after_step", "no: no loader is attached", "none"),
    ]
    session.apply([StatusUpdate(RunState.FINISHED, "finished", 0, START + 15.0)])
    sources.refresh()
    assert told(CONTROLS, sources.controls, "Available") == [("no: the run has ended",)] * 2


def test_that_processes_say_how_they_stand_and_how_they_are_reached(session: Session) -> None:
    session.apply(by_hand())
    rows = Sources(session).processes
    assert told(PROCESSES, rows, "Name", "Role", "Host", "Pid", "Attempt", "State", "Link") == [
        ("rank-0", "trainer", "box", "70", "1", "live", "attached"),
        ("rank-1", "trainer", "box", "71", "1", "quiet", "not known"),
    ]
    assert rows[0].joined == START


def test_that_what_is_not_known_says_so(session: Session) -> None:
    facts = about(rank_0="")
    session.apply([AboutUpdate(facts.record, "n", "f", facts.processes)])
    row = Sources(session).processes
    assert told(PROCESSES, row, "State", "Link", "Points lost", "Batches lost") == [("not known",) * 4]


def test_that_there_is_nothing_without_a_run() -> None:
    sources = Sources()
    sources.refresh()
    assert not [*sources.streams, *sources.controls, *sources.processes]
