"""What was edited or typed in the moment before the window closes is in its files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.views.note_field import NoteField
from helm_sdk.record.layout import config_home
from helm_sdk.record.user import read_user
from helm_sdk.rules import Rule
from helm_sdk.rules.store import read_rules, rules_path
from helpers.desktop import desktop, session_of

PATIENCE_MS = 20_000


def test_that_closing_at_once_after_an_edit_loses_nothing(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with helm_sdk.init("p", name="r", home=tmp_path) as run:
        for step in range(20):
            run.log({"loss": 1.0 / (step + 1)}, step=step)
        assert run.folder is not None
        folder = run.folder
    rule = Rule(id="a", metric="loss", when="above", value=2.0)
    with desktop(qapp, tmp_path) as window:
        board = window.regions.board
        qtbot.waitUntil(
            lambda: board.charts.chart("loss") is not None and board.cells.drawn, timeout=PATIENCE_MS
        )
        chart = board.charts.chart("loss")
        assert chart is not None
        chart.notes.requested.emit(3)
        (field,) = window.window.findChildren(NoteField)
        QTest.keyClicks(field.edit, "typed and not kept yet")
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_L)
        session_of(window).rules.set_rule(rule)
        window.settings.update_seconds = 0.5
        window.window.close()
    assert read_user(folder).step_notes == {"3": "typed and not kept yet"}
    assert read_rules(rules_path("p")) == (rule,)
    assert '"log_y": true' in (config_home() / "boards" / "p.json").read_text()
    with desktop(qapp, tmp_path) as again:
        assert again.settings.update_seconds == 0.5
        assert again.settings.last_run == str(folder)
        assert not again.settings.geometry.isEmpty()
