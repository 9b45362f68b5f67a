"""The full form of tests/reliability/test_nothing_is_lost.py: 4 × 100,000 points, the app stopped 20 s."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from helm_sdk.record.runs import find_run
from helm_sdk.record.verify import verify
from helpers.scripts import start
from reliability import scenarios

FULL = scenarios.Size(points=100_000, rate=5_000, stopped_seconds=20.0)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "scenario",
    [
        scenarios.app_from_the_start,
        scenarios.app_killed_and_started_anew,
        scenarios.app_stopped_for_a_while,
        scenarios.client_without_files,
    ],
)
def test_that_nothing_is_lost_of_400000_points(
    scenario: Callable[[Path, Path, scenarios.Size], None], tmp_path: Path
) -> None:
    scenario(Path(os.environ["HELM_RUN_HOME"]), tmp_path / "held.npz", FULL)


FLAT_OUT = """
import os, time, helm_sdk
run = helm_sdk.init("flat out")
until = time.monotonic() + float(os.environ["FLOOD_SECONDS"])
step = 0
while time.monotonic() < until:
    run.log({f"train/m{i}": step * 1.0 for i in range(150)}, step=step)
    step += 1
run.finish()
print("rows", step, "lost", run._recording.buffer.lost, flush=True)
"""


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_that_a_loop_that_only_logs_loses_nothing_at_length(tmp_path: Path) -> None:
    """D15, flat out: about a gigabyte a minute"""
    home = Path(os.environ["HELM_RUN_HOME"])
    seconds = float(os.environ.get("HELM_SOAK_MINUTES", 2.0)) * 60
    script = start(FLAT_OUT, home=home, env={"FLOOD_SECONDS": str(seconds)})
    rows = int(script.wait_for_line(r"^rows (\d+) lost 0$", timeout=seconds + 120)[1])
    assert script.finish() == 0, script.lines
    folder = find_run(home, "latest")
    (reader,) = folder.readers()
    with reader:
        assert {summary.count for summary in reader.summary()} == {rows}
        assert all(step == at == value for at, (step, value, _) in enumerate(reader.points("train/m149")))
    assert verify(folder.path) == []
