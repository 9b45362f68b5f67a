"""Thirteen schedulers on two optimizers of three groups: scaled, held, planned as torch alone runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler as lrs

from helm_sdk.torch import Trainer
from helm_sdk.torch.schedule import WSDScheduler
from helpers.steering import Line

STEPS = 48
CHANGE = 17  # sent after this many steps, used at step CHANGE + 1
RELEASE = 29
Optimizers = list[torch.optim.Optimizer]
Make = Callable[[torch.optim.Optimizer], Any]


def _bases(optimizer: torch.optim.Optimizer, factor: float = 1.0) -> list[float]:
    return [factor * float(group["lr"]) for group in optimizer.param_groups]


def _power(rank: int, step: int) -> float:
    return float(0.97 ** (step * rank))


def _sequential(optimizer: torch.optim.Optimizer) -> Any:
    warm = lrs.LinearLR(optimizer, 0.1, total_iters=9)
    return lrs.SequentialLR(optimizer, [warm, lrs.CosineAnnealingLR(optimizer, T_max=STEPS)], milestones=[9])


SINGLE: dict[str, Make] = {
    "LambdaLR": lambda o: lrs.LambdaLR(o, [partial(_power, k) for k in (1, 2, 3)]),
    "OneCycleLR": lambda o: lrs.OneCycleLR(o, max_lr=_bases(o, 10), total_steps=STEPS + 1),
    "CosineAnnealingLR": lambda o: lrs.CosineAnnealingLR(o, T_max=STEPS, eta_min=1e-5),
    "CosineAnnealingWarmRestarts": lambda o: lrs.CosineAnnealingWarmRestarts(o, 7, T_mult=2, eta_min=1e-6),
    "StepLR": lambda o: lrs.StepLR(o, step_size=7, gamma=0.5),
    "MultiStepLR": lambda o: lrs.MultiStepLR(o, [10, 20, 33], gamma=0.3),
    "SequentialLR": _sequential,
    "ReduceLROnPlateau": lambda o: lrs.ReduceLROnPlateau(o, factor=0.5, patience=4),
    "LinearLR": lambda o: lrs.LinearLR(o, 0.2, 1.0, total_iters=30),
    "ExponentialLR": lambda o: lrs.ExponentialLR(o, 0.96),
    "CyclicLR": lambda o: lrs.CyclicLR(
        o, _bases(o), _bases(o, 6), step_size_up=8, step_size_down=5, mode="triangular2"
    ),
    "PolynomialLR": lambda o: lrs.PolynomialLR(o, total_iters=STEPS + 4, power=2.0),
}
NAMES = [*SINGLE, "WSDScheduler"]


def _make(name: str, optimizers: Optimizers) -> list[Any]:
    if name == "WSDScheduler":
        return [WSDScheduler(optimizers, STEPS, warmup_frac=0.1, stable_frac=0.5, decay="cosine")]
    return [SINGLE[name](optimizer) for optimizer in optimizers]


class Loop:
    """Two optimizers of three groups each; keeps the rates and the momenta that their steps really used."""

    def __init__(self, name: str, trainer: Trainer | None = None) -> None:
        weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(6)]
        self.model = torch.nn.ParameterList(weights)
        groups = [{"params": [weight], "lr": 1e-3 * 3.7**k} for k, weight in enumerate(weights)]
        self.optimizers: Optimizers = [
            torch.optim.SGD(groups[:3], lr=1.0, momentum=0.9),
            torch.optim.AdamW(groups[3:], lr=1.0),
        ]
        self.schedulers = _make(name, self.optimizers)
        self.trainer = trainer
        self.rates: list[list[float]] = []
        self.momenta: list[list[float]] = []
        if trainer is not None:
            trainer.watch(self.model, *self.optimizers, scheduler=self.schedulers)
        for optimizer in self.optimizers:
            optimizer.register_step_pre_hook(self._look)  # after the trainer's own

    def _look(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if optimizer is self.optimizers[0]:
            self.rates.append([])
            self.momenta.append([])
        groups = optimizer.param_groups
        self.rates[-1] += [float(group["lr"]) for group in groups]
        self.momenta[-1] += [g["momentum"] if "momentum" in g else g["betas"][0] for g in groups]

    def run(self, start: int, stop: int) -> None:
        for step in range(start, stop):
            for optimizer in self.optimizers:
                optimizer.zero_grad()
            torch.stack([weight.square().sum() for weight in self.model]).sum().backward()
            for optimizer in self.optimizers:
                optimizer.step()
            for scheduler in self.schedulers:
                scheduler.step(*((1.0,) if isinstance(scheduler, lrs.ReduceLROnPlateau) else ()))
            if self.trainer is not None:
                self.trainer.step(step, loss=1.0)


@pytest.fixture
def undisturbed(name: str) -> Loop:
    """The same loop without a trainer."""
    loop = Loop(name)
    loop.run(0, STEPS)
    return loop


def planned(curves: list[dict[str, Any]], step: int) -> list[float]:
    """Every group's planned rate, linear between knots."""
    found = []
    for curve in curves:
        steps, values = curve["steps"], curve["values"]
        after = next(index for index, known in enumerate(steps) if known >= step)
        if steps[after] == step:
            found.append(values[after])
            continue
        part = (step - steps[after - 1]) / (steps[after] - steps[after - 1])
        found.append(values[after - 1] + part * (values[after] - values[after - 1]))
    return found


