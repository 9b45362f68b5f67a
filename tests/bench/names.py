"""A run of 12,345 names: from asking for it to a board and a list of metrics that can be used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

NAMES = 12_345
RUN = f"""
import helm_sdk
run = helm_sdk.init("bench")
run.log({{f"group{{i // 100}}/layer{{i % 100}}/value": i * 0.5 for i in range({NAMES})}}, step=0)
run.finish()
"""


def watch() -> dict[str, float]:
    """Seconds to the first charts, to the whole list, and to the answer of a search in it."""
    from PySide6.QtWidgets import QApplication

    from helm_desktop.app import Desktop
    from helm_desktop.startup.arguments import parse

    qt = QApplication([])
    desktop = Desktop(qt, parse(["--home", os.environ["HELM_RUN_HOME"], "--size", "1600x1000"]))
    (folder,) = (path.parent for path in Path(os.environ["HELM_RUN_HOME"]).glob("runs/*/*/run.json"))
    desktop.show()
    qt.processEvents()
    desktop.threads.start()
    board, metrics = desktop.regions.board, desktop.regions.metrics

    def seconds_until(done: Callable[[], bool], began: float) -> float:
        while not done():
            if time.monotonic() > began + 60:
                raise TimeoutError(f"not there after a minute: {done.__name__}")
            qt.processEvents()
            time.sleep(0.001)
        return time.monotonic() - began

    def charted() -> bool:
        return (
            desktop.current.session is not None
            and len(desktop.current.session.store.series) == NAMES
            and board.cells.drawn
        )

    def listed() -> bool:
        return metrics.model.total == NAMES

    def searched() -> bool:
        return 0 < metrics.model.count < NAMES / 50

    began = time.monotonic()
    desktop.run_list.open(str(folder))
    charts = seconds_until(charted, began)
    desktop.regions.actions["show_metrics"].trigger()
    whole = seconds_until(listed, began)
    asked = time.monotonic()
    metrics.search.setText("group7/layer42")
    found = seconds_until(searched, asked)
    desktop.window.close()
    desktop.threads.stop()
    return {"charts": charts, "whole": whole, "found": found}


def measure() -> list[dict[str, object]]:
    """In a process of its own, on a run of its own."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "HELM_RUN_HOME": folder, "HELM_CONFIG_HOME": str(Path(folder) / "config")}
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
        subprocess.run([sys.executable, "-c", RUN], env=env, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(
            [sys.executable, __file__], capture_output=True, text=True, env=env, timeout=180, check=True
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return [
        {
            "what": f"{NAMES:,} names: {what}",
            "figure": found[key],
            "unit": "s",
            "aim": "≤ 3",
            "reached": found[key] <= 3,
        }
        for key, what in (
            ("charts", "first charts"),
            ("whole", "every metric listed"),
            ("found", "a search answered"),
        )
    ]


if __name__ == "__main__":
    print(json.dumps(watch()))
