"""A zoom shows every point that was logged there, and nothing that was made of them."""

import numpy as np
from pytestqt.qtbot import QtBot

from helpers.charts import logged, shown


def test_that_a_zoom_to_500_steps_shows_500_raw_points(qtbot: QtBot) -> None:
    """D09"""
    values = np.random.default_rng(0).standard_normal(200_000)
    chart = shown(qtbot, logged("loss", values), size=(900, 300))
    assert chart.plot.canvas.drawn_points < 4_000
    chart.ranges.set_x(150_000, 150_499)
    chart.renderer.refresh()
    assert chart.plot.canvas.drawn_points == 500
    view = chart.renderer.drawing.view(
        chart.ranges.x.shown, chart.plot.canvas.inner(), 1.0, chart.renderer.theme
    )
    (curve,) = view.curves
    within = (curve.x >= 150_000) & (curve.x <= 150_499)
    assert (curve.y[within] == values[150_000:150_500]).all()
    chart.ranges.set_x(150_000, 150_049)
    chart.renderer.refresh()
    (curve,) = chart.renderer.drawing.view(
        chart.ranges.x.shown, chart.plot.canvas.inner(), 1.0, chart.renderer.theme
    ).curves
    assert curve.dots
