"""150 scalars flat out: a point costs as much after a long run as at its beginning. A soak runs it live."""

import statistics
import time

import numpy as np
from pytestqt.qtbot import QtBot

from helm_desktop.model.series.series_model import SeriesStore
from helm_desktop.views.board.chart.chart import ChartView
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helpers.charts import dress

SCALARS, ROWS, BATCHES = 150, 40, 600


def test_that_taking_and_drawing_a_batch_costs_the_same_after_many(qtbot: QtBot) -> None:
    """D15"""
    dress()
    store = SeriesStore()
    streams = tuple(StreamDef(id=at, name=f"metric/{at}") for at in range(SCALARS))
    store.extend(Batch(process="trainer", attempt=1, seq=1, streams=streams))
    charts = []
    for at in range(6):
        chart = ChartView()
        qtbot.addWidget(chart)
        chart.content.set_series([store.series[f"metric/{at}"]])
        chart.resize(320, 196)
        chart.show()
        charts.append(chart)
    noise = np.random.default_rng(0).standard_normal((SCALARS, ROWS)).tobytes()
    costs = []
    for seq in range(2, BATCHES + 2):
        steps = np.arange(seq * ROWS, (seq + 1) * ROWS)
        group = PointGroup(
            streams=tuple(range(SCALARS)),
            steps=steps.tobytes(),
            times=(steps * 1e-3).tobytes(),
            values=noise,
        )
        began = time.thread_time()
        store.extend(Batch(process="trainer", attempt=1, seq=seq, groups=(group,)))
        for chart in charts:
            chart.renderer.refresh()
        costs.append(time.thread_time() - began)
    quarter = BATCHES // 4
    assert charts[0].content.point_count == BATCHES * ROWS
    assert statistics.median(costs[-quarter:]) < 2.5 * statistics.median(costs[quarter : 2 * quarter])
