"""A drafted change that another has to approve: the bar says so, and a refusal brings the draft back."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.views.board.plan.editor import PlanEditor
from helm_sdk.record.layout import config_home
from helpers.desktop import desktop, session_of
from helpers.scripts import SCRIPTS, helmctl, start

LEFT = Qt.MouseButton.LeftButton


def test_that_a_refused_draft_comes_back_as_it_was_with_the_refusal(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    running = start(SCRIPTS / "steered.py", home=tmp_path, env={"STEPS": "3000", "PAUSE": "0.02"})
    try:
        with desktop(qapp, tmp_path) as opened:
            board, bar, model = opened.regions.board, opened.plan.bar, opened.plan.model

            def editor() -> PlanEditor | None:
                found = [chart.property("plan") for chart in board.charts]
                return next((one for one in found if one and one.button and one.button.isVisible()), None)

            qtbot.waitUntil(lambda: editor() is not None, timeout=60_000)
            chosen = editor()
            assert chosen is not None
            assert chosen.button is not None
            QTest.mouseClick(chosen.button, LEFT)
            overlay = chosen.overlay
            assert overlay is not None
            for _ in range(8):
                QTest.keyClick(overlay, Qt.Key.Key_Down)
            qtbot.waitUntil(bar.send.isEnabled)
            assert bar.approver.text() == "Approver: me"
            policy = {"controls": [{"control": "lr", "approval": "another key"}]}
            (config_home() / "policy.json").write_text(json.dumps(policy))
            qtbot.waitUntil(lambda: bar.approver.text() == "Approver: another key", timeout=10_000)
            assert bar.approver.toolTip() == "Another key must approve"
            QTest.keyClick(overlay, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(bar.reason, "plateau")
            assert model.draft is not None
            frames = model.draft.keyframes
            QTest.keyClick(bar.reason, Qt.Key.Key_Return)
            assert not bar.isVisible()
            controls = session_of(opened).controls
            qtbot.waitUntil(lambda: bool(controls.commands.awaiting_approval()), timeout=20_000)
            (record,) = controls.commands.awaiting_approval()
            assert record.latest.approval == "another key"
            done = helmctl("approve", "latest", record.id, "--refuse", "--reason", "too high", home=tmp_path)
            assert done.returncode == 0, done.stderr
            qtbot.waitUntil(lambda: model.draft is not None, timeout=20_000)
            assert model.draft.keyframes == frames
            assert model.reason == "plateau"
            assert model.answer.startswith("rejected: refused by ")
            assert model.answer.endswith(": too high")
            assert chosen.overlay is not None
            assert bar.summary.text() == f"R{model.answer[1:]}"
            assert bar.send.isEnabled(), "it can be asked for again"
    finally:
        running.kill()
