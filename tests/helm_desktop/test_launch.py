"""The way from the command to a window: an empty one first, whatever costs time behind it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from helm_desktop.launch import Launch
from helm_desktop.startup.arguments import parse

STARTED = """
import builtins, sys
plain = builtins.__import__
from helm_desktop.startup.load_qt import load_qt
load_qt()
assert builtins.__import__ is plain
from PySide6.QtWidgets import QApplication
from helm_desktop.startup.arguments import parse
from helm_desktop.launch import Launch
app = QApplication([])
class Halted(Launch):
    def fill(self): app.exit(0)
opening = Halted(app, parse(["--home", sys.argv[1]]))
opening.begin()
app.exec()
assert opening.frame.window.isVisible() and not app.styleSheet()
print(sorted({"numpy", "pyqtgraph", "zmq", "sqlite3", "torch", "scipy", "matplotlib"} & set(sys.modules)))
Launch.fill(opening)
for _ in range(50): app.processEvents()
print(opening.desktop.regions.runs.isVisible(), bool(app.styleSheet()), builtins.__import__ is plain)
print(sorted({"torch", "scipy", "matplotlib", "pandas"} & set(sys.modules)))
opening.frame.window.close()
opening.shutdown()
"""


def test_that_the_window_is_painted_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.stdout.splitlines() == ["[]", "True True True", "[]"], done.stderr


def test_that_the_empty_window_is_filled_by_itself(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    opening = Launch(qapp, parse(["--home", str(tmp_path), "--theme", "dark"]))
    window = opening.frame.window
    assert any(label.text() == "Opening…" for label in window.findChildren(QLabel))
    opening.begin()
    qtbot.waitUntil(lambda: opening.desktop is not None)
    assert opening.desktop is not None
    assert opening.desktop.window is window
    qtbot.waitUntil(opening.desktop.regions.first.isVisible)
    assert not any(label.text() == "Opening…" for label in window.findChildren(QLabel))
    window.close()
    opening.shutdown()
    for gone in (window, opening.desktop, opening):
        gone.deleteLater()


def test_that_a_window_closed_before_it_was_filled_ends_quietly(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    opening = Launch(qapp, parse(["--home", str(tmp_path)]))
    opening.frame.window.show()
    opening.frame.window.close()
    opening.shutdown()
    assert opening.desktop is None
    opening.frame.window.deleteLater()
    opening.deleteLater()


def test_that_a_window_that_cannot_be_filled_ends_the_app_and_says_why(
    qapp: QApplication,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended: list[int] = []
    opening = Launch(qapp, parse(["--home", str(tmp_path)]))
    monkeypatch.setattr("helm_desktop.app.Regions", None)
    monkeypatch.setattr(QApplication, "exit", ended.append)
    opening.begin()
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == [1]
    assert "TypeError" in capsys.readouterr().err
    opening.frame.window.close()
    opening.shutdown()
    opening.frame.window.deleteLater()
    opening.deleteLater()
