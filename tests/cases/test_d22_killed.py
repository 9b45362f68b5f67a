"""A run that was killed is not called active, and everybody says why."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from helpers.drawn import window_of
from helpers.fleet import app
from helpers.scripts import helmctl, shown, start

SCRIPT = """
import time, helm_sdk
run = helm_sdk.init("killed")
print("folder", run.folder, flush=True)
for step in range(10**9):
    run.log({"loss": 1.0}, step=step)
    time.sleep(0.001)
"""


def test_that_a_killed_run_is_called_killed_at_its_step(home: Path, tmp_path: Path) -> None:
    """D22"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    with app(home, folder, tmp_path / "held.npz") as collector:
        held = collector.wait_holds(500)
        collector.says("^state live$")

        script.kill(signal.SIGKILL)

        collector.says("^state killed$", timeout=30)
        collector.says("^link rank-0 ended$", timeout=30)
    listed = json.loads(helmctl("runs", "--json", home=home).stdout)
    told = shown(home=home)
    window = window_of(folder, tmp_path, home=home)
    assert [run["state"] for run in listed] == ["killed"]
    assert told["state"] == window["state"] == "killed"
    step = int(window["strip"]["step"].replace(",", ""))
    assert step >= held - 1
    assert f"killed at step {step}" in json.dumps(told)
    assert helmctl("verify", folder.name, home=home).returncode == 0
