"""A run that nobody watches, or that is watched by somebody who has stopped reading, ends at once."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.scripts import start

WATCHER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from helpers.raw_client import RawClient
client = RawClient(sys.argv[2])
client.attach()
print("attached", flush=True)
time.sleep(120)
"""

TRAINING = """
import sys, time
import helm_sdk
run = helm_sdk.init("watched")
print("id", run.run_id, flush=True)
sys.stdin.readline()
for step in range(40_000):
    run.log({f"m{i}": float(step) for i in range(10)}, step=step)
began = time.monotonic()
run.flush()
began = time.monotonic()
run.finish()
print("finish took", time.monotonic() - began, flush=True)
"""


@pytest.mark.parametrize("watched", [False, True])
def test_that_exit_does_not_wait_for_a_reader(tmp_path: Path, watched: bool) -> None:
    """D35"""
    training = subprocess.Popen(
        [sys.executable, "-u", "-c", TRAINING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert training.stdin is not None
    assert training.stdout is not None
    run_id = next(line.split()[1] for line in training.stdout if line.startswith("id "))
    watcher = None
    if watched:
        tests = Path(__file__).parents[1]
        watcher = start(
            WATCHER.replace("sys.argv[1]", repr(str(tests))).replace("sys.argv[2]", repr(run_id)),
            home=Path(_home()),
        )
        watcher.wait_for_line("attached")
        watcher.process.send_signal(signal.SIGSTOP)
    training.stdin.write("go\n")
    training.stdin.flush()
    line = next(line for line in training.stdout if line.startswith("finish took"))
    ended = time.monotonic()
    assert training.wait(30) == 0
    assert time.monotonic() - ended < 2.0
    assert float(line.split()[-1]) < 2.0
    if watcher is not None:
        watcher.process.send_signal(signal.SIGCONT)
        watcher.kill()


def _home() -> str:
    from helm_sdk.record import layout

    return str(layout.home())
