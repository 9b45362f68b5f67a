"""The norm that is shown is that of the unscaled gradients, before they are clipped."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from helpers.steered import steered

SCALE = 2.0**10
LIMIT = 0.05


def test_that_with_a_scaler_the_norm_is_unscaled_and_before_clipping(home: Path) -> None:
    """T13"""
    torch.manual_seed(0)
    batch = torch.randn(8, 4)
    plain = torch.nn.Linear(4, 1)
    model = torch.nn.Linear(4, 1)
    model.load_state_dict(plain.state_dict())
    plain(batch).square().mean().backward()
    true_norm = float(torch.nn.utils.clip_grad_norm_(plain.parameters(), LIMIT))

    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=SCALE)
    clipped: list[list[torch.Tensor | None]] = []
    optimizer.register_step_pre_hook(lambda *_: clipped.append([one.grad for one in model.parameters()]))
    with steered() as (trainer, line):
        trainer.watch(model, optimizer, scaler=scaler)
        scaler.scale(model(batch).square().mean()).backward()
        returned = float(trainer.clip_grad_norm_(LIMIT))
        scaler.step(optimizer)
        scaler.update()
        trainer.step(0, loss=1.0)
        line.settle()

    assert true_norm > 4 * LIMIT
    assert returned == pytest.approx(true_norm, rel=1e-5)
    assert line.points["optim/grad_norm"] == [(0, returned)]
    assert line.points["loss_scale"] == [(0, SCALE)]
    for mine, wanted in zip(clipped[0], plain.parameters(), strict=True):
        assert mine is not None
        assert wanted.grad is not None
        assert torch.allclose(mine, wanted.grad, rtol=1e-5)
