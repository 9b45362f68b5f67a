"""A skipped update moves neither weights nor schedule, and is told with its step."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from helpers.steered import steered

BAD = 3


@pytest.mark.parametrize("way", ["scaler", "skip"])
def test_that_an_infinite_gradient_stops_step_and_schedule(way: str, home: Path) -> None:
    """T09"""
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=9)
    scaler: Any = torch.amp.GradScaler("cpu", init_scale=8.0) if way == "scaler" else None
    weights: list[torch.Tensor] = []

    with steered(on_nonfinite="skip" if way == "skip" else "warn") as (trainer, line):
        trainer.watch(model, optimizer, scheduler=scheduler, scaler=scaler)
        for step in range(6):
            optimizer.zero_grad()
            loss = model(torch.ones(2, 3)).square().mean()
            (scaler.scale(loss) if scaler else loss).backward()
            if step == BAD and model.weight.grad is not None:
                model.weight.grad[0, 0] = math.inf
            trainer.clip_grad_norm_(1.0)
            if scaler:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            scheduler.step()
            weights.append(model.weight.detach().clone())
            trainer.step(step, loss=loss)
        line.settle()

    assert torch.equal(weights[BAD], weights[BAD - 1])
    assert not torch.equal(weights[BAD + 1], weights[BAD])
    assert scheduler.last_epoch == 5
    assert optimizer.state[model.weight]["step"] == 5
    rates: list[tuple[int, Any]] = [
        (step, pytest.approx(0.1 * (1 - 0.1 * turn), rel=1e-12)) for turn, step in enumerate([0, 1, 2, 4, 5])
    ]
    assert line.points["optim/lr/group0"] == rates
    skipped = [event for event in line.events if event.body.get("what") == "skipped"]
    assert [event.step for event in skipped] == [BAD]
    assert "skipped" in skipped[0].body["message"]
    assert line.points["optim/grad_norm"][BAD] == (BAD, math.inf)
