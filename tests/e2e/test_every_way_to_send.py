"""Every way in which the app can send, with a key file that cannot be used: each says "not sent" and why.

The ways: a card's Send, its button, "send the previous value", a card that the palette opened, a rule, a
drafted schedule; and what is decided about a request that waits (withdraw, approve, refuse), on a card and
in Watch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.controllers.command_sender import RUN_LEFT, CommandSender
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm
from helm_sdk import Capability, CommandContext
from helm_sdk.keys import keys_folder
from helm_sdk.protocol.messages import Command
from helm_sdk.rules import Rule, Send
from helpers.desktop import desktop, session_of
from helpers.scripts import SCRIPTS, helmctl, start

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 30_000
WHY = "cannot be used"


def damage_key() -> None:
    """The key file is there and holds no key."""
    (keys_folder() / "helm.key_secret").write_text("not a key\n")


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[Desktop, helm_sdk.Run]]:
    """A live run of this process that has answered, one request that waits for approval, then no key."""
    with helm_sdk.init("p", name="r", home=tmp_path) as run:

        def deploy(value: Any, context: CommandContext) -> str:
            return "done"

        run.tunable("rate", 0.5, minimum=0.0, maximum=1.0)
        run.on("loop", Capability(name="deploy", requires_approval=True), deploy)
        run.on("loop", Capability(name="ping", button="Ping"), deploy)
        run.log({"train/loss": 1.0}, step=0)
        run.sync("loop", 0)
        assert helmctl("send", run.run_id, "set_rate", '{"value": 0.25}', home=tmp_path).returncode == 0
        assert helmctl("send", run.run_id, "deploy", "null", home=tmp_path).returncode == 0
        run.sync("loop", 1)
        run.flush()
        damage_key()
        with desktop(qapp, tmp_path) as opened:
            cards = opened.regions.controls.cards
            qtbot.waitUntil(lambda: {"set_rate", "deploy", "ping"} <= set(cards), timeout=PATIENCE_MS)
            qtbot.waitUntil(lambda: session_of(opened).complete, timeout=PATIENCE_MS)
            opened.window.activateWindow()
            yield opened, run


def texts(widget: QWidget) -> str:
    """Every label in sight on a widget."""
    return " · ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def type_rate(card: ControlCard, text: str) -> None:
    """Fill in the value of a tunable."""
    card.set_open(True)
    assert isinstance(card.editor, RecordForm)
    editor = card.editor.rows["value"].editor
    assert isinstance(editor, NumberEditor)
    editor.field.selectAll()
    QTest.keyClicks(editor.field, text)


def not_sent(card: ControlCard, qtbot: QtBot) -> bool:
    """Whether a card says so, once it does."""

    def last() -> str:
        steps = card.track.steps
        return steps[-1].text if steps else ""

    qtbot.waitUntil(lambda: last().startswith("not sent: "), timeout=PATIENCE_MS)
    return WHY in last()


def test_that_a_card_says_that_its_value_was_not_sent(
    window: tuple[Desktop, helm_sdk.Run], qtbot: QtBot
) -> None:
    opened, run = window
    card = opened.regions.controls.cards["set_rate"]
    type_rate(card, "0.75")
    QTest.mouseClick(card.send, LEFT)
    assert not_sent(card, qtbot)
    run.sync("loop", 2)
    assert session_of(opened).controls.commands.of("set_rate")[0].input == {"value": 0.25}, "the newest known"


def test_that_a_button_and_the_previous_value_say_so_too(
    window: tuple[Desktop, helm_sdk.Run], qtbot: QtBot
) -> None:
    opened, _ = window
    ping = opened.regions.controls.cards["ping"]
    assert ping.header.button is not None
    QTest.mouseClick(ping.header.button, LEFT)
    assert not_sent(ping, qtbot)
    rate = opened.regions.controls.cards["set_rate"]
    rate.set_open(True)
    qtbot.waitUntil(rate.previous.isVisible, timeout=PATIENCE_MS)
    QTest.mouseClick(rate.previous, LEFT)
    assert not_sent(rate, qtbot)


def test_that_a_card_opened_from_the_palette_says_so(
    window: tuple[Desktop, helm_sdk.Run], qtbot: QtBot
) -> None:
    opened, _ = window
    qtbot.waitUntil(opened.window.isActiveWindow)
    QTest.keyClick(opened.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = opened.palette.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "set_rate")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    card = opened.regions.controls.cards["set_rate"]
    assert card.is_open
    type_rate(card, "0.125")
    QTest.mouseClick(card.send, LEFT)
    assert not_sent(card, qtbot)


def test_that_a_rule_says_so_in_activity_on_the_card_and_in_its_file(
    window: tuple[Desktop, helm_sdk.Run], qtbot: QtBot
) -> None:
    opened, run = window
    then = (Send(control="set_rate", input={"value": 0.1}),)
    session_of(opened).rules.set_rule(
        Rule(id="high", metric="train/loss", when="above", value=2.0, then=then)
    )
    run.log({"train/loss": 3.0}, step=3)
    lines = opened.regions.activity.lines
    qtbot.waitUntil(lambda: any("set_rate was not sent" in line for line in lines()), timeout=PATIENCE_MS)
    assert any(WHY in line for line in lines())
    assert not any("sent set_rate" in line for line in lines())
    assert not_sent(opened.regions.controls.cards["set_rate"], qtbot)
    assert run.folder is not None
    file = run.folder / "rules.json"
    qtbot.waitUntil(lambda: file.exists() and "not sent" in file.read_text(), timeout=PATIENCE_MS)
    (done,) = json.loads(file.read_text())["fired"][0]["done"]
    assert (done["do"], done["ok"]) == ("send", False)
    assert WHY in done["text"]


def test_that_what_is_decided_about_a_request_says_so(
    window: tuple[Desktop, helm_sdk.Run], qtbot: QtBot
) -> None:
    opened, _ = window
    card = opened.regions.controls.cards["deploy"]
    card.set_open(True)
    qtbot.waitUntil(card.decisions.cancel.isVisible, timeout=PATIENCE_MS)
    for button in (card.decisions.cancel, card.decisions.refuse):
        card.decisions.problem.hide()
        QTest.mouseClick(button, LEFT)
        qtbot.waitUntil(card.decisions.problem.isVisible, timeout=PATIENCE_MS)
        assert WHY in card.decisions.problem.text()
    opened.navigation.show_watch()
    (waiting,) = opened.regions.watch.approvals.cards.values()
    QTest.mouseClick(waiting.refuse, LEFT)
    QTest.keyClick(waiting.reason, Qt.Key.Key_Return)
    qtbot.waitUntil(waiting.complaint.isVisible, timeout=PATIENCE_MS)
    assert WHY in waiting.complaint.text()


def test_that_a_drafted_schedule_comes_back_and_says_so(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    running = start(SCRIPTS / "steered.py", home=tmp_path, env={"STEPS": "3000", "PAUSE": "0.01"})
    try:
        running.wait_for_line("open it")
        damage_key()
        with desktop(qapp, tmp_path) as opened:

            def editor() -> Any:
                editors = [chart.property("plan") for chart in opened.regions.board.charts]
                return next((one for one in editors if one and one.button and one.button.isVisible()), None)

            qtbot.waitUntil(lambda: editor() is not None, timeout=60_000)
            QTest.mouseClick(editor().button, LEFT)
            model, bar = opened.plan.model, opened.plan.bar
            assert model.draft is not None
            assert model.type(0, str(model.draft.now + 900), "0.0012345") == ""
            qtbot.waitUntil(bar.send.isEnabled, timeout=PATIENCE_MS)
            QTest.mouseClick(bar.send, LEFT)
            qtbot.waitUntil(lambda: "not sent" in model.answer, timeout=PATIENCE_MS)
            assert WHY in model.answer
            assert bar.isVisible()
            assert "Not sent: " in texts(bar)
            assert str(model.draft.keyframes[0].value) == "0.0012345", "what was drafted is still there"
    finally:
        running.kill()


class Port:
    """Takes commands and answers nothing."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, folder: str, command: Command, via: str) -> None:
        self.sent.append(command.id)

    def cancel(self, folder: str, process: str, command_id: str) -> None: ...

    def approve(self, folder: str, process: str, command_id: str, yes: bool, reason: str) -> None: ...


def test_that_the_sender_tells_each_end_of_a_command_once(qapp: QApplication, qtbot: QtBot) -> None:
    current = CurrentRun()
    sender = CommandSender(current, current)
    told: list[tuple[str, str]] = []

    def send(name: str) -> None:
        command = Command(id=name, capability="lr", input=None)
        sender.send(command).when_settled(lambda problem: told.append((name, problem)))

    send("before any run")
    current.show("a")
    send("before the threads")
    port = Port()
    sender.set_port(port)
    for name in ("refused", "recorded", "left"):
        send(name)
    assert current.session is not None
    current.session.refused.emit("refused", "no key")
    current.session.command_recorded.emit("recorded")
    current.session.command_recorded.emit("recorded")
    current.show("b")
    assert port.sent == ["refused", "recorded", "left"]
    assert told == [
        ("before any run", "no run is open"),
        ("before the threads", "the connection has not started yet"),
        ("refused", "no key"),
        ("recorded", ""),
        ("left", RUN_LEFT),
    ]
    current.deleteLater()
