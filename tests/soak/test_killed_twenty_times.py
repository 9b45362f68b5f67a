"""The full form of tests/reliability/test_killed_processes.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reliability import kills


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_that_twenty_kills_lose_half_a_second_each_at_most(tmp_path: Path) -> None:
    home = Path(os.environ["HELM_RUN_HOME"])

    killed = [kills.kill_one(home, tmp_path / str(number)) for number in range(20)]

    print(kills.judge(killed))
    print(f"told as killed after {max(each.told_after_seconds for each in killed):.2f} s at most")
    for each in killed:
        kills.shell_agrees(home, each.folder)
