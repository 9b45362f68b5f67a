"""CSV of a long run: points a second, and how long the window's event loop stands still meanwhile.

python tests/bench/exporting.py [POINTS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.startup.arguments import parse

EVERY_MS = 5


class Gaps(QObject):
    """The times between the calls of a timer, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.between: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.between.append((now - self._last) * 1000)
        self._last = now

    def take(self) -> str:
        """In words; begins anew."""
        gaps, self.between = np.sort(self.between), []
        if not len(gaps):
            return "none"
        shares = (np.quantile(gaps, 0.5), np.quantile(gaps, 0.99), gaps[-1])
        return "median {:.1f} ms, 99 % {:.1f} ms, longest {:.1f} ms of {}".format(*shares, len(gaps))


def wait(app: QApplication, until: object, seconds: float = 120.0) -> None:
    """Let the window work until something holds."""
    end = time.monotonic() + seconds
    while not until() and time.monotonic() < end:  # type: ignore[operator]
        app.processEvents()
        time.sleep(0.0005)


def main(points: int) -> None:
    """Open a window on a small run, give it a series of so many points, and save its chart."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        with helm_sdk.init("bench", name="long", home=home) as run:
            for step in range(50):
                run.log({"loss": 1.0 / (step + 1)}, step=step)
        window = Desktop(app, parse(["--home", place, "--size", "1600x1000", "--offscreen"]))
        window.show()
        board = window.regions.board
        wait(app, lambda: board.charts.chart("loss") is not None and board.cells.drawn)
        session, chart = window.current.session, board.charts.chart("loss")
        assert session is not None
        assert chart is not None
        steps = np.arange(50, points)
        values = np.random.default_rng(0).standard_normal(len(steps)) + 2.0
        (segment,) = session.store.series["loss"].segments.values()
        segment.append(steps, 1.7e9 + steps * 0.0123456, values)
        chart.renderer.refresh()
        gaps = Gaps()
        wait(app, lambda: False, 2.0)
        print("idle:  ", gaps.take())
        done: list[str] = []
        window.exports.notified.connect(done.append)
        began = time.perf_counter()
        chart.menu._save(str(home / "long.csv"))
        print(f"asked for in {(time.perf_counter() - began) * 1000:.1f} ms")
        wait(app, lambda: bool(done), 600.0)
        took = time.perf_counter() - began
        print("saving:", gaps.take())
        size = (home / "long.csv").stat().st_size
        print(f"{points:,} points in {took:.2f} s: {points / took / 1e6:.2f} M/s, {size / 1e6:.0f} MB")
        print(done[0])
        check(home / "long.csv", steps, values)
        window.window.close()
        window.threads.stop()
        window.window.deleteLater()
        gaps.deleteLater()


def check(path: Path, steps: np.ndarray, values: np.ndarray) -> None:
    """Every number is what was logged."""
    with open(path, encoding="utf-8") as file:
        assert next(file) == "series,process,attempt,step,time,value\n"
        for _ in range(50):
            next(file)
        for at, line in enumerate(file):
            step, when, value = line.rsplit(",", 3)[1:]
            assert int(step) == steps[at], line
            assert float(when) == 1.7e9 + steps[at] * 0.0123456, line
            assert float(value) == values[at], line
    assert at == len(values) - 1
    print("every number is what was logged")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
