"""What comes of a draft that was sent: it comes back as it was where the run does not take it."""

from __future__ import annotations

from pathlib import Path

import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.updates import CaughtUpUpdate
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.sent_draft import NOT_RECEIVED
from helm_desktop.storage.draft_files import DraftFiles
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.protocol.messages import Command
from helpers.drafting import STREAM, answered, drafting, ended
from helpers.updates import refusal_update

SAID = "lr: the sum must be 1"


@pytest.fixture
def session(qapp: object) -> Session:
    return drafting()


def opened(session: Session) -> DraftModel:
    made = DraftModel(session)
    made.set_session(session)
    return made


def sent_from(model: DraftModel) -> Command:
    """A draft of two keyframes, sent."""
    sent: list[Command] = []
    model.sent.connect(sent.append)
    model.start(STREAM)
    model.type(0, "300", "0.00123400000000000001")
    model.add(400, 1.5e-3)
    model.hold(True)
    model.set_reason("plateau")
    model.send()
    (command,) = sent
    assert model.draft is None
    return command


def test_that_a_rejected_draft_comes_back_with_the_runs_sentence(session: Session) -> None:
    model = opened(session)
    command = sent_from(model)
    answered(session, command, "rejected", message=SAID)
    assert model.draft is not None
    assert model.value() == command.input
    assert (model.draft.hold, model.reason, model.answer) == (True, "plateau", f"rejected: {SAID}")
    assert model.problem() == "", "it can be sent again as it is"
    model.move(0, 310, 1e-3)
    assert model.answer == "", "it was said of another draft"


@pytest.mark.parametrize("state", ["failed", "expired"])
def test_that_a_draft_that_had_no_effect_comes_back(session: Session, state: str) -> None:
    model = opened(session)
    answered(session, sent_from(model), "received", "waiting", state, message="why")
    assert model.answer == f"{state}: why"
    assert model.draft is not None


@pytest.mark.parametrize("state", ["applied", "cancelled", "superseded"])
def test_that_a_draft_that_was_taken_or_withdrawn_does_not(session: Session, state: str) -> None:
    model = opened(session)
    command = sent_from(model)
    answered(session, command, "received", "waiting")
    assert model.to_plain() is not None, "it is kept until the run has answered"
    answered(session, command, "received", "waiting", state)
    assert model.draft is None
    assert model.to_plain() is None


def test_that_a_refusal_to_receive_brings_it_back_too(session: Session) -> None:
    model = opened(session)
    command = sent_from(model)
    session.controls.on_sent(command)
    session.apply([refusal_update(command.id, "the run does not live")])
    assert model.answer == "not sent: the run does not live"
    assert model.draft is not None


def test_that_another_draft_meanwhile_is_not_replaced(session: Session) -> None:
    model = opened(session)
    command = sent_from(model)
    model.start(STREAM)
    model.move(0, 350, 2e-3)
    assert model.draft is not None
    frames = model.draft.keyframes
    answered(session, command, "rejected", message=SAID)
    assert model.draft.keyframes == frames
    assert model.answer == ""


def test_that_the_answer_is_found_after_a_restart(session: Session, tmp_path: Path, storage: Storage) -> None:
    model = opened(session)
    files = DraftFiles(model, tmp_path, storage)
    files.open()
    assert storage.finish()
    command = sent_from(model)
    files.close()
    assert storage.finish()
    assert list((tmp_path / "drafts").iterdir())
    again = opened(session)
    later = DraftFiles(again, tmp_path, storage)
    later.open()
    assert storage.finish()
    assert again.draft is None
    answered(session, command, "rejected", message=SAID)
    assert again.draft is not None
    assert again.value() == command.input
    later.close()
    assert storage.finish()
    third = opened(session)
    DraftFiles(third, tmp_path, storage).open()
    assert storage.finish()
    assert third.answer == f"rejected: {SAID}"


def test_that_what_the_run_never_received_comes_back(session: Session, tmp_path: Path) -> None:
    model = opened(session)
    sent_from(model)
    kept = model.to_plain()
    assert kept is not None
    again = opened(session)
    again.restore(kept)
    assert again.draft is None
    session.apply([CaughtUpUpdate()])
    assert again.answer == NOT_RECEIVED
    assert again.draft is not None


def test_that_a_run_that_has_ended_gets_no_draft_back(session: Session) -> None:
    model = opened(session)
    command = sent_from(model)
    answered(session, command, "received", "waiting")
    ended(session)
    session.controls.flush()
    assert model.draft is None
    assert model.to_plain() is None
