"""A single spike is seen however small the chart and however far out the zoom."""

from functools import cache

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from helm_desktop.model.series.series_model import Series
from helpers.charts import logged, pixels, shown

COUNT = 1_000_000


@cache
def spiked(at: int) -> Series:
    """Ones, and one value of fifty."""
    values = np.ones(COUNT)
    values[at] = 50.0
    return logged("loss", values)


@pytest.mark.parametrize("at", [0, 1, 493_210, COUNT - 1])
@pytest.mark.parametrize("width", [200, 420, 900, 1_700])
@pytest.mark.parametrize("smoothing", [0.0, 0.99])
def test_that_a_single_outlier_is_seen_at_every_width_and_zoom(
    qtbot: QtBot, at: int, width: int, smoothing: float
) -> None:
    """D08"""
    chart = shown(qtbot, spiked(at))
    chart.content.change(smoothing=smoothing)
    chart.resize(width, 220)
    for share in (1.0, 0.3, 0.01, 0.001, 1e-4, 1e-5):
        span = share * COUNT
        first = 0.0 if share == 1 else min(max(at - span / 3, 0), COUNT - span)
        chart.ranges.set_x(first, first + span - 1)
        while chart.renderer.dirty:
            chart.renderer.refresh()
        image = pixels(chart)
        upper = image.copy(0, image.height() // 5, image.width(), image.height() // 4)
        columns = bluish(upper)
        assert columns, (share, first)
        place = (at - first) / (span - 1) * (image.width() - 4) + 2
        slope = 0.1 * image.width() / (span - 1)  # this far below its top a spike is so much wider
        assert min(abs(column - place) for column in columns) < 4 + slope


def bluish(image: QImage) -> list[int]:
    """Columns with a pixel of the curve's colour, faint as it may be: cards and grid lines are greyer."""
    data = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    data = data[:, : image.width()].astype(int)
    return np.flatnonzero((data[:, :, 0] - data[:, :, 2] > 30).any(axis=0)).tolist()
