"""A picture of a chart is exactly as wide as was asked for."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import DRAWS, ChartSpec, Draw
from helm_desktop.views.board.chart import export
from helpers.charts import columns_of, logged, saved, shown

GROUP = [logged(f"loss/{name}", np.linspace(top, 1, 90)) for name, top in (("a", 2), ("b", 3))]


@pytest.mark.parametrize("draw", DRAWS)
def test_that_a_picture_of_1024_pixels_has_1024(qtbot: QtBot, tmp_path: Path, draw: Draw) -> None:
    """D32"""
    chart = shown(qtbot, *GROUP, spec=ChartSpec(series=("loss/{source}",), draw=draw))
    saved(chart, tmp_path / "chart.png", 1024)
    image = QImage(str(tmp_path / "chart.png")).convertToFormat(QImage.Format.Format_RGB32)
    assert image.width() == 1024
    assert image.height() == pytest.approx(1024 * chart.height() / chart.width(), abs=1)
    if draw == "lines":
        assert max(columns_of(image, chart.renderer.theme.curves[0])) > 950
    for width in (1, 333, 2_400):
        assert export.picture_of(chart.parts, width).width() == width
