"""Curves are drawn with pens of one pixel: a wide pen is what makes charts crawl."""

import time
from collections.abc import Callable

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from pytestqt.qtbot import QtBot

from helpers.charts import logged, shown


def least(work: Callable[[], None], times: int = 7) -> float:
    """The seconds of this thread that work takes when nothing is in its way."""
    taken = []
    for _ in range(times):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return min(taken)


def test_that_default_curves_cost_a_fraction_of_what_wide_pens_cost(qtbot: QtBot) -> None:
    """D13"""
    values = np.random.default_rng(0).standard_normal(1_000_000)
    chart = shown(qtbot, logged("loss", values), size=(640, 360))
    strokes = chart.plot.canvas._strokes
    assert [stroke.pen.widthF() for stroke in strokes] == [0.0]
    assert not strokes[0].soft
    line = strokes[0].line
    assert isinstance(line, QPolygonF)
    screen = QImage(chart.plot.canvas.size() * 2, QImage.Format.Format_RGB32)  # of twice the pixels
    screen.setDevicePixelRatio(2)

    def ours() -> None:
        painter = QPainter(screen)
        chart.plot.canvas.paint(painter, 2.0)
        painter.end()

    def wide() -> None:
        painter = QPainter(screen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("#4cc2ff"), 2))
        painter.drawPolyline(line)
        painter.end()

    assert least(ours) * 4 < least(wide)
