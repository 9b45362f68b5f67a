"""torchrun works with no change, and what it starts anew is the next attempt of the same run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import list_runs
from helpers.ranks import Steer, step_applied

SCRIPT = Path(__file__).parent / "torchrun_script.py"


def test_that_a_restart_by_torchrun_is_the_next_attempt() -> None:
    command = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"),
        *("--max-restarts", "1", str(SCRIPT)),
    ]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "HELM_RANK_TIMEOUT": "5"}
    # With its shared store torchrun 2.13 gives a new start the dead ranks' addresses, and gloo gives up.
    env["TORCH_DISABLE_SHARE_RDZV_TCP_STORE"] = "1"
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    try:
        assert job.stdout is not None
        trained = (found for line in job.stdout if (found := re.match(r"training (\d+) (.+)$", line)))
        first, again = next(trained), next(trained)
        attempt = int(again[1])
        with Steer(Path(again[2])) as steer:
            steer.wait(lambda: ("rank-1", attempt) in steer.joined)
            steer.usable()
            changed = steer.do("lr", {"lr": 1e-3})
            stopped = steer.do("stop")
            said, _ = job.communicate(timeout=30)
    finally:
        job.terminate()  # it ends its workers
        job.communicate()

    assert job.returncode == 0, said
    assert (first[1], first[2]) == ("1", again[2])
    assert attempt >= 2
    assert changed.state in ("applied", "confirmed")
    assert said.count(f"ended at {step_applied(stopped)}\n") == 2
    (run,) = list_runs(Path(os.environ["HELM_RUN_HOME"]))
    files = [(file.attempt, file.process) for file in RunFolder(run.path).process_files()]
    assert {(1, "rank-0"), (1, "rank-1"), (attempt, "rank-0"), (attempt, "rank-1")} <= set(files)
