"""T33 (talmolab/sleap-nn P471): a stop sent to rank 0 deadlocked DDP. Here all ranks agree at one step."""

from __future__ import annotations

from helpers.rank_loops import train
from helpers.ranks import Job, Steer, step_applied


def test_that_a_stop_sent_to_rank_0_ends_every_rank_at_one_step() -> None:
    with Job(2, train, order="group first", launched=False) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable("stop")
            stopped = steer.do("stop", process="rank-0")
            logs = job.wait("log")
            job.wait("ended")

    assert stopped.state == "applied"
    assert [rows[-1][0] for rows in logs] == [step_applied(stopped)] * 2
