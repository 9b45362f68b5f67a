"""Threads end before their objects, whoever forgets to stop them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from helm_desktop.link.worker import Worker


class Patient(Worker):
    """Runs until it is stopped."""

    ended: ClassVar[list[bool]] = []

    def run(self) -> None:
        """Qt's."""
        while not self._stopping:
            self.msleep(5)
        self.ended.append(True)


def test_that_a_thread_stops_with_its_parent(qapp: QApplication) -> None:
    Patient.ended.clear()
    parent = QObject()
    worker = Patient(parent)
    worker.begin()
    assert worker.isRunning()
    del parent
    assert Patient.ended == [True]


def test_that_stopping_twice_is_no_matter(qapp: QApplication) -> None:
    worker = Patient()
    worker.begin()
    worker.stop()
    worker.stop()
    assert not worker.isRunning()


@pytest.mark.parametrize("ending", ["", "sys.exit(0)", "del desktop", "app.exit()", "desktop.window.close()"])
def test_that_a_window_without_an_event_loop_exits_with_status_0(tmp_path: Path, ending: str) -> None:
    """D30."""
    text = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from helm_desktop.app import Desktop\n"
        "from helm_desktop.arguments import parse\n"
        "app = QApplication([])\n"
        f"desktop = Desktop(app, parse(['--home', {str(tmp_path)!r}]))\n"
        "desktop.show()\n"
        "desktop.start()\n"
        f"{ending}\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Destroyed" not in done.stderr
