"""Ranks at length: 200 random commands on 2 and 4 of them, and a pause of a minute."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest

from helpers.rank_loops import random_command, train
from helpers.ranks import Job, Steer, step_applied

pytestmark = pytest.mark.soak
COMMANDS = 200


@pytest.mark.timeout(600)
@pytest.mark.parametrize("world", [2, 4])
def test_that_200_random_commands_land_on_every_rank_at_the_same_step(world: int) -> None:
    dice = random.Random(world)
    with Job(world, train, order="init first", pace=0.02, patience=500) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            done = [steer.do(*random_command(dice)) for _ in range(COMMANDS)]
            steer.do("stop")
            logs = job.wait("log")
            job.wait("ended")

    assert logs[1:] == logs[:1] * (world - 1)
    assert [record.latest.message for record in done if record.state not in ("applied", "confirmed")] == []
    # The steps from the one that was under way as the command came to the first that ran with it.
    late = [(step_applied(record) or 0) - (record.track[0].step or 0) for record in done]
    print(
        f"{world} ranks: {COMMANDS} commands, first used after {sorted(late)[COMMANDS // 2]} steps, "
        f"at most {max(late)}"
    )


@pytest.mark.timeout(600)
def test_that_a_pause_of_a_minute_is_served_and_ends_as_it_began() -> None:
    with Job(2, train, order="group first", launched=False, patience=300) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            paused = steer.do("pause")
            minute = threading.Event()
            threading.Timer(60.0, minute.set).start()
            changes: list[Any] = []
            while not minute.is_set():
                changes.append(steer.do("set_mix", {"value": (len(changes) % 10) / 10}))
                minute.wait(1.0)
            resumed = steer.do("resume")
            after = steer.do("lr", {"lr": 1e-3})
            steer.do("stop")
            logs = job.wait("log")
            job.wait("ended")

    assert step_applied(paused) == step_applied(resumed)
    assert {step_applied(change) for change in changes} == {step_applied(paused)}
    assert after.state in ("applied", "confirmed")
    assert logs[0] == logs[1]
