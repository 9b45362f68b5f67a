"""D23 (Lightning-AI/pytorch-lightning#11380): four ranks made one run per rank. Here they make one."""

from __future__ import annotations

from pathlib import Path

from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import list_runs
from helpers.rank_loops import train
from helpers.ranks import Job, Steer


def test_that_four_ranks_are_one_run(home: Path) -> None:
    with Job(4, train, order="init first", log_ranks="all") as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            changed = steer.do("lr", {"lr": 1e-3})
            steer.do("stop")
            logs = job.wait("log")
            job.wait("ended")

    assert logs[1:] == logs[:1] * 3
    assert changed.state in ("applied", "confirmed")
    (run,) = list_runs(home)
    assert str(run.path) == folder
    readers = {reader.record.process: reader for reader in RunFolder(Path(folder)).readers()}
    assert list(readers) == ["rank-0", "rank-1", "rank-2", "rank-3"]
    # log_ranks="all": each rank's stream is its own process's.
    for rank in range(4):
        assert {value for _, value, _ in readers[f"rank-{rank}"].points("rank/own")} == {float(rank)}
    assert {value for _, value, _ in readers["rank-0"].points("rank/mean")} == {1.5}
