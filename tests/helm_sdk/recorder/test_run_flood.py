"""A loop that logs faster than the recorder stores: nothing is lost, whatever ends the run."""

import json
import signal
from array import array
from pathlib import Path

import pytest

from helm_sdk.cli import main
from helm_sdk.record import layout
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run
from helm_sdk.record.verify import verify
from helpers.scripts import start as start_script

ROWS, WIDTH = 12_000, 150
HEAD = f"""
import glob, os, random, struct, threading, time
import helm_sdk
run = helm_sdk.init("flood")
odd = [float("nan"), float("inf"), -0.0, 5e-324]
draw = random.Random(3)
pool = [odd + [draw.uniform(-1e9, 1e9) for _ in range({WIDTH - 4})] for _ in range(16)]
def log(step):
    # What came last decides what a file must hold, bit for bit.
    run.log({{f"m{{i}}": value for i, value in enumerate(pool[step % 16])}}, step=step)
go, held = threading.Event(), threading.Event()
def hold():
    held.set()
    go.wait()
def stall():
    run._recording.recorder.post(hold)
    held.wait()
"""
STALLED = (
    HEAD
    + f"""
log(0)
run.flush()
stall()
for step in range(1, {ROWS}): log(step)
assert run._recording.buffer.lost == 0
"""
)
SMALL = {"HELM_RUN_BUFFER_MB": "32"}  # a quarter of it in memory, the rest of what is packed in the file


def folder() -> RunFolder:
    return find_run(None, "latest")


def bits(values: list[float]) -> bytes:
    return array("d", values).tobytes()


def check(reader: ProcessReader, rows: int) -> None:
    """The file holds the first rows of the loop, each once, in order, bit for bit."""
    import random

    draw = random.Random(3)
    odd = [float("nan"), float("inf"), -0.0, 5e-324]
    pool = [odd + [draw.uniform(-1e9, 1e9) for _ in range(WIDTH - 4)] for _ in range(16)]
    assert {summary.count for summary in reader.summary()} == {rows}
    for at in (0, 1, 2, 3, 77, WIDTH - 1):
        points = list(reader.points(f"m{at}"))
        assert [step for step, _, _ in points] == list(range(rows))
        assert bits([value for _, value, _ in points]) == bits([pool[step % 16][at] for step in range(rows)])
        times = [time for _, _, time in points]
        assert times == sorted(times)


def test_that_a_loop_that_only_logs_loses_nothing() -> None:
    script = start_script(
        HEAD
        + f"for step in range({ROWS}): log(step)\nrun.finish()\nprint('lost', run._recording.buffer.lost)\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    script.wait_for_line("^lost 0$")
    (reader,) = folder().readers()
    with reader:
        check(reader, ROWS)
        assert reader.events("warning") == []
    assert verify(folder().path) == []


def test_that_what_memory_cannot_hold_waits_in_a_file_and_comes_in_its_order() -> None:
    script = start_script(
        STALLED
        + "go.set()\n"
        + f"for step in range({ROWS}, {ROWS + 2_000}): log(step)\n"
        + "run.finish()\n"
        + "spilled = run._recording.recorder.services.spill_queue.spilled_points\n"
        + "print('waited', spilled, run._recording.buffer.lost)\n",
        home=layout.home(),
        env=SMALL,
    )
    assert script.finish() == 0, script.lines
    waited = script.wait_for_line(r"^waited (\d+) 0$")
    assert int(waited[1]) > 0
    assert sum("wait in a file beside the run" in line for line in script.lines) == 1
    (reader,) = folder().readers()
    with reader:
        check(reader, ROWS + 2_000)
        begun, ended = (event.body for event in reader.events("warning"))
    assert (begun["what"], ended["what"], ended["count"]) == ("points wait", "points waited", int(waited[1]))
    assert verify(folder().path) == []
    assert list(folder().path.glob("*.spill-*")) == []


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.06])
def test_that_a_kill_while_points_wait_in_the_file_loses_none_of_those(
    delay: float, capsys: pytest.CaptureFixture[str]
) -> None:
    script = start_script(
        STALLED
        + "go.set()\n"
        + "found = str(run.folder / '*.spill-*')\n"
        + "while not glob.glob(found): assert len(run._recording.recorder.services.spill_queue)\n"
        + f"time.sleep({delay})\n"
        + "os.kill(os.getpid(), 9)\n",
        home=layout.home(),
        env=SMALL,
    )
    assert script.finish() == -signal.SIGKILL, script.lines
    (reader,) = folder().readers()
    with reader:
        committed = {summary.count for summary in reader.summary()}.pop()
        check(reader, committed)
    waiting = [problem for problem in verify(folder().path) if "points wait" in problem.what]
    assert not any(problem.damage for problem in verify(folder().path))
    assert main(["verify", "latest", "--recover", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert bool(told["recovered"]) == bool(waiting)
    (reader,) = folder().readers()
    with reader:
        check(reader, committed + told["recovered"] // WIDTH)
    assert list(folder().path.glob("*.spill-*")) == []
    assert main(["verify", "latest", "--recover"]) == 0
    assert "no points were waiting" in capsys.readouterr().out


def test_that_an_end_without_time_leaves_the_rest_beside_the_run_and_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = start_script(
        STALLED
        + "from helm_sdk._run import run as module\n"
        + "ending = module.RunEnding\n"
        + "module.RunEnding = lambda **fields: ending(**fields, timeout=0.0)\n"
        + "go.set()\n"
        + "run.finish()\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    line = script.wait_for_line(
        r"([\d,]+) points were not stored in time .* `helmctl (verify \S+ --recover)`"
    )
    assert not any("lost" in said for said in script.lines)
    assert main(line[2].split()) == 0
    assert f"{line[1]} points were put in their place" in capsys.readouterr().out
    (reader,) = folder().readers()
    with reader:
        check(reader, ROWS)


def test_that_a_live_run_is_not_recovered(capsys: pytest.CaptureFixture[str]) -> None:
    script = start_script(
        STALLED
        + "go.set()\nrun.flush()\n(run.folder / 'a1-rank-0.spill-1').touch()\nprint('ready')\ninput()\n",
        home=layout.home(),
    )
    try:
        script.wait_for_line("^ready$")
        assert main(["verify", "latest", "--recover"]) != 0
        assert "another process" in capsys.readouterr().err
    finally:
        script.kill()


def test_that_a_disk_that_takes_no_file_costs_only_what_memory_cannot_hold(tmp_path: Path) -> None:
    script = start_script(
        STALLED
        + "import resource, signal\n"
        + "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        + "hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]\n"
        + "resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))\n"
        + "go.set()\n"
        + "while not run._recording.recorder.services.journal.failing: time.sleep(0.01)\n"
        + f"for step in range({ROWS}, {10 * ROWS}): log(step)\n"
        + "lost = run._recording.buffer.lost\n"
        + "resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))\n"
        + "assert run.flush()\n"
        + "run.finish()\n"
        + "print('lost', run._recording.buffer.lost)\n",
        home=layout.home(),
        env=SMALL,
    )
    assert script.finish() == 0, script.lines
    lost = int(script.wait_for_line(r"^lost (\d+)$")[1])
    (reader,) = folder().readers()
    with reader:
        steps = [step for step, _, _ in reader.points("m0")]
        told = [event.body for event in reader.events("warning") if event.body["what"] == "lost points"]
    assert 0 < lost == (10 * ROWS - len(steps)) * WIDTH == sum(body["count"] for body in told)
    assert steps == sorted(set(steps))
    assert steps[:ROWS] == list(range(ROWS))
