"""Charts over 10,000 refreshes, 500 boards and ten minutes of a flood: the long forms of D11 and D15."""

from __future__ import annotations

import gc
import os
import statistics
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.model.chart.spec import DRAWS, ChartSpec
from helm_desktop.model.run.session import Session
from helm_desktop.startup.arguments import parse
from helm_desktop.views.board.pages.board import BoardView
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helpers.charts import dress, logged, shown
from helpers.scripts import start
from helpers.updates import batch_update

GROWTH = 5_000_000
MINUTES = 10.0
FLOOD = """
import os, time, helm_sdk
run = helm_sdk.init("flood")
print("folder", run.folder, flush=True)
until = time.monotonic() + float(os.environ["FLOOD_SECONDS"])
began, step = time.monotonic(), 0
while time.monotonic() < until:
    run.log({"train/now": time.monotonic(), **{f"train/m{i}": step * 1.0 for i in range(149)}}, step=step)
    step += 1
    time.sleep(max(0.0, began + step / 1_000 - time.monotonic()))
run.finish()
"""


def resident() -> int:
    """Bytes that the process has, when everything that can go has gone."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return int(psutil.Process().memory_info().rss)


@pytest.mark.soak
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("draw", DRAWS)
def test_that_10000_refreshes_keep_memory_flat(qtbot: QtBot, draw: str) -> None:
    """D11"""
    noise = np.random.default_rng(0).standard_normal((3, 2_000))
    group = [logged(f"loss/{at}", values) for at, values in enumerate(noise)]
    spec = ChartSpec(series=("loss/{source}",), smoothing=0.5).with_(draw=draw)
    chart = shown(qtbot, *group, spec=spec)

    def renew(times: int) -> int:
        for at in range(times):
            chart.content.change(smoothing=0.5 + at % 3 / 10)
            chart.renderer.refresh()
            if at % 20 == 0:
                QApplication.processEvents()
        return resident()

    settled = renew(1_000)
    assert renew(10_000) - settled < GROWTH


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_that_500_boards_opened_and_closed_keep_memory_flat(qtbot: QtBot) -> None:
    """D11, of boards"""
    dress()
    board = BoardView()
    qtbot.addWidget(board)
    board.resize(1_000, 860)
    board.show()
    steps = np.arange(50)
    streams = tuple(StreamDef(id=at, name=f"part{at // 8}/m{at}") for at in range(48))
    group = PointGroup(
        streams=tuple(range(48)),
        steps=steps.tobytes(),
        times=(steps * 1.0).tobytes(),
        values=np.random.default_rng(0).standard_normal(48 * 50).tobytes(),
    )

    def open_and_close(times: int) -> int:
        for at in range(times):
            session = Session(f"folder {at}", board)
            board.set_session(session)
            batch = Batch(process="rank-0", attempt=1, seq=1, streams=streams, groups=(group,))
            session.apply([batch_update(batch)])
            qtbot.waitUntil(lambda: board.cells.drawn, timeout=20_000)
            board.set_session(None)
            session.deleteLater()
        return resident()

    settled = open_and_close(50)
    assert open_and_close(500) - settled < GROWTH


@pytest.mark.soak
@pytest.mark.timeout(3_000)
def test_that_latency_stays_flat_over_ten_minutes_of_150000_points_a_second(qtbot: QtBot) -> None:
    """D15"""
    dress()
    home = Path(os.environ["HELM_RUN_HOME"])
    seconds = float(os.environ.get("HELM_SOAK_MINUTES", MINUTES)) * 60
    script = start(FLOOD, home=home, env={"FLOOD_SECONDS": str(seconds)})
    folder = script.wait_for_line(r"^folder (.+)$")[1]
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desktop = Desktop(application, parse(["--home", str(home), "--size", "1600x1000"]))
    late: list[tuple[float, float]] = []
    try:
        desktop.show()
        desktop.threads.start()
        desktop.run_list.open(folder)
        began = time.monotonic()
        before = None
        while time.monotonic() - began < seconds - 5:
            application.processEvents()
            for chart in desktop.regions.board.charts:
                if chart.content.title == "train/now" and not chart.renderer.dirty and chart.content.series:
                    value = chart.content.series[0].last_value
                    if value is not None and value != before:
                        before = value
                        late.append((time.monotonic() - began, time.monotonic() - value))
            time.sleep(0.002)
    finally:
        desktop.window.close()
        desktop.threads.stop()
        script.kill()
    part = seconds / 10
    early = statistics.median(lag for at, lag in late if part / 2 < at < part * 1.5)
    end = statistics.median(lag for at, lag in late if at > seconds - 5 - part)
    assert end < 1.5 * early + 0.05, (early, end)
