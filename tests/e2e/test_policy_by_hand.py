"""The policy typed in the settings is what a run goes by."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.views.settings.approvals import ApprovalsSection
from helm_desktop.views.settings.policy_rows import ApproverRow, LimitRowView
from helm_sdk.record.layout import config_home
from helpers.desktop import desktop
from helpers.scripts import helmctl

LEFT = Qt.MouseButton.LeftButton


def approvals(window: Desktop) -> ApprovalsSection:
    """The editor of the policy, as the Run menu opens it."""
    window.regions.actions["policy"].trigger()
    page = window.preferences.page
    assert page is not None
    assert window.storage.finish()  # the file is read
    assert page.isVisible()
    assert page.shown == "Approvals"
    return page.approvals


def test_that_a_policy_typed_by_hand_is_enforced(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with helm_sdk.init("shared", name="ruled", home=tmp_path) as run, desktop(qapp, tmp_path) as window:
        run.tunable("rate", 1.0, minimum=0.0, maximum=1.0, safe_point="step")
        qtbot.waitUntil(
            lambda: window.current.session is not None and window.current.session.complete, timeout=20_000
        )
        card = window.regions.controls.cards["set_rate"]
        card.set_open(True)
        assert card.rules.text() == ""
        editor = approvals(window)
        assert [editor.project.itemText(at) for at in range(editor.project.count())][1:] == ["In shared"]
        assert not editor.save.isEnabled()  # nothing is changed yet
        QTest.mouseClick(editor.controls.add, LEFT)
        line = editor.controls.lines[0]
        assert isinstance(line, ApproverRow)
        QTest.keyClicks(line.control, "set_*")
        QTest.keyClick(editor.limited, Qt.Key.Key_Space)
        QTest.mouseClick(editor.limits.add, LEFT)
        limit = editor.limits.lines[0]
        assert isinstance(limit, LimitRowView)
        QTest.keyClicks(limit.control, "set_rate")
        QTest.keyClicks(limit.bounds, "value")
        assert "says no bounds" in editor.problem.text()
        assert not editor.save.isEnabled()
        QTest.keyClicks(limit.bounds, " 0.5..")
        assert "programs may change set_rate, with value at 0.5 or more" in editor.words.text()
        window.preferences.close()
        assert approvals(window).limits.lines == [limit]  # what was begun is there when they are opened again
        QTest.mouseClick(editor.save, LEFT)
        assert window.storage.finish()
        assert not editor.save.isEnabled()
        written = json.loads((config_home() / "policy.json").read_text())
        assert written["controls"] == [{"control": "set_*", "approval": "another key"}]
        qtbot.waitUntil(lambda: card.rules.text() != "", timeout=10_000)
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
        qtbot.waitUntil(lambda: card.rules.text() == "", timeout=10_000)


def test_that_discarded_changes_are_gone(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as window:
        editor = approvals(window)
        QTest.mouseClick(editor.controls.add, LEFT)
        assert not editor.project.isEnabled()  # the other sections wait until this one is saved or not
        QTest.mouseClick(editor.discard, LEFT)
        assert editor.controls.lines == []
        assert editor.project.isEnabled()
        assert not (config_home() / "policy.json").exists()


def test_that_a_broken_policy_is_not_written_over(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    config_home().mkdir(parents=True, exist_ok=True)
    (config_home() / "policy.json").write_text("{")
    with desktop(qapp, tmp_path) as window:
        editor = approvals(window)
        assert "Repair or move it first" in editor.about.text()
        assert not editor.editor.isVisible()
        (config_home() / "policy.json").unlink()
        assert approvals(window).editor.isVisible()
