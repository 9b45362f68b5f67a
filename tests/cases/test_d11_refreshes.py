"""A chart that is renewed again and again keeps nothing of the pictures before. Its long form is a soak."""

import gc

import numpy as np
import psutil
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import DRAWS, ChartSpec
from helpers.charts import logged, shown

NAMES = ("loss/a", "loss/b", "loss/c")


def test_that_memory_and_widgets_stay_as_they_are_over_refreshes(qtbot: QtBot) -> None:
    """D11"""
    noise = np.random.default_rng(0).standard_normal((3, 500))
    group = [logged(name, values) for name, values in zip(NAMES, noise, strict=True)]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("loss/{source}",), smoothing=0.5))
    process = psutil.Process()

    def renew(times: int) -> tuple[int, int]:
        for at in range(times):
            chart.content.set_spec(ChartSpec(series=("loss/{source}",), draw=DRAWS[at % 6], smoothing=0.5))
            chart.renderer.refresh()
            if at % 10 == 0:
                QApplication.processEvents()
        gc.collect()
        return int(process.memory_info().rss), len(chart.findChildren(QWidget))

    settled, widgets = renew(400)
    after, still = renew(1_600)
    assert after - settled < 5_000_000
    assert still == widgets
