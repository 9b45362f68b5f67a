"""Two windows on one project: what is edited in one is in the other soon, and undo stays one's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.views.board.chart.chart import ChartView
from helpers.desktop import desktop
from helpers.qt_leaks import no_qt_leaks

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")


def charts(opened: Desktop) -> list[str]:
    """The charts of the board, in order."""
    return [chart for plan in opened.regions.board.pages.shown for chart in plan.charts]


def shows_all(opened: Desktop) -> bool:
    """Whether the board is as the rules lay it out."""
    return charts(opened) == ["a", "b", "c"]


def built(qtbot: QtBot, opened: Desktop, name: str) -> ChartView:
    """A chart in sight."""
    board = opened.regions.board
    qtbot.waitUntil(lambda: board.charts.chart(name) is not None and board.cells.drawn, timeout=20_000)
    chart = board.charts.chart(name)
    assert chart is not None
    return chart


def test_that_edits_in_one_window_are_in_the_other_and_undo_is_ones_own(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with helm_sdk.init("shared", name="run", home=tmp_path) as run:
        for step in range(20):
            run.log({name: float(step) for name in ("a", "b", "c")}, step=step)
    with desktop(qapp, tmp_path) as one, desktop(qapp, tmp_path) as other:
        for opened in (one, other):
            qtbot.waitUntil(partial(shows_all, opened), timeout=20_000)
        chart = built(qtbot, one, "a")
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_L)  # a logarithmic y axis
        qtbot.waitUntil(lambda: built(qtbot, other, "a").content.spec.log_y, timeout=20_000)

        chart = built(qtbot, other, "b")
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_Delete)
        assert charts(other) == ["a", "c"]
        qtbot.waitUntil(lambda: charts(one) == ["a", "c"], timeout=20_000)

        assert not one.regions.actions["redo"].isEnabled()
        one.regions.actions["undo"].trigger()
        assert charts(one) == ["a", "c"], "what the other did stays"
        qtbot.waitUntil(lambda: not built(qtbot, other, "a").content.spec.log_y, timeout=20_000)
        other.regions.actions["undo"].trigger()
        assert charts(other) == ["a", "b", "c"]
        qtbot.waitUntil(lambda: charts(one) == ["a", "b", "c"], timeout=20_000)
