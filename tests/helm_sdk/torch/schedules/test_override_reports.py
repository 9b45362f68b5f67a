"""What the run tells of how its rates follow from their schedules."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import torch
from torch.optim import lr_scheduler

from helm_sdk.protocol.messages import RateOverride
from helm_sdk.torch import Trainer
from helm_sdk.torch._schedules.schedule_names import name_of, schedule_names
from helm_sdk.torch.schedule import WSDScheduler
from helpers.steering import Line

Make = Callable[[torch.optim.Optimizer], Any]


def _get_cosine_schedule_with_warmup_lr_lambda(step: int, *, warmup: int) -> float:
    """As a well known library names and binds it."""
    return min(1.0, step / warmup)


def warm(step: int) -> float:
    return min(1.0, step / 10)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=9), "cosine"),
        (lambda o: WSDScheduler(o, 90), "WSD"),
        (lambda o: lr_scheduler.LambdaLR(o, lambda step: 1.0), "by a function"),
        (lambda o: lr_scheduler.LambdaLR(o, warm), "warm"),
        (
            lambda o: lr_scheduler.LambdaLR(
                o, functools.partial(_get_cosine_schedule_with_warmup_lr_lambda, warmup=5)
            ),
            "cosine with warmup",
        ),
        (lambda o: lr_scheduler.ExponentialLR(o, 0.9), "exponential"),
        (lambda o: lr_scheduler.ReduceLROnPlateau(o), "on plateau"),
        (
            lambda o: lr_scheduler.SequentialLR(
                o, [lr_scheduler.LinearLR(o), lr_scheduler.CosineAnnealingLR(o, T_max=9)], milestones=[5]
            ),
            "linear, then cosine",
        ),
        (
            lambda o: lr_scheduler.ChainedScheduler(
                [lr_scheduler.LinearLR(o), lr_scheduler.ExponentialLR(o, 0.9)]
            ),
            "linear × exponential",
        ),
    ],
)
def test_that_schedulers_have_their_usual_names(make: Make, name: str) -> None:
    assert name_of(make(torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=1e-3))) == name


def test_that_each_optimizer_has_the_schedule_that_sets_it() -> None:
    one, two, three = (torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=1.0) for _ in range(3))
    both = WSDScheduler([one, two], 50)
    assert schedule_names([both], [one, two, three]) == ["WSD", "WSD", ""]
    plain = lr_scheduler.CosineAnnealingLR(three, T_max=9)
    assert schedule_names([plain], [one, three]) == ["", "cosine"]


class Loop:
    """Two groups on a cosine of 40 steps."""

    def __init__(self, trainer: Trainer) -> None:
        self.model = torch.nn.Linear(2, 2)
        groups: list[dict[str, Any]] = [
            {"params": [self.model.weight]},
            {"params": [self.model.bias], "lr": 4e-4},
        ]
        self.optimizer = torch.optim.SGD(groups, lr=1e-3)
        self.scheduler = lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=40)
        self.trainer = trainer
        trainer.watch(self.model, self.optimizer, scheduler=self.scheduler)

    def run(self, start: int, stop: int) -> None:
        for step in range(start, stop):
            self.model(torch.ones(2)).sum().backward()
            self.optimizer.step()
            self.scheduler.step()
            self.trainer.step(step)


def told(line: Line) -> list[RateOverride]:
    line.settle()
    return msgspec.convert(line.catalogues["rate_overrides"].body, list[RateOverride])


def test_that_every_change_of_an_override_is_published_without_any_plan(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.run(0, 3)
    first, second = told(line)
    assert first == RateOverride(stream="optim/lr/group0", schedule="cosine")
    assert second.stream == "optim/lr/group1"
    revision = line.catalogues["rate_overrides"].revision
    line.send("lr", {"scale": 0.5})
    loop.run(3, 5)
    assert [one.factor for one in told(line)] == [0.5, 0.5]
    line.send("lr", {"lr": 2e-4, "mode": "hold", "group": "group1"})
    loop.run(5, 7)
    first, second = told(line)
    assert (first.held, second.held) == (None, 2e-4)
    points = [{"at": 9, "value": 3e-3}, {"at": 12, "value": 1e-3}]
    line.send("lr", {"plan": {"points": points}})
    loop.run(7, 11)
    first, second = told(line)
    assert first.points == ((9, 3e-3), (12, 1e-3))
    assert (first.factor, first.then_hold, first.axis) == (0.5, False, "step")
    assert second.held == 2e-4, "what it was before the first keyframe"
    ratio = 2e-4 / (0.5 * 1e-3 * (1 + torch.cos(torch.tensor(8 * torch.pi / 40)).item()) / 2)
    assert second.points[0][1] == pytest.approx(3e-3 * ratio, rel=1e-6)
    loop.run(11, 16)
    first, _ = told(line)
    raw = 1e-3 * (1 + torch.cos(torch.tensor(12 * torch.pi / 40, dtype=torch.float64)).item()) / 2
    assert (first.points, first.held) == ((), None)
    assert first.factor == pytest.approx(1e-3 / raw, rel=1e-9), "it goes on along the schedule, scaled"
    assert line.catalogues["rate_overrides"].revision == revision + 4, "told once for each change"
