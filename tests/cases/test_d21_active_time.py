"""Active time leaves a pause out, so that what was before and after it can be read."""

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helpers.charts import shown

TEN_HOURS = 36_000.0


def test_that_a_gap_of_ten_hours_is_no_part_of_active_time(qtbot: QtBot) -> None:
    """D21"""
    steps = np.arange(200)
    times = 1.79e9 + steps + np.where(steps >= 100, TEN_HOURS, 0.0)
    series = Series("loss")
    series.append("trainer", 1, steps, times, np.linspace(2, 1, 200))
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), x="relative"))
    chart.content.set_live(False)
    chart.renderer.refresh()
    assert chart.ranges.x.shown[1] > TEN_HOURS
    chart.content.change(x="active")
    chart.renderer.refresh()
    QApplication.processEvents()
    assert chart.ranges.x.shown == (0.0, 198.0)
    assert chart.plot.canvas.drawn_points == 200
    assert "1 min" in chart.plot.bottom.shown()
