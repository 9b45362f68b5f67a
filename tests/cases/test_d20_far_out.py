"""However far out a clock axis is zoomed or moved, nothing breaks and there are ticks."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helpers.charts import inside, shown, turn


@pytest.mark.parametrize("x", ["wall", "relative", "active", "step"])
def test_that_zooming_far_out_and_to_the_epoch_raises_nothing(qtbot: QtBot, x: str) -> None:
    """D20"""
    series = Series("loss")
    series.append("trainer", 1, np.arange(100), 1.79e9 + np.arange(100.0), np.linspace(2, 1, 100))
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), x=x))
    for _ in range(60):
        turn(chart, -4, inside(chart, 0.5))
        QApplication.processEvents()
    assert chart.plot.bottom.shown()
    for low, high in ((0.0, 1.0), (-1e6, 1e6), (-1e13, 1e13), (-1e18, -1e17), (1e17, 1e18), (-1e300, 1e300)):
        chart.ranges.set_x(low, high)
        chart.renderer.refresh()
        QApplication.processEvents()
        QTest.keyClick(chart, Qt.Key.Key_Minus)
        QTest.keyClick(chart, Qt.Key.Key_Right)
    chart.ranges.set_follow()
    chart.renderer.refresh()
    assert chart.plot.canvas.drawn_points == 100
