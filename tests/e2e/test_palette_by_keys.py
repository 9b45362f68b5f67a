"""Ctrl K on a real run: what is found is gone to or done; the sheet of keys says what the keys are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.views.palette import Palette
from helm_desktop.views.shortcut_sheet import ShortcutSheet
from helpers.desktop import desktop, session_of

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def opened(window: Desktop, qtbot: QtBot) -> Palette:
    """The palette, opened by its keys."""
    window.window.activateWindow()
    qtbot.waitUntil(window.window.isActiveWindow)
    QTest.keyClick(window.window, Qt.Key.Key_K, CONTROL)
    palette = window.palette.palette
    assert palette is not None
    assert palette.isVisible()
    assert palette.field.hasFocus()
    return palette


def go(window: Desktop, qtbot: QtBot, text: str) -> None:
    """Type and press Return."""
    palette = opened(window, qtbot)
    QTest.keyClicks(palette.field, text)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()


def test_that_each_kind_is_found_and_gone_to(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with helm_sdk.init("p", name="first", home=tmp_path):
        pass
    with helm_sdk.init("p", name="second", home=tmp_path) as run, desktop(qapp, tmp_path) as window:
        run.tunable("rate", 1.0, minimum=0.0, maximum=1.0)
        for step in range(20):
            run.log({f"{part}/value{at}": 1.0 for part in ("a", "b") for at in range(20)}, step=step)
        screen = window.regions
        qtbot.waitUntil(lambda: len(session_of(window).streams.names) == 40, timeout=20_000)
        qtbot.waitUntil(lambda: bool(screen.controls.cards), timeout=20_000)
        go(window, qtbot, "control set_rate")
        card = screen.controls.cards["set_rate"]
        assert card.is_open
        assert card.header.hasFocus()
        go(window, qtbot, "b/value7")
        assert screen.board.current.id == "b/value7"
        go(window, qtbot, "light")
        assert window.theme.choice == "light"
        go(window, qtbot, "home folder")
        assert window.preferences.page is not None
        assert window.preferences.page.shown == "Folders"
        window.preferences.close()
        assert window.current.session is not None
        qtbot.waitUntil(lambda: window.runs.loaded and len(window.runs.runs) == 2, timeout=20_000)
        go(window, qtbot, "run first")
        assert window.current.session.key.endswith(
            next(r.run_id for r in window.runs.runs if r.name == "first")
        )


def test_that_the_palette_is_walked_by_keys_and_gives_the_focus_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        screen = window.regions
        window.window.activateWindow()
        qtbot.waitUntil(window.window.isActiveWindow)
        screen.runs.filter.setFocus()
        QTest.mouseClick(window.window.search, LEFT)
        palette = window.palette.palette
        assert palette is not None
        QTest.keyClicks(palette.field, "run")
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            QTest.keyClick(palette.field, key)
        assert palette.list.currentIndex().row() == 1
        QTest.keyClicks(palette.field, "?zz")
        assert palette.nothing.text() == "Nothing matches “run?zz”. Try fewer letters."
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        assert palette.isVisible()  # there is nothing to go to
        QTest.keyClick(palette.field, Qt.Key.Key_Escape)
        assert not palette.isVisible()
        screen.runs.filter.setFocus()
        opened(window, qtbot)
        QTest.keyClick(palette.field, Qt.Key.Key_Escape)
        assert screen.runs.filter.hasFocus()
        opened(window, qtbot)
        screen.runs.filter.setFocus()  # somebody clicks elsewhere
        assert not palette.isVisible()


def test_that_a_click_in_the_palette_does_it(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    with desktop(qapp, tmp_path) as window:
        palette = opened(window, qtbot)
        QTest.keyClicks(palette.field, "runs panel")
        place = palette.list.visualRect(palette.model.index(0)).center()
        QTest.mouseClick(palette.list.viewport(), LEFT, pos=place)
        assert not window.regions.runs.isVisible()


def test_that_the_sheet_lists_keys_as_they_are_now_and_leads_to_their_settings(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        window.preferences.shortcuts.set("show_watch", "Ctrl+J")
        window.window.activateWindow()
        qtbot.waitUntil(window.window.isActiveWindow)
        window.regions.runs.filter.setFocus()
        QTest.keyClicks(window.regions.runs.filter, "?")  # a letter where letters are typed
        assert window.palette.sheet is None
        window.regions.runs.list.setFocus()
        QTest.keyClicks(window.regions.runs.list, "?")
        sheet = window.palette.sheet
        assert isinstance(sheet, ShortcutSheet)
        said = {label.accessibleName() for label in sheet.findChildren(QLabel)}
        assert {
            "Watch: Ctrl+J",
            "Keyboard shortcuts: F1 or ?",
            "Move by 1%: ← →",
            "Move by 5%: Shift+← Shift+→",
        } <= said
        QTest.keyClicks(sheet.search, "full screen")
        assert [label.text() for label in sheet.findChildren(QLabel) if label.isVisible()] == [
            "View",
            "F11",
            "Full screen",
        ]
        QTest.keyClicks(sheet.search, " no")
        assert sheet.nothing.isVisible()
        QTest.mouseClick(sheet.change, LEFT)
        qtbot.waitUntil(lambda: window.palette.sheet is None)
        assert window.preferences.page is not None
        assert window.preferences.page.shown == "Shortcuts"
        window.window.activateWindow()
        qtbot.waitUntil(window.window.isActiveWindow)
        QTest.keyClick(window.window, Qt.Key.Key_F1)
        sheet = window.palette.sheet
        assert isinstance(sheet, ShortcutSheet)
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: window.palette.sheet is None)
