"""What the strip warns of, in words and in order."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from math import inf, nan

import pytest
from PySide6.QtCore import QObject

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.updates import DiskSpaceUpdate, LossUpdate, StatusUpdate
from helm_desktop.model.run.warnings import RunWarning, warnings_of
from helm_sdk.protocol.messages import Batch, Event, Heartbeat, PointGroup, StreamDef
from helm_sdk.protocol.peer import RunState
from helm_sdk.protocol.updates import BatchUpdate, LinkUpdate
from helpers.rule_batches import batch
from helpers.updates import batch_update, heartbeat_update


@pytest.fixture
def session(qapp: QObject) -> Session:
    """A run of which nothing is known yet."""
    return Session("folder")


def texts(session: Session) -> list[str]:
    """The sentences, in order."""
    return [warning.text for warning in warnings_of(session)]


def row(step: int, values: Mapping[str, float]) -> BatchUpdate:
    """One row of several streams, in one group."""
    count = len(values)
    group = PointGroup(
        streams=tuple(range(count)),
        steps=struct.pack("<q", step),
        times=struct.pack("<d", float(step)),
        values=struct.pack(f"<{count}d", *values.values()),
    )
    streams = tuple(StreamDef(id=at, name=name) for at, name in enumerate(values))
    return batch_update(Batch(process="rank-0", attempt=1, seq=step + 1, streams=streams, groups=(group,)))


def test_that_a_run_that_is_well_has_none(session: Session) -> None:
    session.apply([batch(0, [1.0, 2.0])])
    assert warnings_of(session) == ()


def test_that_a_metric_that_is_not_finite_is_said_with_since_when(session: Session) -> None:
    session.apply([batch(0, [1.0, nan, 2.0, nan])])
    assert warnings_of(session) == (RunWarning("train/loss is nan since step 3", "bad", "train/loss", 3),)
    session.apply([batch(4, [nan, inf])])
    assert texts(session) == ["train/loss is inf since step 3"]
    session.apply([batch(6, [1.0])])
    words = "4 points of train/loss are not finite, the last at step 5"
    assert warnings_of(session) == (RunWarning(words, "warn", "train/loss", 5),)
    session.apply([batch(7, [1.0, nan])])
    assert texts(session) == ["train/loss is nan since step 8"]


def test_that_one_point_is_told_as_one(session: Session) -> None:
    session.apply([batch(0, [nan, 1.0])])
    assert texts(session) == ["1 point of train/loss is not finite, the last at step 0"]


def test_that_of_many_metrics_losses_come_first_and_the_rest_is_counted(session: Session) -> None:
    session.apply([row(7, {f"grad/{at}": nan for at in range(10)} | {"train/loss": nan, "acc": 1.0})])
    assert texts(session) == [
        "train/loss is nan since step 7",
        "grad/0 is nan since step 7",
        "grad/1 is nan since step 7",
        "8 more metrics are not finite",
    ]


def test_that_what_is_lost_is_said_of_runs_that_live_and_that_have_ended(session: Session) -> None:
    beat = Heartbeat(process="rank-0", attempt=1, last_seq=1, time=1.0, lost_points=12)
    session.apply([heartbeat_update(beat)])
    words = "points lost: the run's disk was full or too slow"
    assert texts(session) == [f"12 {words}"]
    lost = [
        Event(id=at, kind="warning", time=1.0, body={"what": "lost points", "count": 1000}) for at in (1, 2)
    ]
    ended = Batch(process="rank-0", attempt=1, seq=2, events=tuple(lost))
    session.apply([batch_update(ended), StatusUpdate(RunState.FINISHED, "finished")])
    assert texts(session) == [f"2,000 {words}"]


def test_that_a_filling_disk_is_said_while_the_run_lives(session: Session) -> None:
    session.apply([DiskSpaceUpdate(10.0, 3.2e9)])
    assert warnings_of(session) == (RunWarning("3.2 GB free on the run's disk"),)
    session.apply([row(1, {"system/disk_free_bytes": 2.1e9})])  # the run's own word, of the same disk
    assert texts(session) == ["3.2 GB free on the run's disk"]  # which is older
    session.apply([row(20, {"system/disk_free_bytes": 2.1e9})])
    words = "2.1 GB free on the run's disk"
    assert warnings_of(session) == (RunWarning(words, "warn", "system/disk_free_bytes"),)
    session.apply([StatusUpdate(RunState.FINISHED, "finished")])
    assert warnings_of(session) == ()


def test_that_the_worst_comes_first(session: Session) -> None:
    session.apply(
        [
            LossUpdate(3, 3, 1),
            DiskSpaceUpdate(10.0, 3.2e9),
            batch(0, [nan]),
            LinkUpdate("rank-0", "lost", "rank-0 has not been heard of for 20 s"),
        ]
    )
    assert [(warning.text, warning.tone) for warning in warnings_of(session)] == [
        ("train/loss is nan since step 0", "bad"),
        ("rank-0 has not been heard of for 20 s", "warn"),
        ("3.2 GB free on the run's disk", "warn"),
        ("3 batches did not come live, 3 fetched again", "warn"),
        ("Messages that could not be read were left out: 1", "warn"),
    ]
    session.apply([LinkUpdate("rank-0", "key refused", "")])
    assert warnings_of(session)[0].text == "The key was refused: this run does not trust the key of this app"
