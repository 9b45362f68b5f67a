"""`make coverage`: run the tests and tell how much of each package they run, child processes included.

Writes build/coverage: `html/index.html` with every line, `coverage.json` for programs. A process that ends by
a signal writes nothing, so what only such a process runs counts as not run. A test of what is imported may
fail here, since coverage.py imports sqlite3 itself; the table is printed all the same.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "coverage"
TESTS = ("-m", "pytest", "-m", "not soak and not bench", "-n", "2", "--dist", "loadfile", "-q")
# Measured code is slower: a test gets three times as long before it counts as stuck.
TIMEOUT = "--timeout=360"


@dataclass
class Count:
    """Statements and branches of a package, and how many of them ran."""

    statements: int = 0
    statements_run: int = 0
    branches: int = 0
    branches_run: int = 0

    def add(self, summary: dict[str, Any]) -> None:
        """Count a file too, by the summary that coverage.py gives of it."""
        self.statements += summary["num_statements"]
        self.statements_run += summary["covered_lines"]
        self.branches += summary["num_branches"]
        self.branches_run += summary["covered_branches"]


def coverage(*arguments: str) -> int:
    """Run coverage.py on this project; its exit status."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, env=env).returncode


def table(files: dict[str, dict[str, Any]]) -> str:
    """Return a line a package, from what coverage.py says of each file, and one for the whole."""
    packages: defaultdict[str, Count] = defaultdict(Count)
    for name, file in sorted(files.items()):
        packages[Path(name).parent.as_posix()].add(file["summary"])
        packages["all"].add(file["summary"])
    total = packages.pop("all", Count())
    lines = [f"{'package':36}{'statements':>12}{'run':>8}{'branches':>11}{'run':>8}"]
    lines += [_line(name, packages[name]) for name in sorted(packages)]
    return "\n".join([*lines, _line("all", total)])


def _line(name: str, count: Count) -> str:
    run, taken = _share(count.statements_run, count.statements), _share(count.branches_run, count.branches)
    return f"{name:36}{count.statements:>12}{run:>8}{count.branches:>11}{taken:>8}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"


def main(arguments: Sequence[str]) -> int:
    """Run the tests with these more arguments; their exit status, or coverage.py's where it failed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    tested = coverage("run", *TESTS, TIMEOUT, *arguments)
    report = FOLDER / "coverage.json"
    for step in (
        ("combine", "--quiet"),
        ("json", "--quiet", "-o", str(report)),
        ("html", "--quiet", "-d", str(FOLDER / "html")),
    ):
        if status := coverage(*step):
            return status
    print("\n" + table(json.loads(report.read_text(encoding="utf-8"))["files"]))
    print(f"\nEvery line: {FOLDER.relative_to(ROOT) / 'html' / 'index.html'}", flush=True)
    return tested


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
