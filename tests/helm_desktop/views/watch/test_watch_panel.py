"""The Watch section by mouse and keyboard: offers, the form, the cards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.watch import WatchPanel
from helm_sdk.rules import Rule, Span
from helpers.rule_batches import batch

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeManager) -> WatchPanel:
    """A panel on a run with two spikes."""
    made = WatchPanel()
    qtbot.addWidget(made)
    made.resize(330, 900)
    session = Session("folder", made)
    session.take([batch(0, [1, 3, 1, 3, 3, 1])])
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
    panel._session.rules.put(Rule(id="r", metric="train/loss", when="above", value=2.0, hold=Span(steps=2)))
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
    assert (card.state.text(), card.rest.text()) == ("off", "Watch again")
    QTest.keyClick(card, Qt.Key.Key_Delete)
    assert model(panel) == ()
    assert not panel.cards


def test_that_a_pending_rule_says_how_long_it_has_been_so(panel: WatchPanel, qtbot: QtBot) -> None:
    assert panel._session is not None
    panel._session.rules.put(Rule(id="r", metric="train/loss", when="above", value=2.0, hold=Span(steps=5)))
    panel._session.take([batch(6, [3, 3])])
    qtbot.waitUntil(lambda: panel.cards["r"].state.text() == "pending 2 of 5 steps")
    panel._session.take([batch(8, [3, 3, 3])])
    qtbot.waitUntil(lambda: panel.cards["r"].state.text() == "fired at 10")
    assert panel.note.text() == "1 rule, 1 fired"
