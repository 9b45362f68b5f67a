"""A run with one control that logs the control's value at each step until it is told to end."""

from __future__ import annotations

import select
import sys
import time
from typing import Any

import helm_sdk

run = helm_sdk.init("steered", resume=sys.argv[1] if len(sys.argv) > 1 else None)
rate = run.tunable("rate", 1.0, minimum=0.0, safe_point="loop")
calls = 0


def hold(value: Any, context: helm_sdk.CommandContext) -> int:
    """Count how often it was called."""
    global calls
    calls += 1
    print(f"handler {context.id} {value}", flush=True)
    return calls


run.on("rare", helm_sdk.Capability(name="hold", input_schema=helm_sdk.opaque_schema()), hold)
print(f"folder {run.folder}", flush=True)
step = 0
slowest = 0.0
while not select.select([sys.stdin], [], [], 0)[0]:
    began = time.monotonic()
    run.log({"rate": rate.value}, step=step)
    run.sync("loop", step)
    slowest = max(slowest, time.monotonic() - began)
    step += 1
    time.sleep(0.002)
line = sys.stdin.readline().strip()
if line == "serve":  # the rare safe point comes by at last
    run.sync("rare", step)
    run.flush()
print(f"slowest {slowest:.6f}", flush=True)
run.finish()
