"""The policy typed in the window is what a run goes by."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.views.policy import PolicyDialog
from helm_desktop.views.policy.rows import ControlLine, LimitLine
from helm_sdk.record.layout import config_home
from helpers.desktop import desktop
from helpers.scripts import helmctl

LEFT = Qt.MouseButton.LeftButton


def test_that_a_policy_typed_by_hand_is_enforced(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with helm_sdk.init("shared", name="ruled", home=tmp_path) as run, desktop(qapp, tmp_path) as window:
        run.tunable("rate", 1.0, minimum=0.0, maximum=1.0, safe_point="step")
        qtbot.waitUntil(lambda: window.session is not None and window.session.complete, timeout=20_000)
        window.screen.actions["policy"].trigger()
        card = window.screen.controls.cards["set_rate"]
        card.set_open(True)
        assert card.rules.text() == "You may send"
        dialog = window.window.findChild(PolicyDialog)
        assert dialog is not None
        assert "there is" not in dialog.words.text()
        QTest.mouseClick(dialog.controls.add, LEFT)
        line = dialog.controls.lines[0]
        assert isinstance(line, ControlLine)
        QTest.keyClicks(line.control, "set_*")
        QTest.keyClick(dialog.limited, Qt.Key.Key_Space)
        QTest.mouseClick(dialog.limits.add, LEFT)
        limit = dialog.limits.lines[0]
        assert isinstance(limit, LimitLine)
        QTest.keyClicks(limit.control, "set_rate")
        QTest.keyClicks(limit.bounds, "value")
        assert "says no bounds" in dialog.problem.text()
        assert not dialog.save.isEnabled()
        QTest.keyClicks(limit.bounds, " 0.5..")
        assert "programs may change set_rate, with value at 0.5 or more" in dialog.words.text()
        QTest.mouseClick(dialog.save, LEFT)
        written = json.loads((config_home() / "policy.json").read_text())
        assert written["controls"] == [{"control": "set_*", "approval": "another key"}]
        qtbot.waitUntil(lambda: card.rules.text() != "You may send", timeout=10_000)
        assert card.rules.text() == "Another key must approve · programs: value at 0.5 or more"
        assert card.header.approval.text() == "needs approval"
        done = helmctl("send", "ruled", "set_rate", '{"value": 0.2}', home=tmp_path)
        assert "awaiting approval" in done.stdout, done.stdout + done.stderr
        asked = ("policy", "check", "--control", "set_rate", "--via", "bot")
        checked = helmctl(*asked, "--input", '{"value": 0.2}', home=tmp_path)
        assert checked.returncode == 3
        qtbot.waitUntil(lambda: not card.decisions.approve.isHidden(), timeout=10_000)
        assert not card.decisions.approve.isEnabled(), "it is the same key that sent it"
        (config_home() / "policy.json").unlink()
        qtbot.waitUntil(lambda: card.rules.text() == "You may send", timeout=10_000)


def test_that_a_broken_policy_is_not_written_over(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    config_home().mkdir(parents=True, exist_ok=True)
    (config_home() / "policy.json").write_text("{")
    with desktop(qapp, tmp_path) as window, qtbot.waitSignal(window.policy.said) as said:
        window.screen.actions["policy"].trigger()
        assert window.window.findChild(PolicyDialog) is None
    assert "Mend or move it first" in said.args[0]
    assert (config_home() / "policy.json").read_text() == "{"
