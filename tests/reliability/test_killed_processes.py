"""A process killed at full speed loses half a second at most, and readers say at once that it was killed."""

from __future__ import annotations

from pathlib import Path

from reliability import kills


def test_that_a_killed_process_leaves_all_but_its_last_moment(home: Path, tmp_path: Path) -> None:
    killed = [kills.kill_one(home, tmp_path / str(number)) for number in range(3)]

    print(kills.judge(killed))
    kills.shell_agrees(home, killed[-1].folder)
