"""The Qt binding itself: one release loses a reference with each call, and ends the process with it."""

import subprocess
import sys

CALLS = 20_000


def test_that_a_call_that_returns_nothing_keeps_the_references_of_none_and_true() -> None:
    code = f"""
import sys
from PySide6.QtCore import QObject
thing = QObject()
thing.setObjectName("x")
before = sys.getrefcount(None), sys.getrefcount(True)
for _ in range({CALLS}):
    thing.setObjectName("x")
    thing.blockSignals(True)
after = sys.getrefcount(None), sys.getrefcount(True)
assert all(abs(a - b) < {CALLS} // 10 for a, b in zip(before, after)), (before, after)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
