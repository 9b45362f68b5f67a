"""A logarithmic axis draws what it can and says how much it cannot."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helpers.charts import logged, shown


def test_that_a_log_axis_draws_the_positive_values_and_counts_the_others(qtbot: QtBot) -> None:
    """D04"""
    chart = shown(qtbot, logged("loss", [0.0, -1.0, 10.0, 100.0]))
    chart.content.change(log_y=True)
    chart.renderer.refresh()
    assert chart.plot.canvas.drawn_points == 2
    assert chart.renderer.notice == "2 hidden"
    QApplication.processEvents()
    assert chart.plot.left.shown()[0] == "10"
    assert chart.ranges.y.shown == (1.0, 2.0)


def test_that_a_logarithmic_x_counts_steps_at_zero(qtbot: QtBot) -> None:
    """D04, of x"""
    chart = shown(qtbot, logged("loss", [5.0, 4.0, 3.0]), spec=ChartSpec(series=("loss",), log_x=True))
    assert chart.plot.canvas.drawn_points == 2
    assert chart.renderer.notice == "1 hidden"
    assert chart.ranges.x.shown == (1.0, 2.0)
