"""A training process is killed without warning: what is gone of its points is told by their own stamps."""

from __future__ import annotations

import itertools
import shutil
import signal
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helm_sdk.protocol.peer import RunState
from helm_sdk.record.run import RunFolder
from helm_sdk.record.verify import verify
from helpers.scripts import Script, helmctl, start

# The value is the time at which it was logged, by the clock that all processes of this machine share.
AT_1_KHZ = """
import time, helm_sdk
run = helm_sdk.init("killed")
print("folder", run.folder, flush=True)
began, step = time.monotonic(), 0
while True:
    run.log({"stamp": time.monotonic()}, step=step)
    step += 1
    if step == 700:
        print("under way", flush=True)
    time.sleep(max(0.0, began + step / 1000 - time.monotonic()))
"""


@dataclass(frozen=True)
class Killed:
    """What was left of one run."""

    lost_seconds: float
    told_after_seconds: float
    folder: Path


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Look until it holds, at most so long; whether it does."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def kill_one(home: Path, elsewhere: Path, wait_lines: float = 60.0) -> Killed:
    """Start, copy the folder while it is written, kill, and look at what is there."""
    script = start(AT_1_KHZ, home=home)
    try:
        folder = Path(script.wait_for_line(r"^folder (.+)$", wait_lines)[1])
        script.wait_for_line("^under way$", wait_lines)
        copy = elsewhere / folder.name
        shutil.copytree(folder, copy)
        copied = stamps_of(copy)
        assert len(copied) > 100
        assert RunFolder(folder).state() is RunState.LIVE
        return _kill(script, folder, copied)
    finally:
        script.kill()


def _kill(script: Script, folder: Path, copied: list[float]) -> Killed:
    run = RunFolder(folder)
    script.process.send_signal(signal.SIGKILL)
    killed_at = time.monotonic()
    assert until(lambda: run.state() is RunState.KILLED, 5.0), run.state_text()
    told_after = time.monotonic() - killed_at
    script.process.wait(30)
    stamps = stamps_of(folder)
    assert stamps[: len(copied)] == copied
    return Killed(killed_at - stamps[-1], told_after, folder)


def stamps_of(folder: Path) -> list[float]:
    """The stamps that a run's folder holds; none is missing before its last and none is there twice."""
    (reader,) = RunFolder(folder).readers()
    with reader:
        points = list(reader.points("stamp"))
        numbers = [(batch.start, batch.seq) for batch in reader.batches()]
        events = [event.id for event in reader.events()]
    assert not [problem for problem in verify(folder) if problem.damage]
    assert [step for step, _, _ in points] == list(range(len(points)))
    assert all(first == before + 1 for (_, before), (first, _) in itertools.pairwise(numbers))
    assert events == list(range(1, len(events) + 1))
    stamps = [value for _, value, _ in points]
    assert all(later > earlier for earlier, later in itertools.pairwise(stamps))
    return stamps


def shell_agrees(home: Path, folder: Path) -> None:
    """`helmctl verify` passes and `helmctl points` gives every bit of what is there."""
    done = helmctl("verify", folder.name, home=home)
    assert done.returncode == 0, done.stdout + done.stderr
    listed = helmctl("points", folder.name, "stamp", "--csv", home=home)
    assert listed.returncode == 0, listed.stderr
    values = [float(line.split(",")[1]) for line in listed.stdout.splitlines()[1:]]
    assert struct.pack(f"{len(values)}d", *values) == struct.pack(f"{len(values)}d", *stamps_of(folder))


def judge(killed: list[Killed]) -> str:
    """Half a second is lost at most, two seconds once in twenty; how it went, in one line."""
    losses = sorted(each.lost_seconds for each in killed)
    late = sum(loss > 0.5 for loss in losses)
    text = f"lost {losses[0]:.3f} to {losses[-1]:.3f} s in {len(losses)} kills, {late} over 0.5 s"
    assert losses[-1] <= 2.0, text
    assert late <= len(losses) // 20 or len(losses) < 20, text
    return text
