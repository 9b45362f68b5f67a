"""What goes wrong in a real run stands in the strip, and leads to where it is."""

from __future__ import annotations

from math import nan
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

import helm_sdk
from helpers.desktop import desktop

LEFT = Qt.MouseButton.LeftButton


def test_that_a_loss_that_breaks_is_said_and_led_to(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with helm_sdk.init("p", name="breaks", home=tmp_path) as run, desktop(qapp, tmp_path) as window:
        for step in range(40):
            run.log({"acc": 1.0, "train/loss": nan if step >= 37 else 1.0}, step=step)
        strip, board = window.regions.strip, window.regions.board
        words = "train/loss is nan since step 37"
        qtbot.waitUntil(lambda: strip.warning.whole == words, timeout=20_000)
        QTest.mouseClick(strip.warning, LEFT)
        (menu,) = strip.findChildren(QMenu)
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: board.current.id == "train/loss", timeout=10_000)
        run.log({"acc": 1.0, "train/loss": 1.0}, step=40)
        after = "3 points of train/loss are not finite, the last at step 39"
        qtbot.waitUntil(lambda: strip.warning.whole == after, timeout=20_000)
        assert strip.warning.property("tone") == "warn"
