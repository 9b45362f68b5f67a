"""The draft of the open run: when it is offered, what it says, what is sent, how it is kept."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule import draft_labels
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.storage.draft_files import DraftFiles
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Command
from helpers.drafting import LR, STREAM, drafting, ended, planned, went_on


@pytest.fixture
def session(qapp: object) -> Session:
    return drafting()


@pytest.fixture
def model(session: Session) -> DraftModel:
    made = DraftModel()
    made.set_session(session)
    return made


def test_that_a_change_is_offered_while_the_run_lives_with_a_plan_and_a_control(
    qapp: object, model: DraftModel, session: Session
) -> None:
    assert list(model.offers) == [STREAM]
    ended(session)
    assert not model.offers
    bare = Session("other")
    went_on(bare, 10)
    model.set_session(bare)
    assert not model.offers
    planned(bare)
    assert list(model.offers) == [STREAM]


def test_that_any_control_that_takes_a_schedule_over_steps_can_be_drafted(
    model: DraftModel, session: Session
) -> None:
    alone = msgspec.structs.replace(LR, name="dose", input_schema=k.schema(k.schedule(0, axis="step")))
    planned(session, control=alone)
    assert model.offers[STREAM][0].control == "dose"
    model.start(STREAM)
    assert model.value() == {"points": [{"at": 260, "value": pytest.approx(1.815e-3, abs=1e-5)}]}
    tokens = msgspec.structs.replace(LR, input_schema=k.schema(k.schedule(0, axis="tokens")))
    planned(session, control=tokens)
    assert not model.offers


def test_that_the_bar_says_what_the_draft_will_do(model: DraftModel) -> None:
    model.start(STREAM)
    assert model.problem() == "Nothing is changed yet: drag the handle on the chart"
    model.move(0, 260, 1.2e-3)
    assert draft_labels.figures(model.draft) == "1.81e-3 → 1.20e-3"
    assert draft_labels.summary(model.draft) == "from step 260, then follows the schedule"
    model.add(400, 1.2e-3)
    assert (
        draft_labels.summary(model.draft)
        == "from step 260, 2 keyframes to 1.20e-3 at 400, then follows the schedule"
    )
    model.hold(True)
    assert draft_labels.summary(model.draft).endswith("then holds")
    assert model.problem() == ""


def test_that_what_was_drafted_is_sent_once_with_its_reason(model: DraftModel, qtbot: QtBot) -> None:
    sent: list[Command] = []
    model.sent.connect(sent.append)
    model.start(STREAM)
    assert model.type(0, "300", "0.0012340000000000000001") == ""
    model.set_reason(" loss plateau ")
    model.send()
    model.send()
    (command,) = sent
    points = [{"at": 300, "value": "0.0012340000000000000001"}]
    assert command.input == {"plan": {"points": points}, "mode": "rescale"}
    assert (command.capability, command.reason) == ("lr", "loss plateau")
    assert model.draft is None


def test_that_what_cannot_be_typed_keeps_the_draft_from_being_sent(model: DraftModel) -> None:
    model.start(STREAM)
    model.move(0, 260, 1.2e-3)
    said = model.type(0, "100", "1")
    assert said == "step 100 has passed, the run is at 212"
    model.set_typing(said)
    assert model.problem() == said
    model.set_typing("")
    assert model.problem() == ""


def test_that_the_draft_follows_the_run_and_says_when_it_is_stale(
    model: DraftModel, session: Session, qtbot: QtBot
) -> None:
    model.start(STREAM)
    model.move(0, 260, 1.2e-3)
    with qtbot.waitSignal(model.advanced):
        went_on(session, 240)
    assert not draft_labels.stale_text(model.draft)
    with qtbot.waitSignal(model.changed):
        went_on(session, 271)
    assert model.problem() == "step 260 has passed, the run is at 271"
    model.move_ahead()
    assert model.draft is not None
    assert model.draft.next.at > 271
    assert model.problem() == ""
    ended(session)
    assert model.problem() == "the run has ended"


def test_that_a_draft_is_kept_in_a_file_until_it_is_sent_or_discarded(
    model: DraftModel, session: Session, tmp_path: Path, storage: Storage
) -> None:
    files = DraftFiles(model, tmp_path, storage)
    files.open()
    assert storage.finish()
    model.start(STREAM)
    model.move(0, 260, 1.25e-3)
    model.set_reason("later")
    kept = model.draft.keyframes if model.draft else ()
    files.close()
    assert storage.finish()
    again = DraftModel()
    again.set_session(session)
    DraftFiles(again, tmp_path, storage).open()
    assert storage.finish()
    assert again.draft is not None
    assert (again.draft.keyframes, again.reason) == (kept, "later")
    files = DraftFiles(again, tmp_path, storage)
    files.open()
    assert storage.finish()
    again.discard()
    files.flush()
    assert storage.finish()
    assert not list((tmp_path / "drafts").iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"helm_draft": 1, "draft": {"stream": "optim/lr/group0"}}'])
def test_that_a_file_that_says_nothing_is_no_draft(
    model: DraftModel, tmp_path: Path, text: str, storage: Storage
) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "id.json").write_text(text)
    DraftFiles(model, tmp_path, storage).open()
    assert storage.finish()
    assert model.draft is None
