"""The Watch section by mouse and keyboard: offers, the form, the cards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.watch import WatchPanel
from helm_desktop.views.watch.action_row import ActionRow
from helm_sdk.models import Capability, opaque_schema
from helm_sdk.protocol.messages import ControlState
from helm_sdk.rules import HoldFor, Notify, Program, Rule, Send, Webhook
from helpers.rule_batches import batch

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeManager) -> WatchPanel:
    """A panel on a run with two spikes."""
    made = WatchPanel()
    qtbot.addWidget(made)
    made.resize(330, 900)
    session = Session("folder", made)
    session.apply([batch(0, [1, 3, 1, 3, 3, 1])])
    made.set_session(session)
    made.show()
    return made


def model(panel: WatchPanel) -> tuple[Rule, ...]:
    """The rules there are."""
    assert panel._session is not None
    return panel._session.rules.rules


def test_that_a_run_without_rules_says_how_to_make_one_and_offers_some(
    panel: WatchPanel, qtbot: QtBot
) -> None:
    assert not panel.empty.isHidden()
    assert [button.text() for button in panel.offers.values()] == [
        "+ Loss is not finite",
        "+ Divergence",
        "+ Plateau",
        "+ No data",
    ]
    QTest.mouseClick(panel.offers["loss-not-finite"], LEFT)
    form = panel.form
    assert not form.isHidden()
    assert (form.watched.text(), form.when.values) == ("train/loss", {"not finite"})
    qtbot.waitUntil(lambda: form.would.text() == "Would not have fired in this run")
    assert model(panel) == ()  # an offer is never set by itself
    QTest.keyClick(form.watched, Qt.Key.Key_Return)
    (rule,) = model(panel)
    assert rule.name == "Loss is not finite"
    assert "loss-not-finite" not in panel.offers
    assert panel.empty.isHidden()
    assert panel.note.text() == "1 rule, all quiet"


def test_that_the_form_shows_the_fields_of_its_condition(panel: WatchPanel) -> None:
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    shown = {}
    for kind, button in form.when.buttons.items():
        QTest.mouseClick(button, LEFT)
        shown[kind] = (not form._value_row.isHidden(), not form._over_row.isHidden())
    assert shown == {
        "above": (True, False),
        "below": (True, False),
        "not finite": (False, False),
        "change": (True, True),
        "no data": (False, False),
        "plateau": (True, False),
    }
    assert not form.add.isEnabled()
    QTest.keyClicks(form.watched, "train/loss")
    assert form.complaint.text() == "a plateau needs a number of steps or a time"
    QTest.keyClicks(form.hold, "5 min")
    assert form.add.isEnabled()
    assert not form.complaint.isVisible()
    QTest.keyClick(form.hold, Qt.Key.Key_Escape)
    assert form.isHidden()
    assert model(panel) == ()


def test_that_a_card_is_opened_by_key_changed_rested_and_removed(panel: WatchPanel, qtbot: QtBot) -> None:
    assert panel._session is not None
    panel._session.rules.set_rule(
        Rule(id="r", metric="train/loss", when="above", value=2.0, hold=HoldFor(steps=2))
    )
    card = panel.cards["r"]
    assert card.state.text() == "quiet, last at 4"
    with qtbot.waitSignal(panel.step_requested) as asked:
        QTest.keyClick(card, Qt.Key.Key_Space)
        assert not card.more.isHidden()
        QTest.mouseClick(card.go, LEFT)
    assert asked.args == [4]
    QTest.mouseClick(card.edit, LEFT)
    assert panel.form.add.text() == "Change"
    panel.form.value.selectAll()
    QTest.keyClicks(panel.form.value, "9")
    QTest.mouseClick(panel.form.add, LEFT)
    assert model(panel)[0].value == 9.0
    assert panel.cards["r"].state.text() == "quiet"
    QTest.mouseClick(card.rest, LEFT)
    assert (card.state.text(), card.rest.text()) == ("off", "Unmute")
    QTest.keyClick(card, Qt.Key.Key_Delete)
    assert model(panel) == ()
    assert not panel.cards


def test_that_a_pending_rule_says_how_long_it_has_been_so(panel: WatchPanel, qtbot: QtBot) -> None:
    assert panel._session is not None
    panel._session.rules.set_rule(
        Rule(id="r", metric="train/loss", when="above", value=2.0, hold=HoldFor(steps=5))
    )
    panel._session.apply([batch(6, [3, 3])])
    qtbot.waitUntil(lambda: panel.cards["r"].state.text() == "pending 2 of 5 steps")
    panel._session.apply([batch(8, [3, 3, 3])])
    qtbot.waitUntil(lambda: panel.cards["r"].state.text() == "fired at 10")
    assert panel.note.text() == "1 rule, 1 fired"


def declare(panel: WatchPanel, *names: str) -> None:
    """Controls of the run; one that takes anything each."""
    assert panel._session is not None
    schema = opaque_schema()
    states = [ControlState(capability=Capability(name=name, input_schema=schema)) for name in names]
    panel._session.controls.set_catalogue(states, "rank-0")


def typed(row: ActionRow, **texts: str) -> None:
    """Type into the fields of an action."""
    for name, text in texts.items():
        row.fields[name].selectAll()
        QTest.keyClicks(row.fields[name], text)


def test_that_several_actions_of_a_kind_are_added_changed_and_taken_out(panel: WatchPanel) -> None:
    declare(panel, "lr", "pause")
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    QTest.keyClicks(form.watched, "train/loss")
    QTest.keyClicks(form.value, "2")
    shown = [words for words, button in form.then.add.items() if button.isVisible()]
    assert shown == ["notify", "send", "run", "webhook"]  # no capture: this run declares none
    for kind in ("run", "run", "webhook", "send", "send"):
        QTest.mouseClick(form.then.add[kind], LEFT)
    assert form.complaint.text() == "Type the program to run"
    assert not form.add.isEnabled()
    _, first, second, call, lr, pause = form.then.rows
    typed(first, command="say it", timeout="5 s")
    typed(second, command="say 'it again'")
    typed(call, url="http://127.0.0.1:1/x")
    typed(lr, input='{"lr": "1e-4"}', budget="1", per="1 d", cool_down="0", reason="spike")
    pause.control.setFocus()
    QTest.keyClick(pause.control, Qt.Key.Key_Down)
    assert pause.control.currentText() == "pause"
    QTest.mouseClick(form.then.rows[0].beep, LEFT, pos=form.then.rows[0].beep.rect().center())
    assert form.add.isEnabled()
    QTest.mouseClick(form.add, LEFT)
    (rule,) = model(panel)
    assert rule.then == (
        Notify(beep=True),
        Program(command=("say", "it"), timeout_s=5.0),
        Program(command=("say", "it again")),
        Webhook(url="http://127.0.0.1:1/x"),
        Send(control="lr", input={"lr": "1e-4"}, budget=1, per_s=86400.0, cool_down_s=0.0, reason="spike"),
        Send(control="pause", input={}),
    )
    QTest.mouseClick(panel.cards[rule.id].edit, LEFT)
    assert [row.draft.kind for row in form.then.rows] == ["notify", "run", "run", "webhook", "send", "send"]
    for row in [*form.then.rows[:2], *form.then.rows[3:]]:
        QTest.mouseClick(row.remove, LEFT)
    typed(form.then.rows[0], command="say no")
    QTest.mouseClick(form.add, LEFT)
    assert model(panel)[0].then == (Program(command=("say", "no")),)


def test_that_the_form_fits_into_a_narrow_dock(panel: WatchPanel, qtbot: QtBot) -> None:
    declare(panel, "set_a_control_with_a_rather_long_name", "capture")
    panel.resize(262, 900)
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    for kind in form.then.add.values():
        QTest.mouseClick(kind, LEFT)
    for when in ("plateau", "change"):
        QTest.mouseClick(form.when.buttons[when], LEFT)
        qtbot.waitUntil(lambda: panel.area.horizontalScrollBar().maximum() == 0)


def test_that_a_rule_may_only_mark(panel: WatchPanel) -> None:
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    assert not form.then.nothing.isVisible()
    QTest.mouseClick(form.then.rows[0].remove, LEFT)
    assert form.then.nothing.isVisible()
    QTest.keyClicks(form.watched, "train/loss")
    QTest.mouseClick(form.when.buttons["plateau"], LEFT)
    QTest.keyClicks(form.hold, "3 steps")
    QTest.mouseClick(form.better.buttons["higher"], LEFT)
    QTest.keyClick(form.hold, Qt.Key.Key_Return)
    (rule,) = model(panel)
    assert (rule.then, rule.mark, rule.better) == ((), True, "higher")
    assert panel.cards[rule.id].words.text().endswith("only marked")
    QTest.mouseClick(panel.cards[rule.id].edit, LEFT)
    QTest.keyClick(form.mark, Qt.Key.Key_Space)
    QTest.mouseClick(form.add, LEFT)
    assert not model(panel)[0].mark


def test_that_a_capture_is_offered_where_the_run_offers_captures(panel: WatchPanel) -> None:
    declare(panel, "capture")
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    shown = [words for words, button in form.then.add.items() if button.isVisible()]
    assert shown == ["notify", "capture", "run", "webhook"]  # nothing else to send
    QTest.keyClicks(form.watched, "train/loss")
    QTest.keyClicks(form.value, "2")
    QTest.mouseClick(form.then.add["capture"], LEFT)
    typed(form.then.rows[1], input='{"selection": ["h.0.*"]}', budget="3")
    QTest.mouseClick(form.add, LEFT)
    (rule,) = model(panel)
    assert rule.then[1] == Send(control="capture", input={"selection": ["h.0.*"]})
    assert panel.cards[rule.id].words.text().endswith("then notify, capture, at most 3 an hour")
