"""The strip: its texts, its warnings, and which cells it hides when it is narrow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.status_texts import StripTexts
from helm_desktop.model.run.warnings import RunWarning
from helm_desktop.theme import ThemeManager
from helm_desktop.views.strip import Strip
from helm_desktop.widgets import CountButton

WORDS = StripTexts(
    name="script-to-screen",
    state="live",
    status="live · quickstart",
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
    """A strip as wide as a window, with the status of a run."""
    made = Strip()
    qtbot.addWidget(made)
    made.resize(1340, 52)
    made.show()
    made.show_texts(WORDS)
    return made


def test_that_every_cell_with_a_text_is_shown(strip: Strip) -> None:
    assert strip.shown_cells() == {
        "Running": "0:38",
        "Step": "212 of 600",
        "Left": "1 min 10 s",
        "Processes": "1 on 1 machine",
        "Checkpoint": "step 188, 24 s ago",
        "Throughput": "6.1k samples/s",
    }
    strip.show_texts(StripTexts(name="n", state="live", running="0:01"))
    assert strip.shown_cells() == {"Running": "0:01"}


def test_that_a_narrow_strip_hides_the_least_important_cells(strip: Strip, qtbot: QtBot) -> None:
    strip.resize(640, 52)
    qtbot.waitUntil(lambda: "Throughput" not in strip.shown_cells())
    assert "Step" in strip.shown_cells()
    strip.resize(1340, 52)
    qtbot.waitUntil(lambda: "Throughput" in strip.shown_cells())


NAN = RunWarning("train/loss is nan since step 37", "bad", "train/loss", 37)
LITTLE = RunWarning("3.2 GB free on the run's disk", "warn")


def test_that_warnings_are_listed_by_urgency_and_can_be_chosen(strip: Strip, qtbot: QtBot) -> None:
    assert not strip.warning.isVisible()
    strip.show_texts(replace(WORDS, warnings=(NAN, LITTLE)))
    qtbot.waitUntil(lambda: strip.warning.text() == "train/loss is nan since step 37  +1")
    assert strip.warning.accessibleName() == "Warning: train/loss is nan since step 37, and 1 more"
    assert strip.warning.property("tone") == "bad"
    strip.warning.setFocus()
    QTest.keyClick(strip.warning, Qt.Key.Key_Space)
    (menu,) = strip.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == [NAN.text, LITTLE.text]
    with qtbot.waitSignal(strip.warning_chosen) as chosen:
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)
    assert chosen.args == [NAN]
    qtbot.waitUntil(lambda: not strip.findChildren(QMenu))
    strip.show_texts(replace(WORDS, warnings=(LITTLE,)))
    assert (strip.warning.text(), strip.warning.property("tone")) == (LITTLE.text, "warn")


def test_that_a_warning_stays_readable_while_cells_are_hidden(strip: Strip, qtbot: QtBot) -> None:
    strip.show_texts(replace(WORDS, warnings=(NAN, LITTLE)))
    strip.resize(800, 52)
    qtbot.waitUntil(lambda: "Throughput" not in strip.shown_cells())
    qtbot.waitUntil(lambda: strip.warning.text().startswith("train/loss is nan since"))
    assert strip.warning.text().endswith("+1")
    assert strip.warning.geometry().right() < strip.width()
    assert "Step" in strip.shown_cells()


def test_that_controls_asks_for_the_dock(strip: Strip, qtbot: QtBot) -> None:
    (button,) = strip.findChildren(CountButton)
    assert (button.accessibleName(), button.count) == ("Controls, 7", 7)
    with qtbot.waitSignal(strip.controls_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_that_the_strip_shows_that_no_run_is_open(strip: Strip) -> None:
    strip.show_texts(StripTexts())
    assert strip.shown_cells() == {}
