"""The wall clock of a chart is the reader's own."""

import time
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helpers.charts import point, shown

KATHMANDU = "Asia/Kathmandu"  # 5 h 45 min before UTC


@pytest.fixture
def in_kathmandu(monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneInfo]:
    """The reader is there."""
    monkeypatch.setenv("TZ", KATHMANDU)
    time.tzset()
    yield ZoneInfo(KATHMANDU)
    monkeypatch.undo()
    time.tzset()


def test_that_points_of_half_hours_stand_at_half_hours_of_kathmandu(
    qtbot: QtBot, in_kathmandu: ZoneInfo
) -> None:
    """D19"""
    start = datetime(2026, 11, 29, 9, 0, tzinfo=in_kathmandu).timestamp()
    times = start + np.arange(13) * 1_800.0
    series = Series("loss")
    series.append("trainer", 1, np.arange(13), times, np.linspace(2, 1, 13))
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), x="wall"), size=(900, 260))
    QApplication.processEvents()
    placed = chart.plot.bottom._labelled
    assert {text for _, text in placed} >= {"10:00", "12:00", "15:00"}
    for value, text in placed:
        assert f"{datetime.fromtimestamp(value, in_kathmandu):%H:%M}" == text
        assert (value - start) % 1_800 == 0
    point(chart, 0.5)
    assert chart.pointer.tip_text().startswith("29 Nov 12:00:00")
