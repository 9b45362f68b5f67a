"""A rank that stalls, leaves or never joins: training goes on, the card says why, controls come back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from helm_sdk.record.run import RunFolder
from helpers.rank_loops import leave, paused, train, zero_only
from helpers.ranks import Job, Steer, step_applied


def why(steer: Steer, name: str = "lr") -> str:
    """Why a control of rank 0 cannot be used."""
    return steer.controls.get("rank-0", {}).get(name, "")


def test_that_a_rank_that_evaluates_alone_holds_nobody_longer_than_the_timeout() -> None:
    with Job(2, train, order="group first", launched=False, timeout=1.0, stall={1: 30}) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            job.wait("stalled", 1)
            began = time.monotonic()
            caught = steer.do("lr", {"lr": 1e-3})  # rank 0 comes to its step, rank 1 does not
            waited = time.monotonic() - began
            steer.wait(lambda: why(steer) != "")
            reason = why(steer)
            refused = steer.do("lr", {"lr": 1e-3})
            job.say("go on", 1)
            steer.usable()
            after = steer.do("lr", {"lr": 1e-3})
            steer.do("stop")
            logs = job.wait("log")

    assert caught.state in ("failed", "rejected")  # rejected: the cards knew already
    assert waited < 10
    assert reason.startswith("rank 1 stays at step 29")
    assert refused.state == "rejected"
    assert "rank 1 stays at step 29" in refused.latest.message
    assert after.state in ("applied", "confirmed")
    assert logs[0] == logs[1]
    assert [row[1] for row in logs[0] if row[0] == 30] != [1e-3]


def test_that_controls_come_back_when_a_rank_that_left_does() -> None:
    with Job(2, leave, order="init first", timeout=2.0) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            job.wait("left", 1)
            steer.wait(lambda: why(steer) == "rank 1 left at step 19")
            away = steer.do("lr", {"lr": 1e-3})
            job.say("come back")
            steer.usable()
            back = steer.do("lr", {"lr": 2e-3})
            steer.do("stop")
            logs = job.wait("log")
            job.wait("ended")
            processes = [(file.process, file.attempt) for file in RunFolder(steer.folder).process_files()]

    assert away.state == "rejected"
    assert away.latest.message == "lr is unavailable: rank 1 left at step 19"
    assert back.state in ("applied", "confirmed")
    assert logs[0] == logs[1]
    assert logs[0][-1][1] == 2e-3
    assert sorted(processes) == [("rank-0", 1), ("rank-1", 1), ("rank-1", 2)]


@pytest.mark.parametrize("launched", [False, True], ids=["by itself", "as torchrun does"])
def test_that_init_on_rank_0_alone_hangs_nothing_and_says_who_is_missing(launched: bool) -> None:
    with Job(
        2, zero_only, order="init first" if launched else "group first", launched=launched, steps=30
    ) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.wait(lambda: why(steer) == "rank 1 has not joined yet")
            refused = steer.do("pause")
            job.say("go on", 0)
            job.wait("ended")

    assert refused.state == "rejected"
    assert refused.latest.message == "pause is unavailable: rank 1 has not joined yet"
    (reader,) = RunFolder(steer.folder).readers()
    assert reader.record.outcome == "finished"
    assert len(list(reader.points("train/loss"))) == 30


def test_that_a_change_waits_for_a_step_that_every_rank_still_has_before_it() -> None:
    with Job(2, train, order="init first", launched=False, stall={0: 10}) as job:
        job.wait("stalled", 0)
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            sent = steer.send("set_mix", {"value": 0.75})
            steer.wait(lambda: (one := steer.history.by_id(sent)) is not None and one.state == "waiting")
            job.say("go on", 0)
            applied = steer.ended(sent)
            steer.do("stop")
            logs = job.wait("log")

    assert logs[0] == logs[1]
    assert step_applied(applied) in (10, 11)
    assert [row[5] for row in logs[0] if row[0] == step_applied(applied)] == [0.75]


def test_that_a_rank_that_is_killed_is_told_as_silent_and_holds_up_no_exit() -> None:
    with Job(2, train, order="init first", timeout=1.5, wrap="none") as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            job.kill(1)
            steer.wait(lambda: "rank 1 is silent" in why(steer) or "rank 1 stays" in why(steer))
            refused = steer.do("lr", {"lr": 1e-3})
            job.say("enough", 0)
            (took,) = job.wait("finished in", 0)

    assert refused.state in ("rejected", "failed")
    assert took < 5


def test_that_a_paused_loop_can_go_on_without_a_rank_that_was_killed() -> None:
    with Job(2, paused, order="init first", timeout=1.5) as job:
        job.wait("watching")  # each rank has declared its controls
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            held = steer.do("pause")
            assert held.state == "applied", held.track[-1].body.message
            steer.wait(lambda: steer.paused.get("rank-0", False))  # past the barrier, and holding
            job.kill(1)
            steer.wait(lambda: "rank 1 is silent since step" in why(steer))
            refused = steer.do("lr", {"lr": 1e-3})
            resumed = steer.do("resume")
            job.say("enough", 0)
            (took,) = job.wait("finished in", 0)

    assert (held.state, resumed.state, refused.state) == ("applied", "applied", "rejected")
    assert step_applied(held) == step_applied(resumed)
    assert took < 5


def test_that_ranks_that_meet_through_a_file_agree_too(tmp_path: Path) -> None:
    address = f"file://{tmp_path / 'meeting'}"
    with Job(2, train, order="group first", launched=False, address=address) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            done = [steer.do("lr", {"lr": 1e-3}), steer.do("set_mix", {"value": 0.75}), steer.do("stop")]
            logs = job.wait("log")

    assert [record.state for record in done if record.state not in ("applied", "confirmed")] == []
    assert logs[0] == logs[1]
