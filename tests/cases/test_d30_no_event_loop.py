"""A window that is built and never run ends like any other program, whatever its threads are doing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.scripts import start

TRAINING = """
import time, helm_sdk
run = helm_sdk.init("watched")
print("folder", run.folder, flush=True)
while True:
    run.log({"loss": 1.0})
    time.sleep(0.001)
"""
WINDOW = """
import sys
from PySide6.QtWidgets import QApplication
from helm_desktop.app import Desktop
from helm_desktop.startup.arguments import parse
app = QApplication([])
opened = Desktop(app, parse(["--home", sys.argv[1]]))
opened.show()
opened.threads.start()
opened.run_list.open(sys.argv[2])
assert opened.threads.running
print("built", flush=True)
"""
ENDS = {
    "at the end of the script": ("", 0),
    "by sys.exit": ("sys.exit(3)\n", 3),
    "by an exception": ("raise ValueError('on purpose')\n", 1),
    "with the window gone first": ("del opened, app\n", 0),
    "after a few turns": ("for _ in range(20): app.processEvents()\n", 0),
}


@pytest.mark.parametrize("way", ENDS)
def test_that_a_window_without_an_event_loop_exits(home: Path, way: str) -> None:
    """D30"""
    text, status = ENDS[way]
    script = start(TRAINING, home=home)
    try:
        folder = script.wait_for_line(r"^folder (.+)$")[1]
        done = subprocess.run(
            [sys.executable, "-c", WINDOW + text, str(home), folder],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )
    finally:
        script.kill()
    assert "built" in done.stdout, done.stderr
    assert done.returncode == status, done.stderr
    assert "QThread" not in done.stderr
