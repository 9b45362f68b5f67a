"""The connection to a run and to each of its processes."""

from __future__ import annotations

from helm_desktop.model.run.connection import RunConnection
from helm_desktop.model.run.updates import LossUpdate
from helm_sdk.protocol.updates import LinkUpdate


def test_that_the_last_state_of_each_process_is_known() -> None:
    connection = RunConnection()
    connection.set_link(LinkUpdate("rank-0", "connecting"))
    connection.set_link(LinkUpdate("rank-1", "attached"))
    connection.set_link(LinkUpdate("rank-0", "lost", "not heard of for 20 s"))
    assert {name: link.state for name, link in connection.links.items()} == {
        "rank-0": "lost",
        "rank-1": "attached",
    }


def test_that_a_problem_of_the_whole_run_goes_when_it_is_followed_again() -> None:
    connection = RunConnection()
    connection.set_problem("quickstart could not be followed, trying again in 1 s")
    assert connection.problem
    connection.set_problem("")
    assert not connection.problem
    connection.set_losses(LossUpdate(3, 2))
    assert connection.losses.missing == 3
