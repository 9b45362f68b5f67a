"""When a batch of updates goes to the window."""

from __future__ import annotations

from helm_desktop.link.update_queue import BATCH_SECONDS, UpdateQueue
from helm_desktop.model.run.updates import FollowUpdate, OpenedUpdate
from helm_sdk.protocol.messages import Batch, Event, PointGroup
from helpers.updates import batch_update, refusal_update

POINTS = batch_update(
    Batch(
        process="rank-0",
        attempt=1,
        seq=1,
        groups=(PointGroup(streams=(1,), steps=bytes(8), times=bytes(8), values=bytes(8)),),
    )
)


def test_that_a_batch_waits_until_the_window_has_taken_the_one_before() -> None:
    queue = UpdateQueue()
    queue.restart(OpenedUpdate(1))
    assert queue.pop(10.0, urgent=True) == [OpenedUpdate(1)]
    queue.add(POINTS, FollowUpdate(""))
    assert queue.size == 8
    assert queue.pop(20.0, urgent=True) == []
    assert queue.due_in(20.0, 5.0, urgent=True) == 5.0
    queue.acknowledge()
    assert queue.due_in(20.0, 5.0, urgent=True) == 0.0
    assert queue.pop(20.0, urgent=True) == [POINTS, FollowUpdate("")]
    assert queue.size == 0


def test_that_batches_keep_their_distance() -> None:
    queue = UpdateQueue()
    queue.restart(OpenedUpdate(1))
    queue.pop(10.0, urgent=True)
    queue.acknowledge()
    queue.add(POINTS)
    assert queue.pop(10.0 + BATCH_SECONDS / 2, urgent=True) == []
    assert 0 < queue.due_in(10.0 + BATCH_SECONDS / 2, 5.0, urgent=True) < BATCH_SECONDS
    assert queue.pop(10.001 + BATCH_SECONDS, urgent=True) == [POINTS]


def test_that_a_longer_interval_holds_for_what_nobody_waits_for() -> None:
    queue = UpdateQueue()
    queue.set_interval(2.0)
    queue.restart(OpenedUpdate(1))
    queue.pop(10.0, urgent=False)
    queue.acknowledge()
    queue.add(POINTS)
    assert queue.pop(11.0, urgent=False) == []
    event = Event(id=1, kind="command", time=1.0, body={})
    command = batch_update(Batch(process="rank-0", attempt=1, seq=2, events=(event,)))
    queue.add(command)
    assert queue.pop(11.0, urgent=False) == [POINTS, command]
    queue.acknowledge()
    queue.add(refusal_update("a", "not sent"))
    assert queue.pop(12.0, urgent=False)


def test_that_another_run_drops_what_waited_and_is_told_of_at_once() -> None:
    queue = UpdateQueue()
    queue.add(POINTS)
    queue.restart(OpenedUpdate(2))
    assert queue.size == 0
    assert queue.pop(BATCH_SECONDS, urgent=True) == [OpenedUpdate(2)]
