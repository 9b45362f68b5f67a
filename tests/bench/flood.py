"""500,000 points a second from four processes of one run into the real window, every one of them counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROCESSES = 4
STREAMS = 25
RATE = 5_000  # logs a second of each process
SECONDS = 10.0
LOOP = f"""
import sys, time, helm_sdk
process, join, seconds = sys.argv[1], sys.argv[2] or None, float(sys.argv[3])
run = helm_sdk.init("bench", join=join, process=process)
print(run.run_id, flush=True)
sys.stdin.readline()  # all begin together
names = [f"{{process}}/m{{i}}" for i in range({STREAMS})]
began, step = time.monotonic(), 0
while time.monotonic() < began + seconds:
    while step < (time.monotonic() - began) * {RATE}:
        run.log({{name: step * 0.5 for name in names}}, step=step)
        step += 1
    time.sleep(0.001)
spent = time.monotonic() - began
run.finish()
print(step, spent, flush=True)
"""


def watch() -> dict[str, float]:
    """Points sent and held, frames a second, and by how much the window's own timer was late."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from helm_desktop.app import Desktop
    from helm_desktop.startup.arguments import parse

    class Frames(QObject):
        """Counts the moments at which something of the window is painted, those within 8 ms as one."""

        count, last = 0, 0.0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.UpdateRequest and watched.isWidgetType():
                now = time.monotonic()
                if now - self.last > 0.008:
                    self.count, self.last = self.count + 1, now
            return False

    def said(child: subprocess.Popen[str]) -> str:
        assert child.stdout is not None
        return next(line.strip() for line in child.stdout if not line.startswith("helm:"))

    def begin(process: str, join: str) -> tuple[subprocess.Popen[str], str]:
        child = subprocess.Popen(
            [sys.executable, "-c", LOOP, process, join, str(SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return child, said(child)

    qt = QApplication([])
    first, run_id = begin("p0", "")
    children = [first, *(begin(f"p{at}", run_id)[0] for at in range(1, PROCESSES))]
    arguments = [run_id, "--home", os.environ["HELM_RUN_HOME"], "--size", "1600x1000", "--theme", "dark"]
    desktop = Desktop(qt, parse(arguments))
    frames = Frames()
    qt.installEventFilter(frames)
    desktop.show()
    settle = time.monotonic() + 3
    while time.monotonic() < settle:
        qt.processEvents()
        time.sleep(0.005)
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    late: list[float] = []
    due = time.monotonic()

    def tick() -> None:
        nonlocal due
        now = time.monotonic()
        late.append(now - due)
        due = now + 0.01

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start(10)
    due = time.monotonic() + 0.01
    counted = frames.count
    loop = QEventLoop()  # to quit the application would close its window
    QTimer.singleShot(int((SECONDS - 1) * 1000), loop.quit)
    loop.exec()
    painted = (frames.count - counted) / (SECONDS - 1)
    timer.stop()
    logged = spent = 0.0
    for child in children:
        steps, seconds = said(child).split()
        logged, spent = logged + int(steps) * STREAMS, max(spent, float(seconds))
        child.wait(60)
    ended = time.monotonic()
    held = 0
    while held < logged and time.monotonic() < ended + 30:
        qt.processEvents()
        time.sleep(0.005)
        held = (
            sum(series.count for series in desktop.current.session.store.series.values())
            if desktop.current.session
            else 0
        )
    behind = time.monotonic() - ended
    desktop.window.close()
    desktop.threads.stop()
    late.sort()
    return {
        "rate": logged / spent,
        "lost": logged - held,
        "frames": painted,
        "late": 1000 * late[int(len(late) * 0.99)],
        "behind": behind,
    }


def measure() -> list[dict[str, object]]:
    """In a process of its own, so that nothing else is in the window's way."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "HELM_RUN_HOME": folder, "HELM_CONFIG_HOME": str(Path(folder) / "config")}
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
        done = subprocess.run(
            [sys.executable, __file__], capture_output=True, text=True, env=env, timeout=180, check=True
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    title = f"flood of {PROCESSES} processes"
    return [
        {
            "what": title,
            "figure": found["rate"],
            "unit": "points/s",
            "aim": "≥ 500,000",
            "reached": found["rate"] >= 0.98 * PROCESSES * STREAMS * RATE,
        },
        {"what": f"{title}: lost", "figure": found["lost"], "aim": "0", "reached": found["lost"] == 0},
        {
            "what": f"{title}: window",
            "figure": found["frames"],
            "unit": "frames/s",
            "aim": "≥ 30",
            "reached": found["frames"] >= 30,
        },
        {"what": f"{title}: the window's timer late, p99", "figure": found["late"], "unit": "ms"},
        {"what": f"{title}: the window behind at the end", "figure": found["behind"], "unit": "s"},
    ]


if __name__ == "__main__":
    print(json.dumps(watch()))
