"""Training goes on at its speed, with one line, when the disk does not take what it logs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import list_runs

LOOP = Path(__file__).parent / "scripts" / "loop.py"
POINTS = 4_000
SLOWEST_CALL = 0.5  # seconds; far above what a busy machine does to a call of microseconds
SLOWEST_EXIT = 2.0


@dataclass(frozen=True)
class Done:
    """How a loop went."""

    status: int
    said: str
    complaints: list[str]  # the lines on standard error

    @property
    def slowest(self) -> float:
        """Seconds of the slowest call."""
        return float(re.findall(r"^slowest (\S+)$", self.said, re.MULTILINE)[0])

    @property
    def finish(self) -> float:
        """Seconds that the end took."""
        return float(re.findall(r"^finish (\S+)$", self.said, re.MULTILINE)[0])


def loop(home: Path, tmp: Path, *arguments: str, mount: str = "", points: int = POINTS, **env: str) -> Done:
    """Run the loop with this home; `mount` is done before it where nobody else sees it."""
    command = [sys.executable, str(LOOP), str(points), *arguments]
    if mount:
        command = ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh", *command]
    tmp.mkdir(exist_ok=True)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "HELM_RUN_HOME": str(home), "TMPDIR": str(tmp), **env},
    )
    return Done(done.returncode, done.stdout, done.stderr.splitlines())


def steps_in(folder: Path) -> list[int]:
    """The steps that a run's folder holds."""
    (reader,) = RunFolder(folder).readers()
    with reader:
        return [step for step, _, _ in reader.points("value")]


@pytest.fixture
def mounts() -> None:
    """Passes where a mount of one's own can be made."""
    try:
        done = subprocess.run(["unshare", "-m", "true"], capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no unshare here")
    if done.returncode:
        pytest.skip("only root can mount a small disk")


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The same loop on a disk that works."""
    place = tmp_path_factory.mktemp("working")
    done = loop(place / "home", place / "tmp")
    assert done.status == 0, done.complaints
    assert done.complaints == []
    return done


def check_training(done: Done, working: Done) -> None:
    """The loop was not held up, it told one line, and it ended in time."""
    assert done.status == 0, done.complaints
    assert done.slowest < SLOWEST_CALL
    assert done.finish < working.finish + SLOWEST_EXIT


@pytest.mark.usefixtures("mounts")
def test_that_a_home_that_may_not_be_written_is_replaced_by_one_that_may(
    working: Done, tmp_path: Path
) -> None:
    home, tmp = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()

    done = loop(home, tmp, mount=f"mount --bind {home} {home} && mount -o remount,bind,ro {home}")

    check_training(done, working)
    (line,) = done.complaints
    assert f"{tmp}/helm-{os.getuid()}" in line
    (run,) = list_runs(tmp / f"helm-{os.getuid()}")
    assert steps_in(run.path) == list(range(POINTS))


def test_that_training_goes_on_where_no_home_can_be_made(working: Done, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / f"helm-{os.getuid()}").touch()

    done = loop(tmp_path / "file" / "home", tmp_path / "tmp")

    check_training(done, working)
    (line,) = done.complaints
    assert "training goes on" in line


@pytest.mark.usefixtures("mounts")
def test_that_points_go_on_after_a_full_disk_and_none_of_them_is_lost(working: Done, tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()

    done = loop(home, tmp_path / "tmp", str(out), mount=_small_disk(home), BALLAST="freed")

    check_training(done, working)
    full, again = done.complaints
    assert "the disk is full" in full
    assert "works again" in again
    assert steps_in(out) == list(range(POINTS))


@pytest.mark.usefixtures("mounts")
def test_that_points_over_the_bound_of_memory_are_counted_as_lost(working: Done, tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()

    done = loop(home, tmp_path / "tmp", str(out), mount=_small_disk(home), BALLAST="freed", BOUND="20000")

    check_training(done, working)
    steps = steps_in(out)
    (reader,) = RunFolder(out).readers()
    with reader:
        warnings = [event.body for event in reader.events("warning")]
    lost = sum(body["count"] for body in warnings if body["what"] == "lost points")
    assert 0 < lost == POINTS - len(steps)
    assert steps == sorted(set(steps))
    assert steps[-1] >= POINTS // 2  # points go on
    assert sum("lost" in line for line in done.complaints) == 1


@pytest.mark.usefixtures("mounts")
def test_that_a_disk_that_stays_full_does_not_hold_up_the_exit(working: Done, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()

    done = loop(home, tmp_path / "tmp", mount=_small_disk(home), BALLAST="kept")

    check_training(done, working)
    full, lost = done.complaints
    assert "the disk is full" in full
    assert "could not be written: it is lost" in lost


def _small_disk(home: Path) -> str:
    return f"mount -t tmpfs -o size=4m none {home}"
