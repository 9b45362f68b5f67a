"""The runs panel under mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.runs_model import RunsModel
from helm_desktop.model.run.updates import RunRow
from helm_desktop.theme import ThemeManager
from helm_desktop.views.runs.panel import RunsPanel
from helm_sdk.protocol.peer import RunState

ROWS = [
    RunRow(f"id-{number}", f"/{number}", "quickstart", f"run {number}", state, 10.0 - number, step=37)
    for number, state in enumerate(RunState)
]


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeManager) -> RunsPanel:
    """A panel with a run in each state."""
    model = RunsModel()
    made = RunsPanel(model)
    model.setParent(made)
    made.resize(248, 700)
    qtbot.addWidget(made)
    made.show()
    model.set_runs(ROWS)
    return made


def model_of(panel: RunsPanel) -> RunsModel:
    """What the panel shows."""
    model = panel.list.model()
    assert isinstance(model, RunsModel)
    return model


def test_that_a_click_opens_a_run_once(panel: RunsPanel, qtbot: QtBot) -> None:
    asked: list[str] = []
    panel.run_requested.connect(asked.append)
    place = panel.list.visualRect(model_of(panel).index(3)).center()
    for _ in range(2):
        QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked == ["/2"]


def test_that_the_keys_go_from_run_to_run(panel: RunsPanel) -> None:
    asked: list[str] = []
    panel.run_requested.connect(asked.append)
    panel.choose("/0")
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    panel.step_run(1)
    panel.step_run(-1)
    assert asked == ["/1", "/2", "/1"]


def test_that_a_heading_is_no_run(panel: RunsPanel) -> None:
    asked: list[str] = []
    panel.run_requested.connect(asked.append)
    panel.choose("/0")
    panel.step_run(-1)
    assert asked == []


def test_that_typing_filters_and_the_open_run_stays_chosen(panel: RunsPanel, qtbot: QtBot) -> None:
    panel.choose("/4")
    QTest.keyClicks(panel.filter, "run 4")
    qtbot.waitUntil(lambda: model_of(panel).rowCount() == 2)
    assert panel.list.currentIndex().row() == 1
    panel.filter.clear()
    qtbot.waitUntil(lambda: model_of(panel).rowCount() == len(ROWS) + 1)
    assert panel.list.currentIndex().data() == "run 4"


def test_that_an_empty_list_says_why(panel: RunsPanel, qtbot: QtBot) -> None:
    QTest.keyClicks(panel.filter, "nothing like it")
    qtbot.waitUntil(lambda: "matches" in panel.message_text)
    panel.filter.clear()
    qtbot.waitUntil(lambda: panel.message_text == "")
    model_of(panel).set_runs([])
    assert "helm_sdk.init" in panel.message_text


def test_that_screen_readers_hear_the_whole_row(panel: RunsPanel) -> None:
    model_of(panel).set_runs([replace(ROWS[0], value=0.4118)])
    words = model_of(panel).index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "run 0, live · step 37, 0.412"


def test_that_escape_and_the_cross_empty_the_filter(panel: RunsPanel) -> None:
    QTest.keyClicks(panel.filter, "abc")
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.filter.text() == ""
    QTest.keyClicks(panel.filter, "abc")
    (cross,) = panel.filter.findChildren(QToolButton)
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert panel.filter.text() == ""
    assert not cross.isVisible()
