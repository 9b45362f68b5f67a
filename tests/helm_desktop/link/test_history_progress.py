"""When the history of a run has been read."""

from __future__ import annotations

from helm_desktop.link.history_progress import AHEAD_BYTES, SETTLED_SECONDS, HistoryProgress


def test_that_history_is_read_on_at_once_until_enough_waits() -> None:
    history = HistoryProgress()
    history.restart(10.0)
    assert not history.note(history=True, waiting=100, now=10.1)
    assert history.reading
    assert not history.note(history=True, waiting=AHEAD_BYTES, now=10.2)
    assert not history.reading
    assert not history.note(history=False, waiting=0, now=10.3)
    assert not history.reading


def test_that_the_end_of_history_is_told_once_for_each_run() -> None:
    history = HistoryProgress()
    history.restart(10.0)
    history.note(history=True, waiting=0, now=11.0)
    assert not history.note(history=False, waiting=0, now=11.0 + SETTLED_SECONDS / 2)
    assert history.note(history=False, waiting=0, now=11.1 + SETTLED_SECONDS)
    assert history.caught_up
    assert not history.note(history=False, waiting=0, now=20.0)
    history.restart(30.0)
    assert not history.caught_up
