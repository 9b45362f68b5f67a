"""Why a draft cannot be sent, in the order in which it is said."""

from __future__ import annotations

import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule.draft_check import UNCHANGED, draft_approval, draft_problem, draft_value
from helm_desktop.model.schedule.draft_target import DraftTarget, targets
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.schedule.run_context import make_draft
from helpers.drafting import STREAM, drafting, ended, went_on


@pytest.fixture
def session(qapp: object) -> Session:
    return drafting()


def begun(session: Session) -> tuple[KeyframesDraft, DraftTarget]:
    target = targets(session)[STREAM][0]
    draft = make_draft(session, target)
    draft.begin()
    return draft, target


def test_that_a_draft_can_be_sent_once_it_changes_something(session: Session) -> None:
    draft, target = begun(session)
    assert draft_problem(session, draft, target, "") == UNCHANGED
    draft.move(0, 300, 1e-4)
    assert draft_problem(session, draft, target, "") == ""
    assert draft_problem(session, draft, target, "a step must be a number") == "a step must be a number"
    assert draft_value(draft, target)["mode"] == "rescale"
    assert draft_approval(session, draft, target).approver == "me"


def test_that_a_draft_that_the_run_would_refuse_has_a_problem(session: Session) -> None:
    draft, target = begun(session)
    draft.move(0, 300, 1e-4)
    went_on(session, 310)
    draft.advance(310)
    assert draft_problem(session, draft, target, "typing") == "step 300 has passed, the run is at 310"
    ended(session)
    assert draft_problem(session, draft, target, "") == "the run has ended"
    session.controls.set_catalogue([], "rank-0")
    assert draft_problem(session, draft, target, "") == "The run declares no control lr"
    assert not draft_approval(session, draft, target).needs
