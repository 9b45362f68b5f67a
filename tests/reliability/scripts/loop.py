"""A training loop that times itself: python loop.py POINTS [OUT_FOLDER].

It logs POINTS points and prints how long the slowest call and the end took. With BALLAST in the environment
it first fills its home's disk, half way frees it again, and afterwards copies its folder to OUT_FOLDER.
BOUND sets how many bytes may wait in memory. With NOISE it publishes 60 KB every 20 points; with WAIT it
begins when it is told a line.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import helm_sdk
from helm_sdk._recorder import buffer


def fill(home: Path) -> Path:
    """Write a file until the disk takes no more."""
    ballast = home / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for block in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    file.write(b"." * block)
            except OSError:
                continue
    return ballast


def wait_until_refused(run: helm_sdk.Run) -> None:
    """Publish until the disk refuses a commit: SQLite's log may hold free pages from before."""
    recorder = run._recording.recorder
    until = time.monotonic() + 20
    number = 0
    while recorder is not None and not recorder.services.journal.failing and time.monotonic() < until:
        number += 1
        run.fact("noise", f"{number} " + "." * 60_000)
        time.sleep(0.02)


def log(run: helm_sdk.Run, first: int, end: int) -> float:
    """Log some points at about 5 kHz; the slowest call in seconds."""
    slowest = 0.0
    for step in range(first, end):
        began = time.monotonic()
        run.log({"value": float(step)}, step=step)
        slowest = max(slowest, time.monotonic() - began)
        if "NOISE" in os.environ and step % 20 == 0:
            run.fact("noise", f"{step} " + "." * 60_000)
        if step % 50 == 0:
            time.sleep(0.01)
    return slowest


def main() -> None:
    """The loop."""
    points = int(sys.argv[1])
    if "BOUND" in os.environ:
        buffer.Buffer.__init__.__defaults__ = (int(os.environ["BOUND"]),)
    run = helm_sdk.init("loop")
    print("folder", run.folder, flush=True)
    if "WAIT" in os.environ:
        sys.stdin.readline()
    slowest = log(run, 0, points // 4)
    if "BALLAST" in os.environ:
        run.flush()
        ballast = fill(Path(os.environ["HELM_RUN_HOME"]))
        wait_until_refused(run)
        slowest = max(slowest, log(run, points // 4, points // 2))
        if os.environ["BALLAST"] != "kept":
            ballast.unlink()
            time.sleep(1.5)  # until the disk is tried again
    slowest = max(slowest, log(run, points // 2 if "BALLAST" in os.environ else points // 4, points))
    began = time.monotonic()
    run.finish()
    print(f"slowest {slowest:.6f}", flush=True)
    print(f"finish {time.monotonic() - began:.3f}", flush=True)
    if len(sys.argv) > 2 and run.folder is not None:
        shutil.copytree(run.folder, sys.argv[2])


main()
