"""On a GPU: no synchronisation that the loop did not ask for, and the same streams."""

from __future__ import annotations

import pytest
import torch

from helm_sdk.torch import Trainer
from helpers.steering import Line

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]


@pytest.mark.parametrize("capturable", [False, True])
def test_that_a_step_never_waits_for_the_device(capturable: bool, line: Line, trainer: Trainer) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)).cuda()
    rate = torch.tensor(1e-3, device="cuda") if capturable else 1e-3
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, capturable=capturable)
    trainer.watch(model, optimizer)
    batch = torch.randn(32, 64, device="cuda")

    def go(step: int) -> None:
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        loss.backward()
        trainer.clip_grad_norm_(1.0)
        optimizer.step()
        trainer.step(step, loss=loss, samples=32, tokens=64)

    for step in range(5):
        go(step)
    torch.cuda.set_sync_debug_mode("error")
    try:
        for step in range(5, 50):
            go(step)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    line.settle()

    assert [step for step, _ in line.points["train/loss"]] == list(range(50))
    assert [step for step, _ in line.points["optim/grad_norm"]] == list(range(50))
    assert all(abs(value - 1e-3) < 1e-9 for _, value in line.points["optim/lr/group0"])
    assert line.points["cuda/max_memory_allocated_bytes"]
