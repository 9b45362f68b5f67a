"""A fitted range fits, however small or large the values and however few of them are drawn."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helpers.charts import columns_of, logged, pixels, shown


@pytest.mark.parametrize(("count", "scale"), [(200_000, 1e-6), (5, 1e-6), (1_000, 1e-300), (1_000, 1e300)])
def test_that_ranges_fit_values_of_any_size(qtbot: QtBot, count: int, scale: float) -> None:
    """D31"""
    values = np.linspace(0.2, 1, count) * scale
    chart = shown(qtbot, logged("tiny", values))
    low, high = chart.ranges.y.shown
    assert low <= values[0]
    assert values[-1] <= high <= 2 * scale
    columns = columns_of(pixels(chart), chart.renderer.theme.curves[0])
    assert max(columns) - min(columns) > 0.9 * chart.plot.canvas.width()


@pytest.mark.parametrize("count", [2, 50, 100_000])
def test_that_x_and_y_from_zero_to_a_millionth_fill_the_chart(qtbot: QtBot, count: int) -> None:
    """D31, of x too"""
    series, x = Series("y"), Series("x", kind="axis")
    steps, numbers = np.arange(count), np.linspace(0, 1e-6, count)
    for one in (series, x):
        one.append("trainer", 1, steps, steps * 1.0, numbers)
    chart = shown(qtbot, series, x, spec=ChartSpec(series=("y",), x="x"))
    chart.content.set_live(False)
    chart.renderer.refresh()
    assert chart.ranges.x.shown == pytest.approx((0.0, 1e-6), rel=1e-9)
    low, high = chart.ranges.y.shown
    assert low == 0.0
    assert 1e-6 <= high <= 1.3e-6
    columns = columns_of(pixels(chart), chart.renderer.theme.curves[0])
    assert max(columns) - min(columns) > 0.9 * chart.plot.canvas.width()
