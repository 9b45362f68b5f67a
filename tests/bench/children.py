"""A measurement in a process of its own: nothing of one peer is in the way of another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TIMING = """
import json, os, statistics, sys, time
CALLS = {calls}
def timed(call):
    tight = []
    for step in range(CALLS):
        began = time.perf_counter_ns()
        call(step)
        tight.append(time.perf_counter_ns() - began)
    paced = []
    due = time.perf_counter()
    for step in range(CALLS, CALLS + {paced}):
        due += 0.001
        while time.perf_counter() < due:
            time.sleep(max(0.0, due - time.perf_counter() - 0.0002))
        began = time.perf_counter_ns()
        call(step)
        paced.append(time.perf_counter_ns() - began)
    tight.sort(); paced.sort()
    print("FIGURES", json.dumps(dict(
        tight=statistics.median(tight) / 1e3, tight_p99=tight[int(len(tight) * .99)] / 1e3,
        paced=statistics.median(paced) / 1e3, paced_p99=paced[int(len(paced) * .99)] / 1e3)), flush=True)
"""


def measured(
    code: str, *, calls: int = 5000, paced: int = 2000, timeout: float = 300.0
) -> dict[str, Any] | None:
    """The figures a child prints after `FIGURES`; None when what it imports is not installed."""
    text = TIMING.replace("{calls}", str(calls)).replace("{paced}", str(paced)) + code
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "HELM_RUN_HOME": folder,
            "HELM_CONFIG_HOME": str(Path(folder) / "config"),
            "TRACKIO_DIR": folder,
            "WANDB_MODE": "offline",
            "WANDB_SILENT": "true",
            "WANDB_DIR": folder,
            "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, timeout=timeout, env=env, cwd=folder
        )
    for line in done.stdout.splitlines():
        if line.startswith("FIGURES "):
            figures: dict[str, Any] = json.loads(line.removeprefix("FIGURES "))
            return figures
    if "ModuleNotFoundError" in done.stderr:
        return None
    raise RuntimeError(
        done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "the child printed nothing"
    )
