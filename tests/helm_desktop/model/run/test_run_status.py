"""The status of a run as its updates say."""

from __future__ import annotations

from helm_desktop.model.run.run_status import RunStatus
from helm_desktop.model.run.updates import StatusUpdate
from helm_sdk.protocol.peer import RunState


def test_that_a_run_counts_as_live_until_its_status_is_known() -> None:
    status = RunStatus()
    assert status.state is RunState.LIVE
    assert not status.apply(StatusUpdate(RunState.LIVE))


def test_that_a_status_says_whether_it_is_another() -> None:
    status = RunStatus()
    killed = StatusUpdate(RunState.KILLED, "killed at step 3", -9, 60.0)
    assert status.apply(killed)
    assert not status.apply(killed)
    assert (status.state, status.exit_status, status.ended) == (RunState.KILLED, -9, 60.0)
