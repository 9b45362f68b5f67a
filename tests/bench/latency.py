"""From log() in a training process to the painted chart in the window: both read one monotonic clock."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 12.0
WARM = 3.0
LOOP = """
import sys, time, helm_sdk
run = helm_sdk.init("bench")
until = time.monotonic() + float(sys.argv[1])
step = 0
while time.monotonic() < until:
    run.log({"train/now": time.monotonic(), **{f"train/other{i}": step * 1.0 for i in range(9)}}, step=step)
    step += 1
    time.sleep(0.05)
run.finish()
"""


def watch(seconds: float) -> list[float]:
    """Milliseconds from log to paint of each value that a chart painted."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication

    from helm_desktop.app import Desktop
    from helm_desktop.startup.arguments import parse
    from helm_desktop.views.board.chart.chart import ChartView

    class Painted(QObject):
        """Notes when a chart's picture reaches the window, and the newest value in it."""

        def __init__(self, chart: ChartView) -> None:
            super().__init__(chart)
            self.chart = chart
            self.seen: dict[float, float] = {}
            chart.plot.canvas.installEventFilter(self)

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and self.chart.content.series:
                value = self.chart.content.series[0].last_value
                if value is not None and not self.chart.renderer.dirty:
                    self.seen.setdefault(value, time.monotonic())
            return False

    qt = QApplication.instance() or QApplication([])
    assert isinstance(qt, QApplication)
    home = os.environ["HELM_RUN_HOME"]
    child = subprocess.Popen([sys.executable, "-c", LOOP, str(seconds)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    desktop = Desktop(qt, parse(["latest", "--home", home, "--size", "1600x1000", "--theme", "dark"]))
    desktop.show()
    painted: Painted | None = None
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        qt.processEvents()
        time.sleep(0.001)
        if painted is None:
            for chart in desktop.regions.board.charts:
                if chart.content.title == "train/now":
                    painted = Painted(chart)
    seen = dict(painted.seen) if painted else {}
    desktop.window.close()
    desktop.threads.stop()
    child.wait(60)
    began = min(seen, default=0.0)
    return [1000 * (at - value) for value, at in seen.items() if value > began + WARM]


def measure() -> list[dict[str, object]]:
    """Median and 99th percentile, in a process of its own so that nothing else is in the window's way."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "HELM_RUN_HOME": folder, "HELM_CONFIG_HOME": str(Path(folder) / "config")}
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
        done = subprocess.run(
            [sys.executable, __file__],
            capture_output=True,
            text=True,
            env=env,
            timeout=SECONDS + 90,
            check=True,
        )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    found.sort()
    middle, high = statistics.median(found), found[int(len(found) * 0.99)]
    return [
        {
            "what": "log() to pixel, median",
            "figure": middle,
            "unit": f"ms of {len(found)}",
            "aim": "≤ 60",
            "reached": middle <= 60,
        },
        {"what": "log() to pixel, p99", "figure": high, "unit": "ms", "aim": "≤ 120", "reached": high <= 120},
    ]


if __name__ == "__main__":
    print(json.dumps(watch(SECONDS)))
