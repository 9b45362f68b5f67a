"""The settings in the real window, by mouse and keys: each holds at once and after a restart."""

from __future__ import annotations

import os
import stat
import time
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
)
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.controllers.settings import SECTIONS
from helm_desktop.startup import relaunch
from helm_desktop.startup.arguments import AppOptions
from helm_desktop.theme import theme_of
from helm_desktop.views.settings import SettingsPage
from helm_desktop.window import notifier
from helm_sdk.keys import load_keys, trusted
from helm_sdk.record.layout import config_home
from helpers.desktop import desktop

LEFT = Qt.MouseButton.LeftButton
OTHER = "rq5+kK=cl/%}iJ6aYlO+g>0e#*(2Qf:d-x9F7ZbC"


def page_of(window: Desktop, qtbot: QtBot, section: str = "") -> SettingsPage:
    """The settings, opened by their keys."""
    window.window.activateWindow()
    qtbot.waitUntil(window.window.isActiveWindow)
    QTest.keyClick(window.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    page = window.preferences.page
    assert page is not None
    assert page.isVisible()
    page.show_chapter(section)
    return page


def test_that_keys_open_the_settings_and_escape_leads_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        page = page_of(window, qtbot)
        assert tuple(page.sections) == SECTIONS
        assert not window.regions.runs.isVisible()
        QTest.keyClick(page.list, Qt.Key.Key_Down)
        assert page.shown == "Updates"
        QTest.keyClick(page.list, Qt.Key.Key_Escape)
        assert not page.isVisible()
        assert window.regions.runs.isVisible()
        assert page_of(window, qtbot).shown == "Updates"
        QTest.mouseClick(page.done, LEFT)
        assert window.regions.runs.isVisible()


def test_that_tab_leads_through_a_section_and_everything_has_a_name(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        page = page_of(window, qtbot, "Notifications")
        order = [page.list, page.done, page.notifications.notify, page.notifications.sound]
        for here, after in pairwise(order):
            assert here.hasFocus()
            QTest.keyClick(here, Qt.Key.Key_Tab)
            assert after.hasFocus()
        for kind in (QAbstractButton, QComboBox, QKeySequenceEdit, QLineEdit, QListWidget):
            for widget in page.findChildren(kind):
                own = widget.text() if isinstance(widget, QAbstractButton) else ""
                inner = isinstance(widget.parent(), QKeySequenceEdit)  # it speaks for what is inside of it
                assert inner or widget.accessibleName() or own, widget
                assert widget.accessibleName() != "×"
                assert own != "×" or widget.accessibleName()


def test_that_the_gear_menu_leads_to_the_settings(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as window:
        menu = window.regions.strip._gear.menu()
        assert window.regions.actions["settings"] in menu.actions()


def test_that_the_theme_is_worn_at_once_and_said_in_the_menu(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        page = page_of(window, qtbot)
        QTest.mouseClick(page.appearance.theme.button("light"), LEFT)
        assert theme_of(window.window).name == "light"
        assert window.regions.actions["theme_light"].isChecked()
        window.regions.actions["theme_dark"].trigger()
        assert page.appearance.theme.value == "dark"
        assert theme_of(window.window).name == "dark"
    with desktop(qapp, tmp_path) as again:
        assert page_of(again, qtbot).appearance.theme.value == "dark"


def test_that_another_scale_says_that_it_needs_a_new_window_and_opens_it(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, float]] = []

    def start(options: AppOptions, run: str, scale: float) -> str:
        asked.append((run, scale))
        return "" if len(asked) > 1 else "The new window did not open: no more processes"

    monkeypatch.setattr(relaunch, "start", start)
    with helm_sdk.init("p", name="r", home=tmp_path), desktop(qapp, tmp_path) as window:
        qtbot.waitUntil(
            lambda: window.current.session is not None and window.current.session.complete, timeout=20_000
        )
        appearance = page_of(window, qtbot).appearance
        assert not appearance.reopen.isVisible()
        QTest.mouseClick(appearance.scale.button(1.5), LEFT)
        assert appearance.note.text() == (
            "This window was opened at 1. A new one has the scale 1.5; the run goes on meanwhile."
        )
        QTest.mouseClick(appearance.reopen, LEFT)
        assert window.window.isVisible()  # it stays while there is no other
        QTest.mouseClick(appearance.reopen, LEFT)
        assert window.current.session is not None
        assert asked == [(window.current.session.folder, 1.5)] * 2
        assert not window.window.isVisible()


def test_that_a_slower_pace_renews_less_often_and_leaves_nothing_out(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with helm_sdk.init("p", name="r", home=tmp_path) as run, desktop(qapp, tmp_path) as window:
        run.log({"a": 1.0}, step=0)
        qtbot.waitUntil(
            lambda: window.current.session is not None and window.current.session.complete, timeout=20_000
        )
        session = window.current.session
        assert session is not None
        updates = page_of(window, qtbot).updates
        QTest.mouseClick(updates.pace.button(2.0), LEFT)
        assert window.settings.pace == 2.0
        with qtbot.waitSignal(session.points_arrived, timeout=10_000):
            run.log({"a": 2.0}, step=1)
        told: list[int] = []
        session.points_arrived.connect(lambda: told.append(session.store.series["a"].count))
        began = time.monotonic()
        for step in range(2, 40):
            run.log({"a": 3.0}, step=step)
            QTest.qWait(20)
        assert len(told) <= 1 + (time.monotonic() - began) / 2.0
        qtbot.waitUntil(lambda: session.store.series["a"].count == 40, timeout=10_000)
        session.points_arrived.disconnect()


def test_that_switches_hold_for_rules(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as window:
        notifications = page_of(window, qtbot, "Notifications").notifications
        for switch in (notifications.sound, notifications.acts["run"]):
            QTest.mouseClick(switch, LEFT)
        QTest.keyClick(notifications.notify, Qt.Key.Key_Space)
        settings = window.settings
        assert (settings.notifies, settings.sounds, settings.rules_may("run")) == (False, False, False)
        assert settings.rules_may("send")
    with desktop(qapp, tmp_path) as again:
        notifications = page_of(again, qtbot).notifications
        assert not notifications.notify.isChecked()
        assert not notifications.acts["run"].isChecked()
        assert notifications.acts["webhook"].isChecked()


@pytest.mark.skipif(os.name != "posix", reason="the program that stands in for notify-send is a shell script")
def test_that_a_desktop_without_a_tray_is_told_by_notify_send(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, said = tmp_path / "bin" / "notify-send", tmp_path / "said"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}.new && mv {said}.new {said}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(notifier, "tray_tells", lambda: False)
    with desktop(qapp, tmp_path) as window:
        window.notifier.find_program(lambda: None)
        assert window.storage.finish()
        assert "As this desktop shows them" in window.notifier.where()
        window.settings.notifies = False
        window.notifier.tell("Too high", "train/loss is 3", beep=False)
        assert window.storage.finish()
        window.settings.notifies = True
        window.notifier.tell("-x · run", "train/loss is 4", beep=False)
        qtbot.waitUntil(said.exists, timeout=10_000)
    assert said.read_text().splitlines() == ["--app-name=Helm", "--", "-x · run", "train/loss is 4"]


def test_that_another_home_lists_its_runs_at_once(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, other = tmp_path / "usual", tmp_path / "other"
    monkeypatch.setenv("HELM_RUN_HOME", str(usual))
    for name, home in (("here", usual), ("there", other)):
        with helm_sdk.init("p", name=name, home=home):
            pass

    def names(window: Desktop) -> list[str]:
        model = window.runs
        return [row.name for at in range(model.rowCount()) if (row := model.run_at(at)) is not None]

    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    with desktop(qapp, None) as window:
        qtbot.waitUntil(lambda: names(window) == ["here"], timeout=20_000)
        folders = page_of(window, qtbot, "Folders").folders
        assert folders.home.text() == str(usual)
        assert "HELM_RUN_HOME names it" in folders._home.text.text()
        assert not folders.usual.isVisible()
        window.preferences.choose_home(str(other))
        qtbot.waitUntil(lambda: names(window) == ["there"], timeout=20_000)
        QTest.mouseClick(folders.open_home, LEFT)
        assert window.storage.finish()
        assert opened == [QUrl.fromLocalFile(str(other))]
    with desktop(qapp, None) as again:
        qtbot.waitUntil(lambda: names(again) == ["there"], timeout=20_000)
        folders = page_of(again, qtbot, "Folders").folders
        QTest.mouseClick(folders.usual, LEFT)
        qtbot.waitUntil(lambda: names(again) == ["here"], timeout=20_000)


def test_that_a_key_is_trusted_and_taken_off_by_hand(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        keys = page_of(window, qtbot, "Keys").keys
        assert window.storage.finish()
        assert keys.own.text() == load_keys().public
        QTest.mouseClick(keys.copy, LEFT)
        assert QApplication.clipboard().text() == load_keys().public
        assert keys.empty.isVisible()
        QTest.keyClicks(keys.name, "ada")
        QTest.keyClicks(keys.key, "short")
        QTest.keyClick(keys.key, Qt.Key.Key_Return)
        assert window.storage.finish()
        assert keys.problem.text() == "A public key is 40 characters of Z85 text, this is not"
        assert trusted() == {}
        keys.key.selectAll()
        QTest.keyClicks(keys.key, OTHER)
        QTest.mouseClick(keys.add, LEFT)
        assert window.storage.finish()
        assert trusted() == {"ada": OTHER}
        assert keys.name.text() == keys.key.text() == ""
        QTest.mouseClick(keys.lines["ada"].remove, LEFT)
        assert window.storage.finish()
        assert trusted() == {}
        assert keys.lines == {}


def test_that_keys_of_an_action_are_changed_and_kept(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        shortcuts = page_of(window, qtbot, "Shortcuts").shortcuts
        line, action = shortcuts.lines["show_watch"], window.regions.actions["show_watch"]
        QTest.keyClick(line.keys, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
        assert line.problem.text() == "Ctrl+O is Open a run folder: give that another key first"
        assert action.shortcut() == QKeySequence("Ctrl+Shift+W")
        QTest.keyClick(line.keys, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
        assert action.shortcut() == QKeySequence("Ctrl+J")
        assert line.problem.isHidden()
        QTest.keyClicks(shortcuts.search, "ctrl+j")
        assert [own.words for own in shortcuts.lines.values() if own.isVisible()] == ["Watch"]
        shortcuts.search.setText("no such thing")
        assert shortcuts.nothing.text() == "No action fits “no such thing”."
    with desktop(qapp, tmp_path) as again:
        action = again.regions.actions["show_watch"]
        assert action.shortcut() == QKeySequence("Ctrl+J")
        line = page_of(again, qtbot, "Shortcuts").shortcuts.lines["show_watch"]
        QTest.mouseClick(line.reset, LEFT)
        assert action.shortcut() == QKeySequence("Ctrl+Shift+W")
        QTest.mouseClick(line.clear, LEFT)
        assert action.shortcut().isEmpty()


def test_that_a_broken_file_is_told_of_in_the_window(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    config_home().mkdir(parents=True, exist_ok=True)
    (config_home() / "desktop.ini").write_bytes(b"\0\0\0\0")
    with desktop(qapp, tmp_path) as window:
        assert "holds no settings" in window.window.statusBar().currentMessage()
