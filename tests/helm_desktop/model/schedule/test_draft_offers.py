"""On which charts a change can be drafted, and over which axes."""

from __future__ import annotations

import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule.draft_offers import DraftOffers
from helm_desktop.model.schedule.saved_draft import SavedDraft
from helpers.drafting import LR_OF_GROUPS, STREAM, drafting, ended


@pytest.fixture
def session(qapp: object) -> Session:
    return drafting(tokens=100.0, control=LR_OF_GROUPS)


def offers_of(session: Session) -> DraftOffers:
    offers = DraftOffers()
    offers.set_session(session)
    assert offers.refresh()
    return offers


def test_that_without_a_run_nothing_is_offered() -> None:
    offers = DraftOffers()
    assert not offers.refresh()
    assert not offers
    assert offers.at(STREAM) is None
    assert offers.conversion("step") is None


def test_that_a_refresh_says_whether_something_else_is_offered(session: Session) -> None:
    offers = offers_of(session)
    assert STREAM in offers
    assert not offers.refresh()
    ended(session)
    assert offers.refresh()
    assert list(offers) == []


def test_that_a_chart_gets_keyframes_on_its_own_axis(session: Session) -> None:
    offers = offers_of(session)
    by_step, by_tokens = offers.at(STREAM), offers.at(STREAM, "tokens")
    assert by_step is not None
    assert by_tokens is not None
    assert (by_step.axis, by_tokens.axis) == ("step", "tokens")
    assert offers.at(STREAM, "wall") is None
    way = offers.conversion("tokens")
    assert way is not None
    assert way.back(30_000.0) == pytest.approx(300.0)


def test_that_a_saved_draft_finds_what_it_was_drafted_on(session: Session) -> None:
    offers = offers_of(session)
    saved = SavedDraft("lr", STREAM, "tokens", (), False, "")
    target = offers.target_of(saved)
    assert target is not None
    assert target.axis == "tokens"
    assert offers.target_of(SavedDraft("lr", STREAM, "epochs", (), False, "")) is None
    assert offers.target_of(SavedDraft("lr", "train/loss", "step", (), False, "")) is None
