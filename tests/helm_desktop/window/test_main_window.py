"""The window's places: what is kept, hidden and brought forward."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from helm_desktop.actions.tables import ALL
from helm_desktop.theme import theme_of
from helpers.desktop import desktop


def test_that_panels_come_back_as_they_were_left(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as opened:
        opened.window.show_first_minute(False)
        opened.window.set_panel_widths(300, 400)
        qtbot.waitUntil(lambda: opened.window.panel_widths() == (300, 400))
        opened.window.resize(1500, 950)
    with desktop(qapp, tmp_path) as opened:
        opened.window.show_first_minute(False)
        qtbot.waitUntil(lambda: opened.window.panel_widths() == (300, 400))


def test_that_a_hidden_panel_stays_hidden_and_its_menu_says_so(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as opened:
        opened.regions.actions["toggle_runs"].trigger()
        assert not opened.regions.runs.isVisible()
    with desktop(qapp, tmp_path) as opened:
        assert not opened.regions.runs.isVisible()
        assert not opened.regions.actions["toggle_runs"].isChecked()


def test_that_every_action_is_in_the_menus_and_can_be_done(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as opened:
        assert set(opened.regions.actions) == {spec.id for spec in ALL}
        for name, action in opened.regions.actions.items():
            assert isinstance(action, QAction)
            if name not in {"quit", "demo", "open_folder", "show_folder", "full_screen"}:
                action.trigger()
        (box,) = opened.window.findChildren(QMessageBox)
        assert box.windowTitle() == "Helm"
        box.close()
        assert opened.palette.sheet is not None
        assert opened.palette.sheet.isVisible()
        opened.palette.sheet.close()


def test_that_the_theme_is_worn_at_once_and_kept(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.runs.loaded)  # long after it was first dressed
        opened.regions.actions["theme_light"].trigger()
        assert theme_of(opened.window).name == "light"
        assert opened.settings.theme == "light"
        opened.regions.actions["theme_dark"].trigger()
        assert theme_of(opened.window).name == "dark"


def test_that_keys_reach_the_filter_and_the_dock(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as opened:
        opened.window.activateWindow()
        qtbot.waitUntil(opened.window.isActiveWindow)
        QTest.keyClick(opened.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: opened.window.focusWidget() is opened.regions.runs.filter)
        QTest.keyClick(opened.window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: not opened.window.dock_shown)
