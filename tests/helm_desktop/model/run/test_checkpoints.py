"""The newest checkpoint of a run."""

from __future__ import annotations

from helm_desktop.model.run.checkpoints import RunCheckpoints
from helm_sdk.protocol.messages import Event


def event(time: float, step: int, kind: str = "checkpoint") -> Event:
    return Event(id=step, kind=kind, time=time, step=step, body={})


def test_that_the_newest_by_time_counts_in_whatever_order_they_come() -> None:
    checkpoints = RunCheckpoints()
    assert checkpoints.newest is None
    assert checkpoints.add(event(20.0, 200))
    assert not checkpoints.add(event(10.0, 100)), "history that came later"
    assert not checkpoints.add(event(30.0, 300, "note"))
    assert checkpoints.newest is not None
    assert checkpoints.newest.step == 200
