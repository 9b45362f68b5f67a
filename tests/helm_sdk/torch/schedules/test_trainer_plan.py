"""The schedule run ahead: exact where it is short, sampled where it is long, never in the loop's way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler

from helm_sdk.protocol.messages import PlanCurve
from helm_sdk.torch._schedules.forecast import Forecast, ForecastThread
from helm_sdk.torch._schedules.rate_overrides import FOLLOW, ScaledRate
from helm_sdk.torch._schedules.simplify import simplified
from helm_sdk.torch._schedules.simulation import Simulation


def curve_of(forecast: Forecast, simulation: Simulation, course: Any = FOLLOW, since: int = 0) -> PlanCurve:
    """What a planner publishes in the end."""
    told: list[tuple[PlanCurve, ...]] = []
    planner = ForecastThread(["lr"], lambda _, curves: told.append(curves))
    planner.plan(forecast, simulation, [course])
    if since:
        planner.again([course], since)
    assert planner.wait(60)
    planner.close()
    return told[-1][0]


def optimizer() -> torch.optim.Optimizer:
    return torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=1e-3)


@pytest.mark.parametrize(
    "make",
    [
        lambda o, n: lr_scheduler.CosineAnnealingLR(o, T_max=n),
        lambda o, n: lr_scheduler.LambdaLR(o, lambda step: min(1.0, step / 1000)),
        lambda o, n: lr_scheduler.OneCycleLR(o, max_lr=1.0, total_steps=n + 1),
        lambda o, n: lr_scheduler.MultiStepLR(o, [n // 3, n // 2], gamma=0.1),
    ],
)
def test_that_a_long_run_is_sampled_and_still_right(make: Any) -> None:
    steps = 300_000
    one, two = optimizer(), optimizer()
    curve = curve_of(Forecast(0, steps, 1, 1), Simulation([make(one, steps)], [one]))
    scheduler = make(two, steps)
    assert curve.steps[0] == 0
    assert curve.steps[-1] == steps - 1
    assert len(curve.steps) <= 3000
    wanted = dict(zip(curve.steps, curve.values, strict=True))
    ahead = Simulation([scheduler], [two])
    at = 0
    for step in list(wanted)[:: max(1, len(wanted) // 40)]:
        ahead.advance(step - at)
        at = step
        assert wanted[step] == pytest.approx(ahead.rates()[0], rel=1e-9)


def test_that_a_leap_is_as_many_steps() -> None:
    for make in (
        lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=100, eta_min=1e-5),
        lambda o: lr_scheduler.LambdaLR(o, lambda step: 0.9**step),
        lambda o: lr_scheduler.OneCycleLR(o, max_lr=1.0, total_steps=100),
        lambda o: lr_scheduler.StepLR(o, 7),
        lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 10),
    ):
        one, two = optimizer(), optimizer()
        slow, fast = Simulation([make(one)], [one]), Simulation([make(two)], [two])
        for _ in range(30):
            slow.advance()
        fast.advance(30)
        assert fast.rates() == pytest.approx(slow.rates(), rel=1e-9)


def test_that_a_schedule_by_the_epoch_is_a_staircase() -> None:
    held = optimizer()
    scheduler = lr_scheduler.ExponentialLR(held, 0.5)
    curve = curve_of(Forecast(10, 22, 4, 2), Simulation([scheduler], [held]))
    values = np.interp(range(10, 22), curve.steps, curve.values).tolist()
    assert values == [1e-3] * 2 + [5e-4] * 4 + [2.5e-4] * 4 + [1.25e-4] * 2


def test_that_a_change_shows_from_its_own_step_on() -> None:
    held = optimizer()
    scheduler = lr_scheduler.LambdaLR(held, lambda step: 1.0 - step / 100)
    curve = curve_of(Forecast(0, 50, 1, 1), Simulation([scheduler], [held]), ScaledRate(0.5), since=20)
    assert curve.steps[0] == 20
    assert curve.values[0] == pytest.approx(0.5e-3 * 0.8)


def test_that_a_schedule_that_ends_early_is_planned_as_far_as_it_goes() -> None:
    held = optimizer()
    scheduler = lr_scheduler.OneCycleLR(held, max_lr=1.0, total_steps=30)
    forecast = Forecast(0, 50, 1, 1)
    curve = curve_of(forecast, Simulation([scheduler], [held]))
    assert curve.steps[-1] == 30
    assert "30" in forecast.broken


def test_that_neither_model_nor_scheduler_is_copied_or_moved() -> None:
    model = torch.nn.Linear(2, 2)
    held = torch.optim.SGD(model.parameters(), lr=1e-3)

    class Rule:
        def __init__(self) -> None:
            self.model = model

        def __call__(self, step: int) -> float:
            assert self.model is model
            return 0.9**step

    scheduler = lr_scheduler.LambdaLR(held, Rule())
    before = dict(scheduler.state_dict())
    simulation = Simulation([scheduler], [held], [model, *model.parameters()])
    simulation.advance(5)
    assert simulation.rates() == [pytest.approx(1e-3 * 0.9**5)]
    assert held.param_groups[0]["lr"] == 1e-3
    assert scheduler.last_epoch == before["last_epoch"]


def test_that_lines_between_points_give_a_long_curve_back_with_its_kinks() -> None:
    x = np.arange(50_000)
    values = np.where(x < 20_000, 1e-3 * (1 + np.cos(x / 9000)), 2e-4)
    values[40_000:] = 1e-4
    kept = simplified(values, 2000)
    assert len(kept) < 2000
    assert {19_999, 20_000, 39_999, 40_000} <= set(kept.tolist())
    off = np.abs(np.interp(x, kept, values[kept]) - values)
    assert off.max() <= 1e-5 * values.max()


def test_that_a_short_curve_keeps_every_step_and_drops_what_stands_still() -> None:
    values = np.array([1.0, 1.0, 1.0, 0.5, 0.4, 0.4, 0.4])
    assert simplified(values, 100).tolist() == [0, 2, 3, 4, 6]
