"""A rate that was set while training stays, whatever sets the schedule, and is shown until it is released."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from helpers.steered import steered


@pytest.mark.parametrize("mode", ["hold", "rescale"])
def test_that_a_rate_set_beside_a_lambda_schedule_stays(mode: str, home: Path) -> None:
    """T07"""
    weight = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(weight.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)
    used: list[float] = []

    with steered() as (trainer, line):
        trainer.watch(weight, optimizer, scheduler=scheduler)
        optimizer.register_step_pre_hook(lambda *_: used.append(optimizer.param_groups[0]["lr"]))

        def go(start: int, stop: int) -> None:
            for step in range(start, stop):
                optimizer.zero_grad()
                weight(torch.ones(2)).sum().backward()
                optimizer.step()
                scheduler.step()
                trainer.step(step, loss=1.0)

        go(0, 5)
        command = line.send("lr", {"lr": 0.5, "mode": mode})
        go(5, 17)
        record = line.until(command, "confirmed")
        shown: Any = record.value
        current = trainer.run.trainer_port.controls.get("lr")
        released = line.send("lr", {"scale": 1.0})
        go(17, 20)
        line.until(released, "confirmed")

    assert used[:6] == pytest.approx([0.1 * 0.9**step for step in range(6)], rel=1e-12)
    assert shown == {"lr": 0.5, **({"mode": "hold"} if mode == "hold" else {})}
    assert current is not None
    after = [0.5] * 12 if mode == "hold" else [0.5 * 0.9**place for place in range(12)]
    assert used[6:18] == pytest.approx(after, rel=1e-12)
    goes_on = [used[17] * 0.9**place for place in range(1, 3)]
    if mode == "rescale":
        assert used[18:] == pytest.approx(goes_on, rel=1e-12)
    else:  # the schedule goes on from the held rate
        assert used[18:] == pytest.approx([0.5, 0.45], rel=1e-12)
