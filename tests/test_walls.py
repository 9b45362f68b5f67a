"""The walls between the packages, and that the script which checks them would notice."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def check(root: Path) -> subprocess.CompletedProcess[str]:
    """Run a copy of the script that takes `root` for the project."""
    script = root / "packaging" / "walls.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text((ROOT / "packaging" / "walls.py").read_text(encoding="utf-8"), encoding="utf-8")
    return subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("helm_desktop/model/board/layout.py", "from PySide6.QtWidgets import QWidget"),
        ("helm_desktop/model/board/layout.py", "from PySide6 import QtGui"),
        ("helm_desktop/link/socket.py", "from PySide6 import (\n    QtCore,\n    QtWidgets,\n)"),
        ("helm_desktop/link/socket.py", "from helm_sdk import init"),
        ("helm_desktop/window/main_window.py", "def late():\n    import helm_sdk._run.run"),
        ("helm_desktop/window/main_window.py", "from .. import app"),
        ("helm_sdk/protocol/wire.py", "import zmq"),
        ("helm_sdk/protocol/wire.py", "from helm_sdk.record import reader"),
        ("helm_sdk/passport/flops.py", "import msgspec"),
    ],
)
def test_that_a_broken_wall_is_named_with_its_line(tmp_path: Path, module: str, line: str) -> None:
    path = tmp_path / module
    path.parent.mkdir(parents=True)
    path.write_text(line + "\n", encoding="utf-8")
    result = check(tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith(module)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("helm_desktop/model/board/layout.py", "from PySide6.QtGui import QUndoCommand, QUndoStack"),
        ("helm_desktop/link/socket.py", "from helm_sdk.client import RunClient"),
        ("helm_desktop/launch.py", "from helm_desktop.app import Desktop"),
        ("helm_sdk/protocol/wire.py", "import struct\nimport msgpack\nfrom . import errors"),
    ],
)
def test_that_what_is_allowed_passes(tmp_path: Path, module: str, line: str) -> None:
    path = tmp_path / module
    path.parent.mkdir(parents=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert check(tmp_path).returncode == 0
