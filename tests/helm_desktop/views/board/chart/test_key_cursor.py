"""A chart is read with keys as it is with the mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec, Draw
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helpers.charts import logged, shown

COMMA, PERIOD, UP, DOWN = Qt.Key.Key_Comma, Qt.Key.Key_Period, Qt.Key.Key_Up, Qt.Key.Key_Down
PATTERN = "health/layer{layer}/norm"
LAYERS = [logged(f"health/layer{n}/norm", np.linspace(n + 1, n + 2, 10)) for n in (0, 2, 10)]


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Charts wear the theme."""


def presses(chart: ChartView, *keys: Qt.Key) -> list[str]:
    """The first line of the tooltip after each key."""
    told = []
    for key in keys:
        QTest.keyClick(chart, key)
        told.append((chart.pointer.tip_text().splitlines() or [""])[0])
    return told


def test_that_it_begins_at_the_last_point_and_goes_from_one_to_the_next(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(3, 1, 10)))
    shared: list[float | None] = []
    chart.crosshair.moved.connect(shared.append)
    assert presses(chart, PERIOD, PERIOD, COMMA, COMMA) == ["step 9", "step 9", "step 8", "step 7"]
    assert shared == [9.0, 8.0, 7.0]
    assert chart.crosshair.step == 7
    assert chart.header.figure.text() == "1.44"
    assert presses(chart, *([COMMA] * 9))[-1] == "step 0"


def test_that_points_closer_than_a_pixel_are_passed_over_and_a_long_way_is_twenty(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1_000_000.0)))
    a_pixel = 999_999 / chart.plot.canvas.inner().width()
    presses(chart, PERIOD, COMMA)
    assert chart.crosshair.step == pytest.approx(999_999 - a_pixel, abs=2)
    presses(chart, Qt.Key.Key_Less)
    assert chart.crosshair.step == pytest.approx(999_999 - 21 * a_pixel, abs=3)


def test_that_it_goes_to_points_on_a_logarithm_and_on_the_clock(qtbot: QtBot) -> None:
    series = logged("loss", np.linspace(3, 1, 10), first=1)
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), log_x=True))
    assert presses(chart, COMMA, COMMA) == ["step 10", "step 9"]
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), x="relative"))
    assert presses(chart, COMMA, COMMA) == ["4.5 s", "4.0 s"]


def test_that_the_keys_go_on_from_where_the_mouse_is(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(3, 1, 10)))
    QTest.mouseMove(chart.plot.viewport(), chart.plot.pixels.picture_rect().center().toPoint())
    QTest.mouseMove(chart.plot.viewport(), chart.parts.point_at(4) - chart.plot.pos())
    assert chart.pointer.tip_text().startswith("step 4")
    assert presses(chart, PERIOD) == ["step 5"]


@pytest.mark.parametrize("draw", ["heatmap", "bars"])
def test_that_rows_are_read_one_after_the_other_and_no_further(qtbot: QtBot, draw: Draw) -> None:
    chart = shown(qtbot, *LAYERS, spec=ChartSpec(series=(PATTERN,), draw=draw))
    told = presses(chart, DOWN, DOWN, DOWN, DOWN, UP)
    assert [line.split(" · ")[0] for line in told] == [
        "layer 0",
        "layer 2",
        "layer 10",
        "layer 10",
        "layer 2",
    ]


def test_that_a_row_read_by_key_is_the_button_that_return_presses(qtbot: QtBot) -> None:
    chart = shown(qtbot, *LAYERS, spec=ChartSpec(series=(PATTERN,), draw="heatmap"))
    chart.rows.set_buttons(True)
    pressed: list[str] = []
    chart.rows.clicked.connect(pressed.append)
    presses(chart, DOWN, DOWN, Qt.Key.Key_Return)
    assert pressed == ["2"]


@pytest.mark.parametrize("draw", ["multiples", "scatter", "histogram"])
def test_that_other_pictures_are_searched_through(qtbot: QtBot, draw: Draw) -> None:
    chart = shown(qtbot, *LAYERS, spec=ChartSpec(series=(PATTERN,), draw=draw))
    found = set(presses(chart, PERIOD, *([UP] * 10), *([COMMA] * 25), *([DOWN] * 20)))
    assert len(found - {""}) >= 2, found


def test_that_up_and_down_belong_to_the_page_while_nothing_is_read(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(3, 1, 10)))
    assert presses(chart, DOWN) == [""]
