"""A terminal or a pipe that is not UTF-8: what it has no letter for is escaped, and nothing raises."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from helm_sdk.record import layout
from helpers.scripts import helmctl

SCRIPT = (
    "import helm_sdk\nrun = helm_sdk.init('proj', name='na\\u00efve \\u2713')\n"
    "run.log({'loss \\u25c6': 1.0}, step=0)\nrun.finish()"
)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_that_names_with_other_letters_are_printed(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    made = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, timeout=60)
    assert made.returncode == 0, made.stderr
    assert b"helm: run na" in made.stdout
    assert str(layout.home()).encode() in made.stdout
    for words in (["--help"], ["runs"], ["show", "latest"], ["points", "latest", "loss ◆"]):
        shell = [sys.executable, "-m", "helm_sdk.cli", *words]
        done = subprocess.run(shell, capture_output=True, timeout=60)
        assert done.returncode == 0, (words, done.stderr)
        assert b"Traceback" not in done.stderr
    for words in (["runs", "--json"], ["show", "latest", "--json"]):
        shown = helmctl(*words, home=layout.home())
        assert "naïve ✓" in json.dumps(json.loads(shown.stdout), ensure_ascii=False)
