"""A constant stays the constant that it is, however it is smoothed and however small."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from helpers.charts import logged, near, pixels, shown


@pytest.mark.parametrize("smoothing", [0.0, 0.6, 0.99, 0.999])
def test_that_a_smoothed_constant_is_exactly_flat(qtbot: QtBot, smoothing: float) -> None:
    """D10"""
    series = logged("lr", np.full(5_000, 1e-4))
    (line,), done = series.smoothed(0, 4_999, 400, smoothing)
    assert done
    assert set(line.y.tolist()) == {1e-4}
    chart = shown(qtbot, series)
    chart.content.change(smoothing=smoothing)
    chart.renderer.refresh()
    low, high = chart.ranges.y.shown
    assert low < 1e-4 < high
    rows = near(pixels(chart), chart.renderer.theme.curves[0]).any(axis=1)
    assert 1 <= rows.sum() <= 3
