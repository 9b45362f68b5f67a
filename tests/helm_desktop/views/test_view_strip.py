"""The strip in words and in little room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from helm_desktop.model.strip import StripWords
from helm_desktop.theme import ThemeManager
from helm_desktop.views.strip import Strip

WORDS = StripWords(
    name="script-to-screen",
    state="live",
    standing="live · quickstart",
    running="0:38",
    step="212 of 600",
    share=0.355,
    left="1 min 10 s",
    processes="1 on 1 machine",
    checkpoint="step 188, 24 s ago",
    throughput="6.1k samples/s",
    controls=7,
)


@pytest.fixture
def strip(qtbot: QtBot, theme: ThemeManager) -> Strip:
    """A strip as wide as a window."""
    made = Strip()
    qtbot.addWidget(made)
    made.resize(1300, 52)
    made.show()
    made.show_words(WORDS)
    return made


def test_that_every_cell_with_words_is_shown(strip: Strip) -> None:
    assert strip.shown_cells() == {
        "Running": "0:38",
        "Step": "212 of 600",
        "Left": "1 min 10 s",
        "Processes": "1 on 1 machine",
        "Checkpoint": "step 188, 24 s ago",
        "Throughput": "6.1k samples/s",
    }
    strip.show_words(StripWords(name="n", state="live", running="0:01"))
    assert strip.shown_cells() == {"Running": "0:01"}


def test_that_in_little_room_the_least_important_gives_way(strip: Strip, qtbot: QtBot) -> None:
    strip.resize(640, 52)
    qtbot.waitUntil(lambda: "Throughput" not in strip.shown_cells())
    assert "Step" in strip.shown_cells()
    strip.resize(1300, 52)
    qtbot.waitUntil(lambda: "Throughput" in strip.shown_cells())


def test_that_controls_asks_for_the_dock(strip: Strip, qtbot: QtBot) -> None:
    button = next(button for button in strip.findChildren(QPushButton) if "Controls" in button.text())
    assert button.text().endswith("7")
    with qtbot.waitSignal(strip.controls_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_that_no_run_is_said(strip: Strip) -> None:
    strip.show_words(StripWords())
    assert strip.shown_cells() == {}
