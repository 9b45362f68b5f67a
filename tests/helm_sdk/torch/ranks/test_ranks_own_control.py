"""A control that somebody adds, one class and one line: agreed on, undone and kept like the trainer's own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from helm_sdk.protocol.history import CommandRecord
from helm_sdk.torch import Trainer
from helm_sdk.torch._controls.registry import CONTROLS
from helpers.momentum_control import register
from helpers.rank_loops import end, network, start, tell_run
from helpers.ranks import Here, Job, Steer, step_applied
from helpers.steering import Line

Rows = list[tuple[Any, ...]]


def loop(here: Here) -> None:
    """Train with two groups of SGD; note the momentum of both after each step; save and load at the end."""
    os.environ["RANK_OF_TEST"], os.environ["LAST_RANK_OF_TEST"] = str(here.rank), str(here.world - 1)
    register()
    tr = start(here)
    model = network()
    groups: list[dict[str, Any]] = [
        {"params": model[0].parameters()},
        {"params": model[3].parameters(), "momentum": 0.2},
    ]
    optimizer = torch.optim.SGD(groups, lr=1e-2, momentum=0.1)
    tr.watch(model, optimizer, controls=["momentum", "checkpoint", "stop"])
    tell_run(here, tr)
    rows: Rows = []
    for step in range(100_000):
        optimizer.zero_grad()
        model(torch.ones(4, 6)).square().mean().backward()
        optimizer.step()
        time.sleep(0.004)  # the step's own work
        tr.step(step=step, loss=0.5)
        rows.append((step, *(group["momentum"] for group in optimizer.param_groups)))
        if tr.should_stop:
            break
    here.tell("log", rows)
    tr.finish()
    end()


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Rows], dict[str, CommandRecord]]]:
    """One job of two ranks, and what became of each command."""
    home = tmp_path_factory.mktemp("own")
    done: dict[str, CommandRecord] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_RUN_HOME", str(home / "home"))
        patch.setenv("HELM_CONFIG_HOME", str(home / "config"))
        with Job(2, loop) as job:
            (folder,) = job.wait("run", 0)
            with Steer(folder) as steer:
                steer.usable("momentum")
                done["set"] = steer.do("momentum", {"value": 0.5})
                done["refused"] = steer.do("momentum", {"value": 0.95})
                done["failed"] = steer.do("momentum", {"value": 0.85})
                done["again"] = steer.do("momentum", {"value": 0.6})
                done["stop"] = steer.do("stop")
                logs = job.wait("log")
                job.wait("ended")
                yield logs, done


def test_that_a_further_control_is_applied_at_the_same_step_on_both_ranks(
    job: tuple[list[Rows], dict[str, CommandRecord]],
) -> None:
    logs, done = job

    assert logs[0] == logs[1]
    at = step_applied(done["set"])
    assert done["set"].state in ("applied", "confirmed")
    assert logs[0][0][1:] == (0.1, 0.2)
    assert next(row for row in logs[0] if row[0] == at)[1:] == (0.5, 0.5)


def test_that_it_is_refused_by_its_own_check_on_every_rank(
    job: tuple[list[Rows], dict[str, CommandRecord]],
) -> None:
    _, done = job

    assert done["refused"].state == "rejected"
    assert "0.95 is more than this model stands" in done["refused"].latest.message


def test_that_it_is_undone_on_both_ranks_where_one_of_them_fails_half_way(
    job: tuple[list[Rows], dict[str, CommandRecord]],
) -> None:
    logs, done = job

    assert done["failed"].state == "failed"
    assert "rank 1: RuntimeError: the second group did not take it" in done["failed"].latest.message
    assert {row[1:] for row in logs[0]} == {row[1:] for row in logs[1]}
    assert {row[1:] for row in logs[1]} == {(0.1, 0.2), (0.5, 0.5), (0.6, 0.6)}, "0.85 was never left behind"


def test_that_a_checkpoint_keeps_and_brings_back_what_was_set(
    line: Line, trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CONTROLS, "momentum", CONTROLS["lr"])  # taken away again after the test
    register()
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.1)
    trainer.watch(model, optimizer, controls=["momentum", "lr"])
    control = trainer.watched.controls["momentum"] if trainer.watched is not None else None
    assert control is not None
    control.restore([0.75])
    trainer.step(step=0, loss=0.5)
    saved = trainer.save_checkpoint("kept", wait=True)
    assert saved is not None
    control.restore([0.0])

    manifest = trainer.load_checkpoint("kept")

    assert manifest["controls"]["momentum"]["state"] == [0.75]
    assert optimizer.param_groups[0]["momentum"] == 0.75
