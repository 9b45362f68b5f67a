"""Pauses between tries that grow, and begin anew after a calm time."""

from helm_desktop.link.backoff import CALM_SECONDS, LONGEST_SECONDS, Backoff


def test_that_pauses_double_up_to_a_bound() -> None:
    now = 1000.0
    backoff = Backoff(lambda: now)
    pauses = []
    for _ in range(10):
        pauses.append(backoff.failed())
        assert not backoff.pop_due()
        now += pauses[-1]
        assert backoff.pop_due()
        assert not backoff.pop_due()
    assert pauses[:3] == [0.5, 1.0, 2.0]
    assert pauses[-1] == LONGEST_SECONDS
    now += CALM_SECONDS + LONGEST_SECONDS + 1
    assert backoff.failed() == 0.5


def test_that_nothing_is_due_once_it_is_forgotten() -> None:
    now = 0.0
    backoff = Backoff(lambda: now)
    assert backoff.left(0.25) == 0.25
    backoff.failed()
    backoff.forget()
    now = 100.0
    assert not backoff.pop_due()
