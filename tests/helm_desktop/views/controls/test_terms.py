"""How a change is asked for on a card: reason, expiry, instead of another; and who asked for it before."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.changes import who_words
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, Command, ControlState, Event

pytestmark = pytest.mark.usefixtures("theme")
LEFT = Qt.MouseButton.LeftButton
LR = Capability(name="lr", input_schema=k.record_schema(k.field("lr", k.number(0))), starting={"lr": "0.10"})


@pytest.fixture
def model() -> ControlsModel:
    made = ControlsModel()
    made.set_catalogue([ControlState(capability=LR)], "rank-0")
    return made


@pytest.fixture
def panel(qtbot: QtBot, model: ControlsModel) -> ControlsPanel:
    panel = ControlsPanel(model)
    panel.send_requested.connect(model.on_sent)  # as the sender of commands does
    model.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(340, 700)
    panel.show()
    panel.cards["lr"].set_open(True)
    return panel


@pytest.fixture
def card(panel: ControlsPanel) -> ControlCard:
    return panel.cards["lr"]


def sent_by(card: ControlCard) -> list[Command]:
    sent: list[Command] = []
    card.send_requested.connect(sent.append)
    return sent


def told(model: ControlsModel, number: int, state: str, **body: object) -> None:
    event = {"command_id": "c1", "capability": "lr", "state": state, **body}
    model.apply_event("rank-0", Event(id=number, kind="command", time=1000.0 + number, step=7, body=event))
    model.flush()


@pytest.mark.parametrize(
    ("typed", "step", "seconds"),
    [("1200", 1200, None), ("step 90", 90, None), ("5 min", None, 300.0), ("30s", None, 30.0)],
)
def test_that_an_expiry_is_a_step_or_a_time(
    card: ControlCard, typed: str, step: int | None, seconds: float | None
) -> None:
    sent = sent_by(card)
    assert not card.terms.expires.isVisible()
    QTest.mouseClick(card.terms.link, LEFT)
    QTest.keyClicks(card.terms.expires, typed)
    QTest.keyClicks(card.reason, "plateau")
    QTest.mouseClick(card.copy, LEFT)
    assert "--expires" in QGuiApplication.clipboard().text()
    QTest.mouseClick(card.send, LEFT)
    (command,) = sent
    assert (command.expires_step, command.expires_in, command.reason) == (step, seconds, "plateau")
    assert command.input == {"lr": "0.10"}, "a decimal string that nobody touched is sent to the letter"
    assert not card.terms.expires.isVisible()


@pytest.mark.parametrize("typed", ["soon", "-5 min", "0 s", "1.5"])
def test_that_an_expiry_that_says_nothing_is_told(card: ControlCard, typed: str) -> None:
    QTest.mouseClick(card.terms.link, LEFT)
    QTest.keyClicks(card.terms.expires, typed)
    assert not card.send.isEnabled()
    assert (
        card.complaint.text() == f"expiry is {typed}, it must be a time such as 5 min or a step such as 1200"
    )
    QTest.mouseClick(card.terms.link, LEFT)
    assert card.send.isEnabled()


def test_that_a_waiting_request_can_be_replaced(card: ControlCard, model: ControlsModel) -> None:
    sent = sent_by(card)
    assert not card.terms.replaces.isVisible()
    told(model, 1, "received", input={"lr": 1}, sender="ada", via="helmctl", expires_step=900)
    told(model, 2, "waiting", safe_point="trainer.step")
    assert card.terms.replaces.isVisible()
    card.terms.replaces.setChecked(True)
    QTest.mouseClick(card.send, LEFT)
    assert sent[0].supersedes == "c1"
    told(model, 3, "superseded")
    assert not card.terms.replaces.isVisible()


def test_that_history_says_whose_key_which_program_and_who_approved(
    card: ControlCard, model: ControlsModel
) -> None:
    told(model, 1, "received", input={"lr": 1}, sender="ada", via="helmctl", reason="plateau")
    told(model, 2, "waiting", approver="bob")
    told(model, 3, "applied", new={"lr": 1}, old={"lr": "0.10"}, revision=1)
    (record,) = model.commands.of("lr")
    assert who_words(record) == "by ada via helmctl, approved by bob"
    QTest.mouseClick(card.history, LEFT)
    assert card.changes.isVisible()
