"""The real window on a real run: a rule is made by hand, fires, and acts; two windows see what waits."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.watch.rule_form import RuleForm
from helm_sdk.keys import own_name
from helm_sdk.record.layout import config_home
from helm_sdk.rules.store import read_fired
from helpers.desktop import desktop, session_of
from helpers.scripts import helmctl, shown, start

PATIENCE_MS = 30_000
LEFT = Qt.MouseButton.LeftButton
SCRIPT = """
import helm_sdk, math, time
run = helm_sdk.init("watched", name="sawtooth")
rate = run.tunable("rate", 1.0, minimum=0.0, maximum=1.0)
step = 0
while step < 200000:
    run.sync("step", step=step)
    run.log({"train/loss": 3.0 if step % 300 < 20 else 1.0}, step=step)
    step += 1
    time.sleep(0.004)
"""


def fill(form: RuleForm, **texts: str) -> None:
    """Type into fields, as a hand does."""
    for name, text in texts.items():
        field = getattr(form, name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)


def opened_on(window: Desktop, qtbot: QtBot) -> None:
    """The run is open and its points come."""
    qtbot.waitUntil(
        lambda: window.current.session is not None and session_of(window).complete, timeout=PATIENCE_MS
    )
    qtbot.waitUntil(lambda: (session_of(window).progress.step or 0) > 400, timeout=PATIENCE_MS)
    window.navigation.show_watch()


def test_that_a_rule_is_made_fires_and_sends_a_control(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    script = start(SCRIPT, home=tmp_path)
    try:
        script.wait_for_line("helm: run")
        with desktop(qapp, tmp_path) as window:
            opened_on(window, qtbot)
            panel = window.regions.watch
            QTest.mouseClick(panel.new, LEFT)
            form = panel.form
            assert not form.add.isEnabled()
            fill(form, watched="train/loss", value="2.5", hold="10 steps", name="Too high")
            qtbot.waitUntil(lambda: form.would.text().startswith("Would have fired"), timeout=PATIENCE_MS)
            assert ": step" in form.would.text()
            assert "9, 309" in form.would.text()
            assert not form.then.add["capture"].isVisible()  # this run offers none
            QTest.mouseClick(form.then.add["send"], LEFT)
            send = form.then.rows[1]
            assert send.control.currentText() == "set_rate"
            given = send.fields["input"]
            given.selectAll()
            QTest.keyClicks(given, '{"value": 7}')
            assert "value is 7" in given.accessibleDescription()
            given.selectAll()
            QTest.keyClicks(given, '{"value": "0.5"}')
            send.fields["budget"].selectAll()
            QTest.keyClicks(send.fields["budget"], "1")
            assert form.add.isEnabled()
            QTest.mouseClick(form.add, LEFT)
            (card,) = panel.cards.values()
            qtbot.waitUntil(lambda: "fired" in card.state.text(), timeout=PATIENCE_MS)
            assert (
                card.words.text()
                == "train/loss above 2.5 for 10 steps · then notify, send set_rate, at most 1 an hour"
            )
            session = session_of(window)
            qtbot.waitUntil(
                lambda: any(change["state"] == "applied" for change in shown(home=tmp_path)["changes"]),
                timeout=PATIENCE_MS,
            )
            assert any(mark.kind == "rule" for mark in session.marks.all())
            qtbot.waitUntil(
                lambda: any("sent set_rate" in line for line in window.regions.activity.lines()),
                timeout=PATIENCE_MS,
            )
            kept = json.loads((config_home() / "rules" / "watched.json").read_text())
            assert kept["rules"][0]["name"] == "Too high"
            folder = Path(session.folder)
            qtbot.waitUntil(lambda: bool(read_fired(folder)), timeout=PATIENCE_MS)
        (change,) = shown(home=tmp_path)["changes"]
        assert change["reason"].startswith("rule Too high: train/loss is 3")
        with desktop(qapp, tmp_path) as again:  # kept for the project, and nothing is sent twice
            opened_on(again, qtbot)
            qtbot.waitUntil(lambda: len(again.regions.watch.cards) == 1, timeout=PATIENCE_MS)
            card = next(iter(again.regions.watch.cards.values()))
            fired = session_of(again).rules.states[0].fired
            qtbot.waitUntil(lambda: session_of(again).rules.states[0].fired > fired, timeout=PATIENCE_MS)
            qtbot.waitUntil(
                lambda: any("not sent" in line for line in again.regions.activity.lines()),
                timeout=PATIENCE_MS,
            )
            assert len(shown(home=tmp_path)["changes"]) == 1
            QTest.mouseClick(card, LEFT)
            QTest.mouseClick(card.remove, LEFT)
            assert not again.regions.watch.cards
    finally:
        script.kill()


def test_that_two_windows_see_what_waits_and_one_decides(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    config_home().mkdir(parents=True, exist_ok=True)
    policy = {"controls": [{"control": "set_rate", "approval": "sender"}]}
    (config_home() / "policy.json").write_text(json.dumps(policy))
    script = start(SCRIPT, home=tmp_path)
    try:
        script.wait_for_line("helm: run")
        with desktop(qapp, tmp_path) as one, desktop(qapp, tmp_path) as other:
            for window in (one, other):
                opened_on(window, qtbot)
            for number, reason in ((0.5, "plateau"), (0.25, "again")):
                done = helmctl(
                    "send",
                    "latest",
                    "set_rate",
                    json.dumps({"value": number}),
                    "--reason",
                    reason,
                    home=tmp_path,
                )
                assert done.returncode == 0, done.stdout
            first, second = (window.regions.watch.approvals for window in (one, other))
            qtbot.waitUntil(lambda: len(first.cards) == len(second.cards) == 2, timeout=PATIENCE_MS)
            card = next(iter(first.cards.values()))
            assert card.title.text() == "set_rate to 0.5"
            assert card.asker.text() == own_name()
            assert (
                card.words.text() == "Somebody must approve set_rate (the rule for set_rate). Reason: plateau"
            )
            QTest.mouseClick(card.approve, LEFT)
            qtbot.waitUntil(lambda: len(first.cards) == len(second.cards) == 1, timeout=PATIENCE_MS)
            left = next(iter(second.cards.values()))
            QTest.mouseClick(left.refuse, LEFT)
            QTest.keyClicks(left.reason, "too low")
            QTest.keyClick(left.reason, Qt.Key.Key_Return)
            qtbot.waitUntil(lambda: not first.cards and not second.cards, timeout=PATIENCE_MS)
            qtbot.waitUntil(
                lambda: (
                    {change["state"] for change in shown(home=tmp_path)["changes"]} == {"applied", "rejected"}
                ),
                timeout=PATIENCE_MS,
            )
        changes = {change["state"]: change for change in shown(home=tmp_path)["changes"]}
        assert changes["applied"]["approver"] == own_name()
        assert changes["rejected"]["message"] == f"refused by {own_name()}: too low"
    finally:
        script.kill()
