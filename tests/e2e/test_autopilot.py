"""The example that steers, on a real run with a real optimizer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk.record.layout import config_home
from helpers.raw_client import wait_until
from helpers.scripts import points, shown, start

EXAMPLES = Path(helm_sdk.__file__).parents[1] / "resources" / "examples"
SCRIPT = """
import time, torch
import helm_sdk.torch as helm
torch.set_num_threads(1)
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
tr = helm.init("p", name="flat")
tr.watch(model, optimizer)
for step in range(100000):
    loss = model(torch.ones(1, 2)).square().mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    tr.step(step=step, loss=1.0 if step > 5 else 2.0 - step / 10)
    time.sleep(0.004)
"""


def autopilot(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the example on the newest run."""
    command = [sys.executable, str(EXAMPLES / "autopilot.py"), "latest", "--home", str(home), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=80)


@pytest.mark.parametrize("limited", [False, True])
def test_that_it_halves_the_rate_on_a_plateau_under_its_name(tmp_path: Path, limited: bool) -> None:
    """With a policy that lets programs send one change an hour the run takes one and says why no more."""
    if limited:
        limit = {"control": "lr", "bounds": {"scale": {"min": 0.5, "max": 1}}, "per_hour": 1}
        config_home().mkdir(parents=True, exist_ok=True)
        (config_home() / "policy.json").write_text(json.dumps({"programs": {"limits": [limit]}}))
    script = start(SCRIPT, home=tmp_path)
    try:
        script.wait_for_line("helm: run")
        done = autopilot(tmp_path, "--patience", "60", "--at-most", "2")
        last = 0.05 if limited else 0.025  # its point is on disk a moment after the change that made it
        wait_until(lambda: last in [rate for _, rate in points("optim/lr/group0", home=tmp_path)])
    finally:
        script.kill()
    changes = shown(home=tmp_path)["changes"]
    assert changes[0]["state"] in ("applied", "confirmed"), done.stdout + done.stderr
    assert changes[0]["reason"] == "train/loss got no better for 60 steps"
    rates = [value for _, value in points("optim/lr/group0", home=tmp_path)]
    if limited:
        assert done.returncode == 1
        assert [change["state"] for change in changes[1:]] == ["rejected"]
        assert changes[1]["message"] == "policy: programs may change lr 1 time an hour, and have"
        assert set(rates) == {0.1, 0.05}
        return
    assert done.returncode == 0, done.stderr
    assert "2 changes" in done.stdout
    assert len(changes) == 2
    late = 10  # points of the steps just before a change may come after it
    assert changes[1]["step"] - changes[0]["step"] >= 60 - late
    assert set(rates) == {0.1, 0.05, 0.025}
