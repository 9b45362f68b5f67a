"""What a card says of who has to approve, and how it keeps from sending what the run would refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.rules.approvers import PolicyModel
from helm_desktop.theme import ThemeManager
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.watch.approvals import Approvals
from helm_sdk.policy.file import PolicyFile
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, Command, ControlState, Event

LEFT = Qt.MouseButton.LeftButton
SCHEMA = k.record_schema(k.field("value", k.number(0, 1)))
RATE = Capability(name="rate", input_schema=SCHEMA, starting={"value": 0.5})
PAUSE = Capability(name="pause", button="Pause")
Ruled = Callable[[Any], None]


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeManager, tmp_path: Path) -> tuple[ControlsPanel, Ruled, list[Command]]:
    """Two controls in the dock, and a hand that writes the policy."""
    path, model = tmp_path / "policy.json", ControlsModel()
    model.set_catalogue([ControlState(capability=RATE), ControlState(capability=PAUSE)], "rank-0")
    policy = PolicyModel(PolicyFile(path), "p", "ada", own_key=lambda: "KEY", parent=model)
    model.approvals.set_policy(policy)
    made = ControlsPanel(model)
    made.send_requested.connect(model.on_sent)  # as the sender of commands does
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(334, 900)
    made.show()
    sent: list[Command] = []
    made.send_requested.connect(sent.append)

    def rule(plain: Any) -> None:
        path.write_text(json.dumps(plain))
        policy.refresh()
        model.flush()

    model.flush()
    return made, rule, sent


def test_that_a_card_follows_the_policy_as_it_is_now(
    panel: tuple[ControlsPanel, Ruled, list[Command]],
) -> None:
    dock, rule, sent = panel
    card = dock.cards["rate"]
    card.set_open(True)
    assert card.rules.isHidden(), "nobody has to approve: there is nothing to say"
    assert card.header.approval.isHidden()
    rule({"controls": [{"control": "rate", "approval": "another key"}]})
    assert card.rules.text() == "Another key must approve"
    assert card.header.approval.text() == "needs approval"
    assert "the rule for rate" in card.header.approval.toolTip()
    QTest.mouseClick(card.send, LEFT)
    assert len(sent) == 1, "what needs approval is sent to ask for it"
    rule({"controls": [{"control": "*", "approval": "refused"}]})
    assert card.header.approval.text() == "not allowed"
    assert not card.send.isEnabled()
    assert card.send.toolTip() == "policy: rate may not be changed (the rule for *)"
    pause = dock.cards["pause"].header.button
    assert pause is not None
    assert not pause.isEnabled()
    rule({})
    assert card.send.isEnabled()
    assert pause.isEnabled()
    assert card.header.approval.isHidden()


def test_that_a_value_beyond_a_programs_limit_is_refused_beside_send(
    panel: tuple[ControlsPanel, Ruled, list[Command]],
) -> None:
    dock, rule, sent = panel
    rule({"programs": {"keys": ["ada"], "limits": [{"control": "rate", "bounds": {"value": {"max": 0.6}}}]}})
    card = dock.cards["rate"]
    card.set_open(True)
    assert card.rules.text() == "Programs: value at 0.6 or less"
    assert isinstance(card.editor, RecordForm)
    field = card.editor.rows["value"].editor
    assert isinstance(field, NumberEditor)
    QTest.keyClick(field.field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field.field, "0.9")
    assert card.complaint.isVisible()
    assert card.complaint.text() == "policy: value is 0.9 (programs may set value at 0.6 or less of rate)"
    QTest.keyClick(card.reason, Qt.Key.Key_Return)
    assert not sent
    QTest.keyClick(field.field, Qt.Key.Key_Backspace)
    QTest.keyClicks(field.field, "4")
    QTest.mouseClick(card.send, LEFT)
    assert [command.input for command in sent] == [{"value": 0.4}]


def test_that_the_approver_is_offered_nothing_the_run_would_refuse(
    panel: tuple[ControlsPanel, Ruled, list[Command]], qtbot: QtBot
) -> None:
    dock, _, _ = panel
    model = dock._model
    body = {"command_id": "c", "capability": "rate", "sender": "ada", "sender_key": "KEY"}
    states: list[tuple[str, dict[str, Any]]] = [
        ("received", {"input": {"value": 0.1}}),
        ("awaiting approval", {"approval": "another key"}),
    ]
    waiting = Approvals()
    qtbot.addWidget(waiting)
    waiting.set_model(model)
    waiting.show()
    for number, (state, more) in enumerate(states):
        event = {**body, "state": state, **more}
        model.apply_event("rank-0", Event(id=number, kind="command", time=1000.0 + number, body=event))
    model.flush()
    card, (asked,) = dock.cards["rate"], waiting.cards.values()
    assert [step.text for step in card.track.steps][1].startswith("awaiting approval by another key")
    for button in (card.decisions.approve, asked.approve):
        assert not button.isEnabled()
        assert "another key must approve it" in button.toolTip().lower()
    assert not asked.elsewhere.isHidden()
    assert card.decisions.refuse.isEnabled()
    assert asked.refuse.isEnabled()
    waiting.set_model(None)


def test_that_an_earlier_request_that_waits_can_be_withdrawn_when_a_newer_is_done(
    panel: tuple[ControlsPanel, Ruled, list[Command]],
) -> None:
    dock, rule, _ = panel
    model, card = dock._model, dock.cards["rate"]
    withdrawn: list[tuple[str, str]] = []
    dock.cancel_requested.connect(lambda process, command_id: withdrawn.append((process, command_id)))
    told: list[tuple[str, str, dict[str, Any]]] = [
        ("old", "received", {"input": {"value": 0.25}}),
        ("old", "awaiting approval", {"approval": "another key"}),
        ("new", "received", {"input": {"value": 0.75}}),
        ("new", "applied", {"new": {"value": 0.75}}),
    ]
    for number, (command_id, state, more) in enumerate(told):
        body = {"command_id": command_id, "capability": "rate", "state": state, **more}
        model.apply_event("rank-0", Event(id=number, kind="command", time=1000.0 + number, step=4, body=body))
    model.flush()
    assert card.track.steps[-1].text == "applied at 4", "the card tells of the newest"
    assert card.decisions.about.text() == "Still pending: 0.25"
    QTest.mouseClick(card.decisions.cancel, LEFT)
    assert withdrawn == [("rank-0", "old")]
    card.set_open(True)
    assert card.previous.isEnabled()
    assert card.previous.toolTip() == "0.5", "what it would send"
    rule({"programs": {"keys": ["ada"], "limits": [{"control": "rate", "bounds": {"value": {"min": 0.6}}}]}})
    assert not card.previous.isEnabled()
    assert "value is 0.5" in card.previous.toolTip()
    card.terms.replaces.click()
    assert card.terms.options()["supersedes"] == "old"
