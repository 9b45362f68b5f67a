"""A script as a person would write it, run as they would run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from helm_sdk.record.layout import home
from helm_sdk.record.runs import find_run
from helm_sdk.torch.checkpoint import verify

SCRIPT = Path(__file__).with_name("loop_script.py")


def test_that_a_whole_script_leaves_a_whole_run() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), "25"],
        capture_output=True,
        text=True,
        timeout=100,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stderr
    assert "run finished:" in done.stdout
    run = find_run(home(), "latest")
    (reader,) = run.readers()
    streams = {stream.name for stream in reader.streams()}
    assert {
        "train/loss",
        "optim/grad_norm",
        "optim/lr/group0",
        "optim/weight_decay/group0",
        "perf/step_time_s",
        "perf/samples_per_s",
        "data/share/easy",
    } <= streams
    assert [step for step, _, _ in reader.points("train/loss")] == list(range(25))
    assert [step for step, _, _ in reader.points("data/share/easy")] == [0, 10, 20]
    capabilities = reader.catalogues()["capabilities"].body
    names = [entry["capability"]["name"] for entry in capabilities]
    assert sorted(names) == ["checkpoint", "eval", "grad_clip", "lr", "set_shares", "weight_decay"]
    assert [event.kind for event in reader.events()] == ["joined", "checkpoint", "span", "finished"]
    plan = reader.catalogues()["plan"].body
    assert plan["step"] == 25
    ran = {step: value for step, value, _ in reader.points("optim/lr/group0")}
    assert dict(zip(plan["curves"][0]["steps"], plan["curves"][0]["values"], strict=True)) == ran
    (saved,) = (run.path / "checkpoints").glob("the-end*")
    assert verify(saved)["step"] == 24
