"""Keyframes over the tokens that the loop has seen, followed and planned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from helm_sdk.torch import Trainer
from helm_sdk.torch._schedules.rate_overrides import KeyframedRate, ScaledRate, from_plain, to_plain
from helpers.steering import Line

TOKENS = 100.0  # a step
STEPS = 30


class Loop:
    """Two groups on a falling schedule; keeps the rates that steps used."""

    def __init__(self, trainer: Trainer) -> None:
        self.model = torch.nn.Linear(2, 2)
        groups: list[dict[str, Any]] = [
            {"params": [self.model.weight]},
            {"params": [self.model.bias], "lr": 4e-4},
        ]
        self.optimizer = torch.optim.SGD(groups, lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.1, total_iters=STEPS)
        self.trainer = trainer
        self.seen: list[list[float]] = []
        trainer.watch(self.model, self.optimizer, scheduler=self.scheduler)
        trainer.plan(step=STEPS)
        self.optimizer.register_step_pre_hook(
            lambda *_: self.seen.append([group["lr"] for group in self.optimizer.param_groups])
        )

    def run(self, start: int, stop: int, tokens: float | None = TOKENS) -> None:
        for step in range(start, stop):
            self.model(torch.ones(2)).sum().backward()
            self.optimizer.step()
            self.scheduler.step()
            self.trainer.step(step, tokens=tokens)


@pytest.mark.parametrize("mode", ["rescale", "hold"])
def test_that_keyframes_over_tokens_are_followed_and_planned(mode: str, line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.run(0, 5)
    points = [{"at": 1000, "value": "0.002"}, {"at": "1500", "value": 0.001}, {"at": 2000, "value": 0.001}]
    command = line.send("lr", {"plan_tokens": {"points": points}, "mode": mode})
    loop.run(5, 8)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    curves = line.catalogues["plan"].body["curves"]
    loop.run(8, STEPS)

    record = line.until(command, "confirmed")
    assert record.value["plan_tokens"]["points"][1]["at"] == "1500"
    rates = [rates[0] for rates in loop.seen]
    falls = [1e-3 * (1 - 0.9 * step / STEPS) for step in range(STEPS)]
    assert rates[:10] == pytest.approx(falls[:10], rel=1e-12)
    assert rates[10:21] == pytest.approx([2e-3, 1.8e-3, 1.6e-3, 1.4e-3, 1.2e-3] + [1e-3] * 6, rel=1e-12)
    after = [1e-3 if mode == "hold" else 1e-3 * rate / falls[20] for rate in falls[20:]]
    assert rates[20:] == pytest.approx(after, rel=1e-12)
    assert loop.seen[15][1] == pytest.approx(4e-4, rel=1e-12)
    for flat, curve in enumerate(curves[:2]):
        for step in range(6, STEPS):
            thought = np.interp(step, curve["steps"], curve["values"])
            assert thought == pytest.approx(loop.seen[step][flat], rel=1e-9)


def test_that_keyframes_over_tokens_need_a_loop_that_counts_them(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.run(0, 3, tokens=None)
    command = line.send("lr", {"plan_tokens": {"points": [{"at": 1000, "value": 0.1}]}})
    loop.run(3, 4, tokens=None)
    assert line.until(command, "rejected").message == "the loop has not said how many tokens a step takes in"


def test_that_keyframes_of_tokens_that_are_gone_are_refused(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.run(0, 6)
    command = line.send("lr", {"plan_tokens": {"points": [{"at": 300, "value": 0.1}]}})
    loop.run(6, 7)
    said = "plan_tokens ends at 300 tokens, the loop has seen 700"
    assert line.until(command, "rejected").message == said


def test_that_both_kinds_of_keyframes_survive_a_checkpoint() -> None:
    for tokens in (False, True):
        course = KeyframedRate((10, 20.5), (1.0, 2.0), ScaledRate(0.5), True, tokens)
        assert from_plain(to_plain(course)) == course
