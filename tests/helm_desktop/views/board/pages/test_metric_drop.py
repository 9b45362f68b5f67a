"""A metric dragged from the dock onto a chart, with a real drag on a real X server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.xvfb

ROOT = Path(__file__).parents[5]
# In a process of its own: the tests' own Qt runs offscreen, where a drag ends at once.
SCRIPT = """
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from helm_desktop.controllers.board import BoardController
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.session import Session
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.metrics import MetricsView
from helpers.board import logged

app = QApplication([])
assert app.platformName() == "xcb"
theme = ThemeManager(app, "dark")
window = QWidget()
row = QHBoxLayout(window)
board, metrics = BoardView(), MetricsView()
row.addWidget(board, 1)
row.addWidget(metrics)
storage = Storage(window)
BoardController(CurrentRun(window), board, metrics, None, storage, window)
window.resize(1100, 700)
window.show()
session = Session("folder", window)
board.set_session(session)
metrics.set_session(session)
session.apply([logged(["train/a", "train/b", "eval/c"])])
QTest.qWaitForWindowExposed(window)
for _ in range(500):
    QTest.qWait(20)
    if board.cells.drawn and metrics.model.total == 3:
        break

view = metrics.tree.viewport()
handle = window.windowHandle()
came = view.mapTo(window, metrics.tree.visualRect(metrics.model.index(2, 0)).center())


def drag(target, after):
    goes = target.mapTo(window, target.rect().center())
    steps = [lambda: QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=came)]
    for part in range(1, 13):
        place = came + (goes - came) * part / 12
        steps.append(lambda place=place: QTest.mouseMove(handle, place))
    steps.append(lambda: QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=goes))
    for number, step in enumerate([*steps, after]):
        QTimer.singleShot(80 * number, step)


def second():
    print("on a chart:", *board.model.chart("train/a").spec.series, flush=True)
    drag(board.pages.current.sections[0].button, app.quit)


drag(board.cells.get("train/a"), second)
app.exec()
fresh = [chart for chart in board.pages.shown[0].charts if chart.startswith("chart:")]
print("beside the charts:", *board.model.chart(fresh[0]).spec.series if fresh else (), flush=True)
board.model.stack.undo()
board.model.stack.undo()
print("undone:", board.model.is_default, flush=True)
"""


@pytest.fixture
def display() -> Iterator[str]:
    """The display of an X server that runs for this test."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(write), "-screen", "0", "1200x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with open(read) as file:
        number = file.readline().strip()
    yield f":{number}"
    process.terminate()
    process.wait(10)


def test_that_a_metric_is_dragged_onto_a_chart_and_beside_the_charts(display: str) -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=90
    )
    assert done.returncode == 0, done.stderr
    first = lines_of(done.stdout)
    assert first[0] == "on a chart: train/a eval/c", done.stdout + done.stderr
    assert first[1] == "beside the charts: eval/c"
    assert first[2] == "undone: True"


def lines_of(text: str) -> list[str]:
    """Return the lines that were printed, without surrounding space."""
    return [line.strip() for line in text.splitlines() if line.strip()]
