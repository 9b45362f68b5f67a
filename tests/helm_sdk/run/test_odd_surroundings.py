"""A script in an odd place, or told to leave in the middle of a call, trains and ends as without Helm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helm_sdk.record import layout
from helm_sdk.record.runs import find_run
from helpers.scripts import start as start_script

LOOP = (
    "run = helm_sdk.init('odd'); run.console()\n"
    "for step in range(3):\n"
    "    print('step', step); warnings.warn(str(step)); run.log({'a': 1.0}, step=step)\n"
    "run.finish(); open(os.environ['DONE'], 'w').write('trained'); os._exit(0)\n"
)
HEAD = "import os, sys, warnings, helm_sdk\n"


def points(name: str = "a") -> int:
    (reader,) = find_run(None, "latest").readers()
    with reader:
        return sum(1 for _ in reader.points(name))


@pytest.mark.parametrize(
    "before", ["sys.stdout = sys.stderr = None\n", "sys.stderr = None\n", "sys.stdout = None\n"]
)
def test_that_a_stream_that_is_not_there_stays_so_and_the_script_trains(before: str, tmp_path: Path) -> None:
    environment = {**os.environ, "DONE": str(tmp_path / "done")}
    script = HEAD + before + LOOP
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "done").exists()
    assert points() == 3


@pytest.mark.skipif(os.name == "nt", reason="descriptors are closed by a POSIX shell")
def test_that_closed_descriptors_are_not_given_to_sockets_or_files(tmp_path: Path) -> None:
    script = tmp_path / "service.py"
    # As a service does later on: its streams become the null device.
    script.write_text(
        HEAD
        + "run = helm_sdk.init('odd')\nnull = os.open(os.devnull, os.O_RDWR)\n"
        + "for number in (0, 1, 2): os.dup2(null, number)\n"
        + "for step in range(500): run.log({'a': 1.0}, step=step)\n"
        + "run.finish(); open(os.environ['DONE'], 'w').write('trained')\n"
    )
    environment = {**os.environ, "DONE": str(tmp_path / "done")}
    line = f'"{sys.executable}" "{script}" <&- >&- 2>&-'
    assert subprocess.run(["bash", "-c", line], timeout=60, env=environment).returncode == 0
    assert (tmp_path / "done").exists()
    assert points() == 500


def test_that_a_user_without_home_and_entry_has_the_temporary_folder(tmp_path: Path) -> None:
    text = (
        "import os, pwd\n"
        "def unknown(uid): raise KeyError(f'uid not found: {uid}')\n"
        "pwd.getpwuid = unknown\n"
        "import helm_sdk\nrun = helm_sdk.init('container')\nrun.log({'a': 1.0}, step=0)\nrun.finish()\n"
        "print(run.folder)"
    )
    names = ("HOME", "HELM_RUN_HOME", "HELM_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    environment["TMPDIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.splitlines()[-1]).is_relative_to(tmp_path)


@pytest.mark.parametrize("after", [0.9, 1.1, 1.3])
def test_that_a_handler_that_logs_and_finishes_inside_log_ends_at_once(after: float) -> None:
    text = (
        "import os, signal, sys, threading, time, helm_sdk\n"
        "run = helm_sdk.init('handler')\n"
        "def leave(*_):\n    run.log({'last': 1.0}); run.finish('interrupted'); sys.exit(143)\n"
        "signal.signal(signal.SIGTERM, leave)\n"
        f"threading.Thread(target=lambda: (time.sleep({after}), os.kill(os.getpid(), signal.SIGTERM)),"
        " daemon=True).start()\n"
        "step = 0\n"
        "while True: run.log({f'm{k}': 1.0 for k in range(50)}, step=step); step += 1\n"
    )
    script = start_script(text, home=layout.home())
    began = time.monotonic()
    assert script.finish() == 143
    assert time.monotonic() - began < 30, "it does not wait for itself"
    assert points("last") == 1
    assert find_run(None, "latest").state_text().startswith("interrupted")


def test_that_a_second_ctrl_c_does_not_lose_what_was_logged() -> None:
    text = (
        "import os, signal, threading, time, helm_sdk\n"
        "def press():\n"
        "    time.sleep(1); os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(0.003); os.kill(os.getpid(), signal.SIGINT)\n"
        "run = helm_sdk.init('twice'); threading.Thread(target=press, daemon=True).start()\n"
        "step = 0\n"
        "try:\n"
        "    with run:\n"
        "        while True:\n"
        "            for _ in range(200): run.log({'a': 1.0}, step=step); step += 1\n"
        "            time.sleep(0.001)\n"
        "finally: print('logged', step)\n"
    )
    script = start_script(text, home=layout.home())
    logged = int(script.wait_for_line(r"^logged (\d+)$")[1])
    assert script.finish() == -signal.SIGINT
    assert points() in (logged, logged + 1)  # the key may come between the call and the count
    assert find_run(None, "latest").state_text().startswith("interrupted")


def test_that_a_script_that_is_told_to_leave_and_leaves_with_0_was_interrupted() -> None:
    text = (
        "import signal, sys, time, helm_sdk\n"
        "run = helm_sdk.init('preempted', name='long', resume='auto')\n"
        "leave = []\nsignal.signal(signal.SIGTERM, lambda *_: leave.append(True))\n"
        "print('attempt', run.attempt, flush=True)\n"
        "while not leave: run.log({'a': 1.0}); time.sleep(0.005)\n"
        "sys.exit(0)\n"
    )
    for attempt in (1, 2):
        script = start_script(text, home=layout.home())
        script.wait_for_line(f"attempt {attempt}$")
        script.process.send_signal(signal.SIGTERM)
        assert script.finish() == 0
        assert "SIGTERM" in find_run(None, "latest").readers()[-1].record.message
