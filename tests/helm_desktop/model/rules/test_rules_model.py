"""Rules in the open run: history is marked, what comes is acted on, a trial looks at all of it."""

from __future__ import annotations

import math

from helm_desktop.model.rules.rules_model import MARKS, trial_text
from helm_desktop.model.run.session import Session
from helm_desktop.model.run.updates import AboutUpdate, CaughtUpUpdate
from helm_sdk.protocol.messages import RunRecord
from helm_sdk.rules import Firing, HoldFor, Rule
from helpers.rule_batches import batch

LOSS = Rule(id="r", name="High", metric="train/loss", when="above", value=2.0)


def session() -> tuple[Session, list[Firing]]:
    """An open run with two spikes in its history, and what is to be acted on."""
    made = Session("folder")
    fired: list[Firing] = []
    made.rules.fired.connect(fired.append)
    record = RunRecord(run_id="r", project="p", name="n", created=0.0)
    made.apply([AboutUpdate(record, "n", "folder", ()), batch(0, [1, 3, 1, 3, 3, 1])])
    return made, fired


def test_that_history_is_marked_and_not_acted_on() -> None:
    made, fired = session()
    made.rules.set_rules([LOSS])
    made.apply([CaughtUpUpdate()])
    assert [(mark.kind, mark.step) for mark in made.marks.all()] == [("rule", 1), ("rule", 3)]
    assert made.marks.all()[0].text == "High: train/loss is 3 at step 1"
    assert fired == []
    made.apply([batch(6, [1, 4])])
    assert [firing.step for firing in fired] == [7]
    assert made.activity.entries()[0].text == "High: train/loss is 4 at step 7"
    assert made.rules.text("r") == ("train/loss above 2 · then notify", "fired at 7")


def test_that_rules_that_are_there_first_see_the_same_history() -> None:
    made = Session("folder")
    made.rules.set_rules([LOSS])
    made.apply([batch(0, [1, 3, 1, 3, 3, 1]), CaughtUpUpdate()])
    assert [mark.step for mark in made.marks.all()] == [1, 3]


def test_that_a_rule_by_hand_is_kept_changed_and_taken_away() -> None:
    made, fired = session()
    made.apply([CaughtUpUpdate()])
    edits: list[tuple[Rule, ...]] = []
    made.rules.edited.connect(lambda: edits.append(made.rules.rules))
    made.rules.set_rule(LOSS)
    assert len(made.marks.all()) == 2
    made.rules.enable("r", False)
    assert made.rules.text("r")[1] == "off"
    made.apply([batch(6, [9])])
    made.rules.enable("r", True)
    assert [mark.step for mark in made.marks.all()] == [1, 3, 6]
    assert fired == []  # it rested then
    made.rules.remove("r")
    assert made.marks.all() == []
    assert [len(rules) for rules in edits] == [1, 1, 1, 0]


def test_that_a_trial_looks_through_every_attempt_in_parts() -> None:
    made, _ = session()
    made.apply([batch(6, [1.0] * 5000 + [3.0, math.nan]), batch(0, [5.0, 1.0], attempt=2)])
    found = list(made.rules.trial(LOSS))
    assert len(found) >= 3
    assert found[-1] == [0, 1, 3, 5006]
    assert trial_text(found[-1]) == "Would have fired 4 times in this run: steps 0, 1, 3, 5,006"
    assert made.rules.rules == ()
    nan = Rule(id="n", metric="*", when="not finite", hold=HoldFor(steps=1))
    assert list(made.rules.trial(nan))[-1] == [5007]
    assert trial_text([]) == "Would not have fired in this run"
    assert trial_text([7]) == "Would have fired once in this run: step 7"


def test_that_a_rule_that_flaps_leaves_a_bounded_number_of_marks() -> None:
    made = Session("folder")
    made.rules.set_rules([LOSS])
    made.apply([batch(0, [3.0, 1.0] * 1000)])
    assert len(made.marks.all()) == MARKS
    assert made.rules.states[0].fired == 1000


def test_that_offers_are_for_what_the_run_logs() -> None:
    made, _ = session()
    assert "Loss is not finite" in [rule.name for rule in made.rules.offered()]
    made.rules.set_rule(made.rules.offered()[0])
    assert "Loss is not finite" not in [rule.name for rule in made.rules.offered()]
