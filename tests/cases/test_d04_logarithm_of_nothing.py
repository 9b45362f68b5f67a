"""A logarithmic axis draws what it can and says how much it cannot."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helpers.charts import logged, shown


def test_that_a_log_axis_draws_the_positive_values_and_counts_the_others(qtbot: QtBot) -> None:
    """D04"""
    chart = shown(qtbot, logged("loss", [0.0, -1.0, 10.0, 100.0]))
    chart.set_log_y(True)
    chart.refresh()
    assert chart.drawn_point_count == 2
    assert chart.notice == "2 hidden"
    QApplication.processEvents()
    assert chart.plot.left.shown()[0] == "10"
    assert chart.y_range == (1.0, 2.0)


def test_that_a_logarithmic_x_counts_steps_at_zero(qtbot: QtBot) -> None:
    """D04, of x"""
    chart = shown(qtbot, logged("loss", [5.0, 4.0, 3.0]), spec=ChartSpec(series=("loss",), log_x=True))
    assert chart.drawn_point_count == 2
    assert chart.notice == "1 hidden"
    assert chart.x_range == (1.0, 2.0)
