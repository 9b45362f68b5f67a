"""One value that is not a number takes one point away and leaves a mark."""

import numpy as np
from pytestqt.qtbot import QtBot

from helpers.charts import columns_of, logged, pixels, shown


def test_that_one_nan_leaves_the_rest_of_the_curve(qtbot: QtBot) -> None:
    """D01"""
    values = np.linspace(1, 2, 1000)
    values[0] = np.nan
    chart = shown(qtbot, logged("loss", values), size=(900, 260))
    assert chart.plot.canvas.drawn_points == 999
    assert chart.renderer.notice == "1 not finite"
    image = pixels(chart)
    assert len(columns_of(image, chart.renderer.theme.curves[0])) > 0.95 * image.width()
    assert {0, 1, 2} & columns_of(image, chart.renderer.theme.bad)
