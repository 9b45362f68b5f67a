"""A screen of another scale shows the same numbers at the same places."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from helpers.charts import columns_of, inside, logged, point, shown


def test_that_another_scale_moves_no_point(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """D28"""
    values = np.zeros(1_000)
    values[300] = 10.0
    chart = shown(qtbot, logged("loss", values))
    place = inside(chart, 0.3)
    before = chart.plot.pixels.x_at(QPointF(place))
    point(chart, 0.3)
    told = chart.pointer.tip_text()
    assert told
    for ratio in (1.25, 1.5, 2.0, 1.0):
        monkeypatch.setattr(chart.plot, "devicePixelRatioF", lambda ratio=ratio: ratio)
        chart.renderer.refresh()
        assert chart.plot.pixels.x_at(QPointF(place)) == before
        point(chart, 0.31)
        point(chart, 0.3)
        assert chart.pointer.tip_text() == told
        drawn = chart.plot.canvas._pixels(ratio).toImage().convertToFormat(QImage.Format.Format_RGB32)
        upper = drawn.copy(0, drawn.height() // 4, drawn.width(), drawn.height() // 4)
        spike = np.mean(list(columns_of(upper, chart.renderer.theme.curves[0])))
        wanted = (2 + 300 / 999 * (drawn.width() / ratio - 4)) * ratio
        assert spike == pytest.approx(wanted, abs=2 * ratio)
