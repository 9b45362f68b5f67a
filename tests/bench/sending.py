"""From Send to applied: 200 sends at 10 ms and at 100 ms a step, from a client, the app and a shell."""

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

GRACE_SECONDS = 0.020
COUNT = 200
STOP = -1
PEER = "launchhelm: 254 ms"

LOOP = """
import json, sys, time
import helm_sdk
from helm_sdk.models import Capability
from helm_sdk.protocol.kinds import field, integer, record_schema
seconds, out = float(sys.argv[1]), sys.argv[2]
run = helm_sdk.init("bench", name="bench")
applied, begins = {}, []
def take(value, context):
    applied[value["mark"]] = begins[-1]
schema = record_schema(field("mark", integer()))
run.on("here", Capability(name="take", input_schema=schema, safe_points=("here",)), take)
print("ready", flush=True)
step = 0
while -1 not in applied:
    time.sleep(seconds)
    run.log({f"train/value{i}": step * 1.0 for i in range(10)}, step=step)
    begins.append(time.monotonic())
    run.sync("here", step=step)
    step += 1
json.dump({"applied": applied, "begins": begins}, open(out, "w"))
run.finish()
"""

# helmctl as it is; the moment at which it hands the command to its socket goes to a file, on the clock that
# every process of this machine shares.
SHELL = """
import sys, time
from helm_sdk._client import process
from helm_sdk.protocol.messages import SendCommand
sent = process.ProcessLink.send
def stamped(self, question):
    if isinstance(question, SendCommand):
        open(sys.argv[1], "w").write(repr(time.monotonic()))
    return sent(self, question)
process.ProcessLink.send = stamped
from helm_sdk.cli import main
sys.exit(main(sys.argv[2:]))
"""


def pause(step_seconds: float) -> float:
    """How long a hand waits before the next Send: never in time with the loop."""
    return step_seconds * (2 + random.random()) + 0.03


@contextmanager
def loop(step_seconds: float) -> Iterator[tuple[Path, Callable[[], dict[str, Any]]]]:
    """A run in a process of its own: its home, and what it saw once it was told to stop."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "begins.json"
        os.environ |= {"HELM_RUN_HOME": folder, "HELM_CONFIG_HOME": str(Path(folder) / "config")}
        command = [sys.executable, "-c", LOOP, str(step_seconds), str(out)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        while "ready" not in child.stdout.readline():
            pass

        def seen() -> dict[str, Any]:
            by_client(Path(folder), step_seconds, 0)
            child.wait(60)
            found: dict[str, Any] = json.loads(out.read_text())
            return found

        try:
            yield Path(folder), seen
        finally:
            child.kill()


def by_client(home: Path, step_seconds: float, count: int) -> dict[int, float]:
    """Sends through the client that app and shell share; without a count only the one that ends the loop."""
    from helm_sdk.client import RunClient
    from helm_sdk.keys import load_keys
    from helm_sdk.protocol.messages import Command
    from helm_sdk.record.runs import find_run

    sent: dict[int, float] = {}
    with RunClient(find_run(home, "latest"), keys=load_keys(), via="bench") as client:
        while not client.alive:
            client.poll(0.1)
        for mark in range(count) if count else (STOP,):
            until = time.monotonic() + pause(step_seconds)
            while (left := until - time.monotonic()) > 0:
                client.poll(left)
            sent[mark] = time.monotonic()
            client.send(Command(id=str(uuid.uuid4()), capability="take", input={"mark": mark}))
            client.poll(0.0)
        until = time.monotonic() + 2 * step_seconds + 1
        while (left := until - time.monotonic()) > 0:
            client.poll(left)
    return sent


def by_window(home: Path, step_seconds: float, count: int) -> dict[int, float]:
    """Clicks on Send in a real window in a process of its own; when each click was made."""
    script = Path(__file__).with_name("sending_window.py")
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, str(script), str(home), str(step_seconds), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return {int(mark): at for mark, at in found.items()}


def by_shell(home: Path, step_seconds: float, count: int) -> dict[int, float]:
    """`helmctl send` a process each; when each handed its command over. How long that took is kept aside."""
    stamp = home / "stamp"
    sent: dict[int, float] = {}
    _started.clear()
    for mark in range(count):
        time.sleep(step_seconds * random.random())
        began = time.monotonic()
        words = ["send", "latest", "take", json.dumps({"mark": mark}), "--json"]
        subprocess.run(
            [sys.executable, "-c", SHELL, str(stamp), *words], capture_output=True, timeout=60, check=True
        )
        sent[mark] = float(stamp.read_text())
        _started.append(sent[mark] - began)
    return sent


_started: list[float] = []


def judged(sent: dict[int, float], seen: dict[str, Any]) -> tuple[float, list[float]]:
    """The share applied at the first safe point that begins 20 ms or more after Send, and the delays."""
    begins, applied = seen["begins"], seen["applied"]
    good, delays = 0, []
    for mark, at in sent.items():
        due = next((begin for begin in begins if begin >= at + GRACE_SECONDS), float("inf"))
        when = applied.get(str(mark), float("inf"))
        good += when <= due and when != float("inf")
        delays.append(when - at)
    return 100 * good / len(delays), delays


WAYS: dict[str, Callable[[Path, float, int], dict[int, float]]] = {
    "client": by_client,
    "app": by_window,
    "shell": by_shell,
}


def measure(count: int = COUNT) -> list[dict[str, object]]:
    """The share and the delay of each way at each pace; how long `helmctl` takes to begin, apart."""
    rows: list[dict[str, object]] = []
    for way, send in WAYS.items():
        for step_seconds in (0.01, 0.1):
            with loop(step_seconds) as (home, seen):
                sent = send(home, step_seconds, count)
                share, delays = judged(sent, seen())
            middle, high = statistics.median(delays) * 1000, sorted(delays)[int(len(delays) * 0.95)] * 1000
            rows.append(
                {
                    "what": f"Send to applied from the {way}, {step_seconds * 1000:.0f} ms steps",
                    "figure": share,
                    "unit": f"% of {len(delays)} at the first safe point ≥ 20 ms later",
                    "beside": f"median {middle:.1f} ms, p95 {high:.1f} ms; {PEER}",
                    "aim": "≥ 95",
                    "reached": share >= 95,
                }
            )
    rows.append(
        {
            "what": "helmctl send, from its start to handing over, median",
            "figure": statistics.median(_started) * 1000,
            "unit": "ms, Python's start included",
        }
    )
    return rows
