"""A real run logs histograms; the board draws them over its steps as they come, with the bins as logged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.board.canvas.picture import Numbers
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.drawing.histogram import HistogramOverTime
from helpers.charts import point
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

LOOP = """
import os, random, time, helm_sdk
run = helm_sdk.init("spread", name="spread")
def log(step):
    values = [random.Random(step * 1000 + i).gauss(step / 50, 1.0) for i in range(500)]
    run.histogram("weights/own", values, bins=32, step=step)
    edges = [-6.0 + 0.5 * i for i in range(33)]
    counts = [sum(low <= value < low + 0.5 for value in values) for low in edges[:-1]]
    run.histogram("weights/same", (counts, edges), step=step)
    run.log({"loss": 1.0 / (step + 1)}, step=step)
for step in range(0, 100, 10):
    log(step)
run.flush()
print("first", flush=True)
while not os.path.exists(GATE):
    time.sleep(0.01)
log(100)
run.finish()
print("done", flush=True)
"""
EDGES = np.linspace(-6.0, 10.0, 33)


def values(step: int) -> list[float]:
    """What the script counted at a step."""
    return [random.Random(step * 1000 + i).gauss(step / 50, 1.0) for i in range(500)]


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """The loop, which waits for `gate` in the home before its last step."""
    started = start(LOOP.replace("GATE", repr(str(tmp_path / "gate"))), home=tmp_path)
    yield started
    started.kill()


def chart_of(opened: Desktop, name: str) -> ChartView | None:
    """A chart on the board."""
    return opened.regions.board.charts.chart(name)


def column(opened: Desktop, name: str, share: float) -> Numbers | None:
    """The counts that a chart draws so far along its picture."""
    chart = chart_of(opened, name)
    table = (
        chart.renderer.drawing._table
        if chart is not None and isinstance(chart.renderer.drawing, HistogramOverTime)
        else None
    )
    return None if table is None else table[:, round(share * (table.shape[1] - 1))]


def test_that_logged_histograms_are_charts_with_the_bins_as_logged_and_grow_live(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("first")
    with desktop(qapp, tmp_path) as opened:

        def drawn(step: int) -> bool:
            last = column(opened, "weights/same", 1.0)
            counts, _ = np.histogram(values(step), EDGES)
            return last is not None and len(last) == len(counts) and bool((last == counts).all())

        qtbot.waitUntil(
            lambda: opened.current.session is not None and session_of(opened).complete, timeout=20_000
        )
        qtbot.waitUntil(lambda: drawn(90), timeout=20_000)
        facts = {fact.title: fact.points for fact in opened.regions.board.chart_reports()}
        assert facts == {"loss": 10, "weights/own": 10, "weights/same": 10}
        first = column(opened, "weights/same", 0.0)
        assert first is not None
        np.testing.assert_array_equal(first, np.histogram(values(0), EDGES)[0])

        (tmp_path / "gate").touch()
        script.wait_for_line("done")
        qtbot.waitUntil(lambda: drawn(100), timeout=20_000)

        own = column(opened, "weights/own", 1.0)
        chart = chart_of(opened, "weights/own")
        assert own is not None
        assert chart is not None
        assert own.sum() == pytest.approx(500)
        low, high = chart.renderer.drawing._box[2:]  # type: ignore[attr-defined]
        grid = np.linspace(low, high, len(own) + 1)
        exact = np.histogram(values(100), 32)
        below = np.interp(grid, exact[1], np.append(0, np.cumsum(exact[0])), left=0, right=500)
        np.testing.assert_allclose(np.append(0, np.cumsum(own)), below, atol=1e-6)
        assert chart.header.kind.text() == "histogram over time"
        point(chart, 0.999)
        assert (
            "of values, logged at step 90" in chart.pointer.tip_text()
            or "step 100" in chart.pointer.tip_text()
        )


def test_that_a_histogram_is_edited_hidden_and_drawn_by_its_pattern_like_any_chart(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    (tmp_path / "gate").touch()
    script.wait_for_line("done")
    with desktop(qapp, tmp_path) as opened:
        board = opened.regions.board
        qtbot.waitUntil(lambda: column(opened, "weights/own", 1.0) is not None, timeout=20_000)
        opened.editor.open("weights/own")
        editor = opened.editor.editor
        assert editor is not None
        assert editor.edits.draft is not None
        assert editor.edits.draft.spec.draw == "histogram"
        opened.editor.close()
        model = board.model
        model.set_spec("weights/own", model.chart("weights/own").spec.with_(series=("weights/{kind}",)))

        def both() -> bool:
            last = column(opened, "weights/own", 1.0)
            return last is not None and last.sum() == pytest.approx(1000)

        qtbot.waitUntil(both, timeout=20_000)
        board.edits.charts.do("weights/own", "hide")
        assert "weights/own" not in [name for plan in board.pages.shown for name in plan.charts]
        model.stack.undo()
        assert "weights/own" in [name for plan in board.pages.shown for name in plan.charts]
