"""From Send to applied: 200 sends into a real loop, at 10 ms and at 100 ms a step."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

GRACE_SECONDS = 0.020

LOOP = """
import json, sys, time
import helm_sdk
from helm_sdk import Capability, opaque_schema
seconds, out = float(sys.argv[1]), sys.argv[2]
run = helm_sdk.init("bench")
applied = {}
begins = []
def take(value, context):
    applied[value["mark"]] = begins[-1]
schema = {"revision": "1", "root": {"kind": "opaque"}}
run.on("here", Capability(name="take", input_schema=schema, safe_points=("here",)), take)
print("ready", flush=True)
step = 0
while not applied.get("stop"):
    time.sleep(seconds)
    begins.append(time.monotonic())
    run.sync("here", step=step)
    step += 1
json.dump({"applied": applied, "begins": begins}, open(out, "w"))
run.finish()
"""


def sends(step_seconds: float, count: int) -> dict[str, Any]:
    """When each command was sent and when the safe point that applied it began, on one monotonic clock."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "begins.json"
        os.environ |= {"HELM_RUN_HOME": folder, "HELM_CONFIG_HOME": str(Path(folder) / "config")}
        child = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(step_seconds), str(out)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        while "ready" not in child.stdout.readline():
            pass
        sent = _send_all(Path(folder), step_seconds, count)
        child.wait(60)
        return {"sent": sent, **json.loads(out.read_text())}


def _send_all(home: Path, step_seconds: float, count: int) -> dict[str, float]:
    from helm_sdk.client import RunClient
    from helm_sdk.keys import load_keys
    from helm_sdk.protocol.messages import Command
    from helm_sdk.record.runs import find_run

    sent: dict[str, float] = {}
    with RunClient(find_run(home, "latest"), keys=load_keys(), via="bench") as client:
        while not client.alive:
            client.poll(0.1)
        for mark in [*map(str, range(count)), "stop"]:
            until = time.monotonic() + step_seconds * (2 + random.random()) + 0.03
            while (left := until - time.monotonic()) > 0:
                client.poll(left)
            sent[mark] = time.monotonic()
            client.send(Command(id=str(uuid.uuid4()), capability="take", input={"mark": mark}))
            client.poll(0.0)
        until = time.monotonic() + 2 * step_seconds + 1
        while (left := until - time.monotonic()) > 0:
            client.poll(left)
    return sent


def measure() -> list[dict[str, object]]:
    """The share applied at the first safe point that begins 20 ms or more after Send, and the delay."""
    rows: list[dict[str, object]] = []
    for step_seconds in (0.01, 0.1):
        found = sends(step_seconds, 200)
        begins, applied = found["begins"], found["applied"]
        good, delays = 0, []
        for mark, at in found["sent"].items():
            if mark == "stop":
                continue
            due = next((begin for begin in begins if begin >= at + GRACE_SECONDS), float("inf"))
            good += mark in applied and applied[mark] <= due
            delays.append(applied.get(mark, float("inf")) - at)
        share = 100 * good / len(delays)
        rows.append(
            {
                "what": f"Send to applied, {step_seconds * 1000:.0f} ms steps",
                "figure": share,
                "unit": "% at the first safe point ≥ 20 ms later",
                "beside": f"median {statistics.median(delays) * 1000:.1f} ms after Send",
                "aim": "≥ 95",
                "reached": share >= 95,
            }
        )
    return rows
