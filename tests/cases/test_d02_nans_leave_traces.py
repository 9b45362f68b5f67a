"""Values that are not finite are marked where they are, and counted."""

import numpy as np
from pytestqt.qtbot import QtBot

from helpers.charts import columns_of, logged, pixels, point, shown


def test_that_nans_between_values_are_marked_and_counted(qtbot: QtBot) -> None:
    """D02"""
    values = np.full(600, np.nan)
    values[::5] = 1.0
    chart = shown(qtbot, logged("loss", values))
    assert chart.plot.canvas.drawn_points == 120
    assert len(columns_of(pixels(chart), chart.renderer.theme.bad)) > 100
    point(chart, 0.5)
    qtbot.waitUntil(lambda: "480 not finite" in chart.pointer.tip_text())
    chart.content.change(smoothing=0.9)
    chart.renderer.refresh()
    assert chart.renderer.notice == "480 not finite"
