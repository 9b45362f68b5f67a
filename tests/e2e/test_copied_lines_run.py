"""What "Copy as shell command" copies does the same when a shell runs it, wherever the run lies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.controls.fields import NumberEditor, TextEditor
from helm_desktop.views.controls.form import RecordForm
from helpers.desktop import desktop, session_of
from helpers.hands import write
from helpers.scripts import shown, start

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 30_000
TEXT = 'it\'s $HOME "now" `ls` \\ ünï -x'
SCRIPT = """
import helm_sdk, time
run = helm_sdk.init("copied", name="copied")
run.tunable("rate", 1.0, minimum=-1.0, maximum=1.0)
@run.command
def note_down(text: str, count: int = 1) -> str:
    return text * count
step = 0
while True:
    run.sync("step", step=step)
    run.log({"train/loss": 1.0}, step=step)
    step += 1
    time.sleep(0.01)
"""


def paste(field: QLineEdit, text: str) -> None:
    """QTest types no letter beyond ASCII."""
    QGuiApplication.clipboard().setText(text)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == text


def run_copied(home: Path | None) -> str:
    """Run what is on the clipboard in a shell; helmctl there is that of these tests."""
    line = QGuiApplication.clipboard().text()
    assert line.startswith("helmctl send ")
    env = {name: value for name, value in os.environ.items() if name != "HELM_RUN_HOME"}
    if home is not None:
        env["HELM_RUN_HOME"] = str(home)
    shell = f'helmctl() {{ "{sys.executable}" -m helm_sdk.cli "$@"; }}\n{line} --wait'
    done = subprocess.run(["sh", "-c", shell], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return line


def changes(home: Path) -> list[tuple[str, object, str]]:
    """Every change of the run: its control, its input and its reason."""
    return [(one["control"], one["input"], one["reason"]) for one in shown(home=home)["changes"]]


def copy_from_activity(window: Desktop, qtbot: QtBot, text: str) -> None:
    """The menu of the line that says so, by the menu key."""
    rows = window.regions.activity.rows
    model = rows.model()
    at = next(row for row in range(model.rowCount()) if text in str(model.index(row, 0).data()))
    rows.setCurrentIndex(model.index(at, 0))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(rows.viewport(), event)
    menus = [menu for menu in window.regions.activity.findChildren(QMenu) if menu.isVisible()]
    (menu,) = menus
    action = next(action for action in menu.actions() if action.text() == "Copy as shell command")
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    qtbot.waitUntil(lambda: not menu.isVisible())


@pytest.mark.skipif(os.name != "posix", reason="the line is for a POSIX shell")
def test_that_a_draft_and_a_change_of_the_past_are_sent_again_by_the_shell(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = start(SCRIPT, home=tmp_path)
    try:
        script.wait_for_line("helm: run")
        with desktop(qapp, tmp_path) as window:  # a home that only --home names: the line names the folder
            qtbot.waitUntil(
                lambda: window.current.session is not None and len(window.regions.controls.cards) == 2,
                timeout=PATIENCE_MS,
            )
            session = session_of(window)
            card = window.regions.controls.cards["note_down"]
            card.set_open(True)
            text = card.editor.rows["text"].editor if isinstance(card.editor, RecordForm) else None
            assert isinstance(text, TextEditor)
            paste(text.field, TEXT)
            paste(card.reason, TEXT)
            QTest.mouseClick(card.copy, LEFT)
            line = run_copied(None)
            assert session.folder in line
            assert changes(tmp_path) == [("note_down", {"text": TEXT}, TEXT)]
            qtbot.waitUntil(
                lambda: any("note_down" in text for text in window.regions.activity.lines()),
                timeout=PATIENCE_MS,
            )
            copy_from_activity(window, qtbot, "note_down")
            run_copied(None)
            assert changes(tmp_path) == [("note_down", {"text": TEXT}, TEXT)] * 2
        monkeypatch.setenv("HELM_RUN_HOME", str(tmp_path))
        with desktop(qapp, None) as window:  # where helmctl looks by itself: the id is enough
            qtbot.waitUntil(
                lambda: window.current.session is not None and len(window.regions.controls.cards) == 2,
                timeout=PATIENCE_MS,
            )
            rate = window.regions.controls.cards["set_rate"]
            rate.set_open(True)
            number = rate.editor.rows["value"].editor if isinstance(rate.editor, RecordForm) else None
            assert isinstance(number, NumberEditor)
            write(number.field, "-1e-3")
            QTest.mouseClick(rate.copy, LEFT)
            line = run_copied(tmp_path)
            assert f"helmctl send {Path(session_of(window).folder).name} " in line
        assert ("set_rate", {"value": -1e-3}, "") in changes(tmp_path)
    finally:
        script.kill()
