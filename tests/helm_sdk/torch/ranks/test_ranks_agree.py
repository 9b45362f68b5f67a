"""Two ranks of a DDP job: every change lands on both at the same step, or on neither."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from helm_sdk.protocol.history import CommandRecord
from helm_sdk.record.run import RunFolder
from helpers.rank_loops import random_command, train
from helpers.ranks import Job, Steer, step_applied

Rows = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def job(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[list[Rows], dict[str, CommandRecord], Steer]]:
    """One job, steered in every way; what its ranks noted and what became of each command."""
    home = tmp_path_factory.mktemp("agree")
    done: dict[str, CommandRecord] = {}
    dice = random.Random(7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_RUN_HOME", str(home / "home"))
        patch.setenv("HELM_CONFIG_HOME", str(home / "config"))
        with Job(2, train, order="init first") as job:
            (folder,) = job.wait("run", 0)
            with Steer(folder) as steer:
                steer.usable()
                for number in range(24):
                    done[f"random {number}"] = steer.do(*random_command(dice))
                burst = [steer.send(*random_command(dice)) for _ in range(6)]
                done |= {f"burst {number}": steer.ended(one) for number, one in enumerate(burst)}
                done["fragile"] = steer.do("fragile")
                done["after"] = steer.do("lr", {"lr": 2e-3})
                done["mine"] = steer.do("mine", process="rank-1")
                done["refused"] = steer.do("lr", {"lr": -1})
                done["stale"] = steer.do("lr", {"lr": 1e-3}, expect_revision=0)
                done["checkpoint"] = steer.do("checkpoint", {"name": "both"})
                done["eval"] = steer.do("eval")
                done["pause"] = steer.do("pause")
                done["paused"] = steer.do("set_mix", {"value": 0.25})
                done["paused mine"] = steer.do("mine", process="rank-0")
                done["resume"] = steer.do("resume")
                done["stop"] = steer.do("stop")
                logs = job.wait("log")
                job.wait("ended")
                yield logs, done, steer


def test_that_random_commands_land_on_both_ranks_at_the_same_step(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    logs, done, _ = job

    assert logs[0] == logs[1]
    steered = [record for name, record in done.items() if name.startswith(("random", "burst"))]
    assert [record.state for record in steered if record.state not in ("applied", "confirmed")] == []
    steps = [step_applied(record) for record in steered]
    assert steps == sorted(steps, key=lambda step: step or 0)
    assert len({row[1:] for row in logs[0]}) > len(steered)  # the rows did change


def test_that_the_event_bears_the_old_and_the_new_value_of_each_rank(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    _, done, _ = job
    applied = next(stage.body for stage in done["after"].track if stage.body.state == "applied")

    assert applied.ranks["rank-0"] == applied.ranks["rank-1"]
    assert applied.ranks["rank-1"]["new"] == {"lr": 2e-3}


def test_that_a_handler_that_fails_on_one_rank_makes_both_restore(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    logs, done, _ = job

    assert done["fragile"].state == "failed"
    assert done["fragile"].latest.message == "rank 1: RuntimeError: no room here"
    assert any("no room here" in frame for frame in done["fragile"].latest.frames)
    # It had asked the loop to stop; both went on.
    assert done["after"].state in ("applied", "confirmed")
    assert step_applied(done["stop"]) == logs[0][-1][0] == logs[1][-1][0]


def test_that_a_declared_command_runs_in_its_own_process_alone(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    _, done, steer = job

    assert done["mine"].latest.result == 1
    assert done["paused mine"].latest.result == 0
    assert set(steer.controls["rank-1"]) == {"mine"}
    assert {"lr", "set_mix", "mine"} <= set(steer.controls["rank-0"])


def test_that_what_is_refused_on_one_process_is_refused_on_ranks(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    _, done, _ = job

    assert (done["refused"].state, done["stale"].state) == ("rejected", "rejected")
    assert "more than 0" in done["refused"].latest.message
    assert "revision" in done["stale"].latest.message


def test_that_commands_are_served_while_paused_and_after(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    logs, done, _ = job
    paused = step_applied(done["pause"])

    assert paused == step_applied(done["resume"])
    assert [row[5] for row in logs[0] if row[0] == paused] == [0.25]


def test_that_rank_0_alone_writes_a_checkpoint_and_every_rank_takes_part(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    _, done, steer = job

    assert done["checkpoint"].latest.result["checkpoint"] == "both"
    assert [path.name for path in (steer.folder / "checkpoints").iterdir() if path.is_dir()] == ["both"]
    assert done["eval"].latest.result == {"score": 0.0}


def test_that_two_ranks_are_one_run_and_a_reduced_value_is_logged_once(
    job: tuple[list[Rows], dict[str, CommandRecord], Steer],
) -> None:
    logs, _, steer = job
    run = RunFolder(steer.folder)
    readers = {reader.record.process: reader for reader in run.readers()}

    assert [file.process for file in run.process_files()] == ["rank-0", "rank-1"]
    assert {reader.record.outcome for reader in readers.values()} == {"finished"}
    steps = [row[0] for row in logs[0]]
    mean = [(step, value) for step, value, _ in readers["rank-0"].points("rank/mean")]
    assert mean == [(step, 0.5) for step in steps]
    assert {value for _, value, _ in readers["rank-0"].points("rank/sum")} == {1.0}
    assert {value for _, value, _ in readers["rank-0"].points("rank/own")} == {0.0}
    assert [stream.name for stream in readers["rank-1"].streams()] == []
