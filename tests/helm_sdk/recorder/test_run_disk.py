"""A disk that fills up: training goes on, memory stays bounded, what was lost is counted."""

import sys

import pytest

from helm_sdk.record import layout
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.runs import find_run
from helpers.scripts import start as start_script

# The limit on the size of a file stands in for the disk: the system refuses the write itself.
HEAD = """
import resource, signal, sys, time
import helm_sdk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run = helm_sdk.init("disk")
run.log({"a": 0.0}, step=0)
run.flush()
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
def room(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
room(1)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")


def last_reader() -> ProcessReader:
    return find_run(None, "latest").readers()[0]


def test_that_points_wait_in_memory_until_the_disk_works_again() -> None:
    script = start_script(
        HEAD
        + "for step in range(1, 5001): run.log({'a': float(step)}, step=step)\n"
        + "assert not run.flush(0.3)\n"
        + "room(hard)\n"
        + "assert run.flush()\n"
        + "run.finish()\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    assert sum("Points are kept in memory" in line for line in script.lines) == 1
    assert sum("The disk works again" in line for line in script.lines) == 1
    reader = last_reader()
    assert [step for step, _, _ in reader.points("a")] == list(range(5001))
    assert reader.events("warning") == []


def test_that_points_over_the_bound_are_counted_as_lost_and_shown() -> None:
    script = start_script(
        HEAD
        + "for step in range(1, 60_001): run.log({'a': float(step)}, step=step)\n"
        + "print('lost', run._recording.buffer.lost)\n"
        + "room(hard)\n"
        + "services, buffer = run._recording.recorder.services, run._recording.buffer\n"
        + "while services.loss_reports.reported_lost < buffer.lost: time.sleep(0.01)\n"
        + "run.flush()\n"
        + "run.finish()\n",
        home=layout.home(),
        env={"HELM_RUN_BUFFER_MB": "0.2"},
    )
    assert script.finish() == 0, script.lines
    lost = int(script.wait_for_line(r"^lost (\d+)")[1])
    reader = last_reader()
    kept = [step for step, _, _ in reader.points("a")]
    assert 0 < lost < 60_000
    assert len(kept) + lost == 60_001
    assert kept == sorted(kept)
    assert sum(event.body["count"] for event in reader.events("warning")) == lost
    assert sum("new points are lost" in line for line in script.lines) == 1


def test_that_a_run_ends_soon_and_says_so_when_the_disk_stays_full() -> None:
    script = start_script(
        HEAD
        + "run.log({'a': 1.0}, step=1)\n"
        + "began = time.monotonic()\nrun.finish()\n"
        + "print('took', time.monotonic() - began)\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    assert float(script.wait_for_line(r"^took ([\d.]+)")[1]) < 15
    script.wait_for_line("The rest of the run could not be written")
