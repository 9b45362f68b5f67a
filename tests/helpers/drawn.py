"""What a run's folder looks like in the app: its series, its charts, and a picture of the whole window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from helm_desktop.model.series.series_model import SeriesStore
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helm_sdk.record.run import RunFolder


def store_of(folder: Path) -> SeriesStore:
    """Every point of a run, read from its files as the app does."""
    store = SeriesStore()
    for reader in RunFolder(folder).readers():
        with reader:
            for batch in reader.batches():
                store.extend(batch)
    return store


def chart_of(folder: Path, name: str) -> ChartView:
    """The chart of one stream, drawn; the caller keeps an application alive."""
    if QApplication.instance() is None:
        raise RuntimeError("a chart needs an application")
    application = cast(QApplication, QApplication.instance())
    if application.property("helm_test_theme") is None:
        application.setProperty("helm_test_theme", ThemeManager(application, "dark"))
    chart = ChartView("chart")
    chart.content.set_series([store_of(folder).series[name]])
    chart.content.set_live(False)
    chart.resize(420, 260)
    chart.show()
    chart.renderer.refresh()
    return chart


def picture_of(chart: ChartView) -> QImage:
    """What the chart shows, to compare."""
    picture: QImage = chart.plot.grab().toImage()
    return picture


def window_of(run: Path, into: Path, *, home: Path) -> dict[str, Any]:
    """What the app says beside the picture that it draws of a run."""
    picture = into / "window.png"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "helm_desktop", str(run)),
            *("--offscreen", "--screenshot", str(picture), "--size", "1600x1000"),
        ],
        capture_output=True,
        text=True,
        timeout=90,
        env={**os.environ, "HELM_RUN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    said: dict[str, Any] = json.loads(picture.with_suffix(".json").read_text())
    return said
