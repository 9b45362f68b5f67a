"""What the run made of the draft that was sent last."""

from __future__ import annotations

import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.updates import CaughtUpUpdate
from helm_desktop.model.schedule.saved_draft import SavedDraft
from helm_desktop.model.schedule.sent_draft import NOT_RECEIVED, SentDraft
from helm_sdk.protocol.messages import Command
from helpers.drafting import STREAM, answered, drafting

COMMAND = Command(id="a", capability="lr", input={"lr": 1e-3})


@pytest.fixture
def session(qapp: object) -> Session:
    return drafting()


def sent() -> SentDraft:
    made = SentDraft()
    made.set(SavedDraft("lr", STREAM, "step", (), True, "plateau", sent="a"))
    return made


def test_that_a_draft_is_known_by_its_command_and_its_control() -> None:
    draft = sent()
    assert draft.is_command("a")
    assert not draft.is_command("b")
    assert draft.is_to("lr")
    assert not draft.is_to("wd")
    popped = draft.pop()
    assert popped is not None
    assert popped.reason == "plateau"
    assert draft.pop() is None
    assert not draft.is_command("a")


def test_that_nothing_is_known_while_the_command_is_open(session: Session) -> None:
    draft = sent()
    assert SentDraft().answer(session) is None
    session.controls.on_sent(COMMAND)
    assert draft.answer(session) is None
    answered(session, COMMAND, "received", "waiting")
    assert draft.answer(session) is None


@pytest.mark.parametrize(("state", "said"), [("applied", ""), ("rejected", "rejected: too high")])
def test_that_the_answer_is_a_sentence_only_where_the_run_did_not_take_it(
    session: Session, state: str, said: str
) -> None:
    answered(session, COMMAND, "received", state, message="too high")
    assert sent().answer(session) == said


def test_that_a_command_that_left_no_trace_in_all_history_was_never_received(session: Session) -> None:
    draft = sent()
    assert draft.answer(session) is None, "its history is still being read"
    session.apply([CaughtUpUpdate()])
    assert draft.answer(session) == NOT_RECEIVED
    session.controls.on_sent(COMMAND)
    assert draft.answer(session) is None, "it is on its way"
