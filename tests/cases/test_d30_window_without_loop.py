"""A window without an event loop ends with its threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("ending", ["", "sys.exit(0)", "del desktop", "app.exit()", "desktop.window.close()"])
def test_that_a_window_without_an_event_loop_exits_with_status_0(tmp_path: Path, ending: str) -> None:
    """D30: threads end before their objects do, whoever forgets to stop them."""
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