def fires(name: str, loop: Loop) -> int:
    """The step up to which a plan made at CHANGE can hold: for a plateau, until it fires."""
    if name != "ReduceLROnPlateau":
        return STEPS
    later = range(CHANGE + 2, STEPS)
    return next(step for step in later if loop.rates[step] != loop.rates[CHANGE + 1])


@pytest.mark.parametrize("name", NAMES)
def test_that_a_scale_halves_every_group_exactly_and_was_planned(
    name: str, undisturbed: Loop, line: Line, trainer: Trainer
) -> None:
    loop = Loop(name, trainer)
    trainer.plan(step=STEPS)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    first = line.catalogues["plan"].body["curves"]
    loop.run(0, CHANGE)
    command = line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, CHANGE + 2)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    then = line.catalogues["plan"].body["curves"]
    loop.run(CHANGE + 2, STEPS)

    assert line.until(command, "confirmed").step == CHANGE + 1
    assert loop.rates[: CHANGE + 1] == undisturbed.rates[: CHANGE + 1]
    halves = [[0.5 * rate for rate in rates] for rates in undisturbed.rates[CHANGE + 1 :]]
    assert loop.rates[CHANGE + 1 :] == halves
    assert loop.momenta == undisturbed.momenta
    known = next((s for s in range(STEPS) if undisturbed.rates[s] != undisturbed.rates[0]), STEPS)
    for step in range(min(CHANGE + 1, known if name == "ReduceLROnPlateau" else STEPS)):
        assert planned(first, step) == pytest.approx(loop.rates[step], rel=1e-12, abs=1e-18)
    assert [curve["steps"][0] for curve in then] == [CHANGE + 1] * 6
    for step in range(CHANGE + 1, fires(name, undisturbed)):
        assert planned(then, step) == pytest.approx(loop.rates[step], rel=1e-12, abs=1e-18)


@pytest.mark.parametrize("name", NAMES)
def test_that_a_hold_is_constant_until_released_and_the_schedule_goes_on_from_there(
    name: str, undisturbed: Loop, line: Line, trainer: Trainer
) -> None:
    loop = Loop(name, trainer)
    trainer.plan(step=STEPS)
    loop.run(0, CHANGE)
    line.send("lr", {"scale": 1.5, "mode": "hold"})
    loop.run(CHANGE, RELEASE)
    line.send("lr", {"scale": 1.0})
    loop.run(RELEASE, RELEASE + 2)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    curves = line.catalogues["plan"].body["curves"]
    loop.run(RELEASE + 2, STEPS)

    held = [1.5 * rate for rate in undisturbed.rates[CHANGE + 1]]
    assert loop.rates[CHANGE + 1 : RELEASE + 1] == [held] * (RELEASE - CHANGE)
    raw = undisturbed.rates
    for step in range(RELEASE + 1, STEPS):
        factors = [now / then for now, then in zip(raw[step], raw[RELEASE + 1], strict=True)]
        wanted = [rate * factor for rate, factor in zip(held, factors, strict=True)]
        assert loop.rates[step] == pytest.approx(wanted, rel=1e-12, abs=0)
        if name != "ReduceLROnPlateau" or raw[step] == raw[RELEASE + 1]:
            assert planned(curves, step) == pytest.approx(loop.rates[step], rel=1e-12, abs=1e-18)
    assert loop.momenta == undisturbed.momenta


@pytest.mark.parametrize("name", NAMES)
def test_that_a_rate_moves_every_group_and_the_ratios_stay(
    name: str, undisturbed: Loop, line: Line, trainer: Trainer
) -> None:
    loop = Loop(name, trainer)
    loop.run(0, CHANGE)
    command = line.send("lr", {"lr": "0.004"})
    loop.run(CHANGE, STEPS)

    result = line.until(command, "confirmed").result["rates"]
    assert list(result.values()) == pytest.approx(loop.rates[CHANGE + 1], rel=1e-12)
    assert loop.rates[CHANGE + 1][0] == pytest.approx(0.004, rel=1e-12)
    for used, raw in zip(loop.rates[1:], undisturbed.rates[1:], strict=True):  # WSD begins at 0
        ratios = [[rate / rates[0] for rate in rates] for rates in (used, raw)]
        assert ratios[0] == pytest.approx(ratios[1], rel=1e-12)
