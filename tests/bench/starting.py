"""The app's start, rest and size, each in a process of its own on a small finished run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STARTS = 5
IDLE_SECONDS = 6.0
RUN = """
import helm_sdk
run = helm_sdk.init("bench", name="small")
for step in range(2000):
    run.log({f"train/m{i}": step * 0.5 + i for i in range(12)}, step=step)
run.finish()
"""
HEAVY = ("torch", "scipy", "matplotlib", "pandas")


def watch(home: str) -> dict[str, object]:
    """Seconds from the start of the process to a shown window and a drawn chart; then rest and size."""
    import psutil

    began = psutil.Process().create_time()
    from helm_desktop.startup.load_qt import load_qt

    load_qt()
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication

    from helm_desktop.launch import Launch
    from helm_desktop.startup.arguments import parse

    qt = QApplication([])

    class Shown(QObject):
        """Notes the window's first paint."""

        at = 0.0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and not self.at:
                self.at = time.time()
            return False

    opening = Launch(qt, parse(["latest", "--home", home, "--size", "1600x1000", "--theme", "dark"]))
    shown = Shown()
    opening.frame.window.installEventFilter(shown)
    opening.begin()
    charted = 0.0
    until = time.time() + 20
    while time.time() < until and not charted:
        qt.processEvents()
        time.sleep(0.001)
        desktop = opening.desktop
        if desktop is not None and any(
            chart.plot.canvas.drawn_points for chart in desktop.regions.board.charts
        ):
            charted = time.time()
    settled = time.time() + 2
    while time.time() < settled:
        qt.processEvents()
        time.sleep(0.005)
    from PySide6.QtCore import QEventLoop, QTimer

    def at_rest() -> float:
        busy, since = time.process_time(), time.monotonic()
        loop = QEventLoop()  # to quit the application would close its window
        QTimer.singleShot(int(IDLE_SECONDS * 1000), loop.quit)
        loop.exec()
        return 100 * (time.process_time() - busy) / (time.monotonic() - since)

    idle = at_rest()
    opening.frame.window.hide()
    hidden = at_rest()
    found = {
        "window": shown.at - began,
        "chart": charted - began,
        "idle": idle,
        "hidden": hidden,
        "rss": psutil.Process().memory_info().rss / 1e6,
        "heavy": [name for name in HEAVY if name in sys.modules],
    }
    opening.frame.window.close()
    opening.shutdown()
    return found


def measure() -> list[dict[str, object]]:
    """Medians of warm starts; the first start is not counted."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HELM_RUN_HOME": home, "HELM_CONFIG_HOME": str(Path(home) / "config")}
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # a warm start finds its bytecode, as on a user's machine
        subprocess.run([sys.executable, "-c", RUN], env=env, check=True, stdout=subprocess.DEVNULL)
        found = []
        for _ in range(STARTS + 1):
            done = subprocess.run(
                [sys.executable, __file__, home], env=env, check=True, capture_output=True, text=True
            )
            found.append(json.loads(done.stdout.splitlines()[-1]))
    heavy = {name for one in found for name in one["heavy"]}
    rows: list[dict[str, object]] = []
    for key, what, unit, aim in (
        ("window", "start to first window", "s", 0.5),
        ("chart", "start to first chart", "s", 1.0),
        ("idle", "at rest, a finished run open", "% of a core", 2.0),
        ("hidden", "the same, hidden", "% of a core", 0.1),
        ("rss", "memory, one run open", "MB", 250.0),
    ):
        figure = statistics.median(one[key] for one in found[1:])
        rows.append(
            {"what": what, "figure": figure, "unit": unit, "aim": f"≤ {aim:g}", "reached": figure <= aim}
        )
    rows.append(
        {
            "what": "heavy libraries imported by the app",
            "figure": len(heavy),
            "beside": ", ".join(sorted(heavy)) or "none",
            "aim": "0",
            "reached": not heavy,
        }
    )
    return rows


if __name__ == "__main__":
    print(json.dumps(watch(sys.argv[1])))
