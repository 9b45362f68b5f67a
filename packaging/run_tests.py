"""`make test`: every test but the long ones, what failed once more alone, and what that was.

Two processes run the tests, since half of a test's time is waiting. A test that fails beside others on a busy
machine and passes alone is named; more than a few of those are a fault of the tests or of the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
MOST_TRIED_AGAIN = 3
CHOSEN = ("-m", "not soak and not bench")
TOGETHER = ("-n", "2", "--dist", "loadfile", "--durations=15")
ALONE = ("--last-failed", "--last-failed-no-failures", "none")
SOME_FAILED = 1  # pytest's exit status; above it the run itself went wrong


def pytest(*arguments: str) -> int:
    """Run pytest on this project; its exit status."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run([sys.executable, "-m", "pytest", *CHOSEN, *arguments], cwd=ROOT, env=env).returncode


def failed() -> list[str]:
    """Return what failed in the last run, as pytest names it."""
    try:
        return sorted(json.loads(LAST_FAILED.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def report(first: Sequence[str], again: Sequence[str]) -> None:
    """Name each test that was tried again, and what became of it."""
    print(f"\n{len(first)} tried again alone, since beside other tests they failed:")
    for name in first:
        print(f"  {'failed again' if name in again else 'passed alone'}  {name}")
    if len(first) > MOST_TRIED_AGAIN:
        print(f"More than {MOST_TRIED_AGAIN} had to be tried again: this run counts as failed.")


def main(arguments: Sequence[str]) -> int:
    """Run the tests; pytest's exit status, or 1 where too many of them had to be tried again."""
    LAST_FAILED.unlink(missing_ok=True)
    status = pytest(*TOGETHER, *arguments)
    first = failed()
    if status != SOME_FAILED or not first:
        return status
    status = pytest(*ALONE, *arguments)
    report(first, failed())
    return status or int(len(first) > MOST_TRIED_AGAIN)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
