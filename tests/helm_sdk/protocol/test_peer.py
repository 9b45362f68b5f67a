"""Which numbers have come, and whether a process lives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_sdk.protocol import commands
from helm_sdk.protocol.peer import BatchDecision, LifeSigns, RunState, SequenceTracker, derive_state


def test_that_a_gap_is_noticed_repaired_and_counted() -> None:
    tracker = SequenceTracker()
    assert tracker.offer(1, 1) is BatchDecision.APPLY
    assert tracker.offer(4, 4) is BatchDecision.GAP
    tracker.repair(3)
    assert tracker.offer(4, 4) is BatchDecision.APPLY
    assert tracker.offer(2, 4) is BatchDecision.STALE
    assert (tracker.have, tracker.repaired) == (4, 2)


def test_that_a_lost_last_batch_shows_in_the_heartbeat() -> None:
    tracker = SequenceTracker(have=5)
    assert not tracker.on_last_number(5)
    assert tracker.on_last_number(6)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 5)), max_size=60))
def test_that_what_is_applied_is_contiguous(offers: list[tuple[int, int]]) -> None:
    tracker = SequenceTracker()
    for first, more in offers:
        before = tracker.have
        if tracker.offer(first, first + more) is BatchDecision.APPLY:
            assert first <= before + 1
            assert tracker.have == first + more > before
        else:
            assert tracker.have == before


@pytest.mark.parametrize(
    ("signs", "state"),
    [
        (LifeSigns(process_gone=False, heartbeat_age=0.5, points_age=0.1), RunState.LIVE),
        (LifeSigns(process_gone=False, heartbeat_age=0.5, points_age=300.0), RunState.QUIET),
        (LifeSigns(process_gone=False, heartbeat_age=60.0), RunState.QUIET),
        (LifeSigns(process_gone=True, heartbeat_age=0.2), RunState.KILLED),
        (LifeSigns(process_gone=None, heartbeat_age=16.0), RunState.LOST),
        (LifeSigns(process_gone=None, heartbeat_age=16.0, file_age=3.0, points_age=3.0), RunState.LIVE),
        (LifeSigns(process_gone=None), RunState.LOST),
        (LifeSigns(outcome="interrupted", process_gone=True), RunState.INTERRUPTED),
    ],
)
def test_that_a_run_stands_as_its_signs_say(signs: LifeSigns, state: RunState) -> None:
    assert derive_state(signs) is state


def test_that_no_state_of_a_command_follows_an_end() -> None:
    ends = set(commands.STATES) - commands.OPEN - {commands.APPLIED}
    assert not any(commands.may_follow(end, after) for end in ends for after in commands.STATES)
    assert commands.may_follow(commands.WAITING, commands.APPLIED)
    assert not commands.may_follow(commands.APPLIED, commands.APPLIED)
