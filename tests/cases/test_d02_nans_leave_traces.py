"""Values that are not finite are marked where they are, and counted."""

import numpy as np
from pytestqt.qtbot import QtBot

from helpers.charts import columns_of, logged, pixels, point, shown


def test_that_nans_between_values_are_marked_and_counted(qtbot: QtBot) -> None:
    """D02"""
    values = np.full(600, np.nan)
    values[::5] = 1.0
    chart = shown(qtbot, logged("loss", values))
    assert chart.drawn_point_count == 120
    assert len(columns_of(pixels(chart), chart.theme.bad)) > 100
    point(chart, 0.5)
    qtbot.waitUntil(lambda: "480 not finite" in chart.tip_text())
    chart.set_smoothing(0.9)
    chart.refresh()
    assert chart.notice == "480 not finite"
