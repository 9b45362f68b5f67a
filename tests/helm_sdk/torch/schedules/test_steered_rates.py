"""lr against torch itself: what a scheduler would have done alone, changed and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from helm_sdk.torch import Trainer
from helpers.steering import Line

STEPS = 40
CHANGE = 12
Make = Callable[[torch.optim.Optimizer], Any]

SCHEDULES: dict[str, Make] = {
    "none": lambda _: None,
    "cosine with a floor": lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=STEPS, eta_min=1e-4),
    "lambda": lambda o: lr_scheduler.LambdaLR(o, lambda step: 0.97**step),
    "step": lambda o: lr_scheduler.StepLR(o, step_size=7, gamma=0.5),
    "one cycle": lambda o: lr_scheduler.OneCycleLR(o, max_lr=3e-3, total_steps=STEPS + 5),
    "sequential": lambda o: lr_scheduler.SequentialLR(
        o,
        [lr_scheduler.LinearLR(o, 0.1, total_iters=9), lr_scheduler.CosineAnnealingLR(o, T_max=STEPS)],
        milestones=[9],
    ),
    "plateau": lambda o: lr_scheduler.ReduceLROnPlateau(o, factor=0.5, patience=3),
}
ORDERS = ("schedule before the trainer", "schedule after the trainer")


class Loop:
    """A loop of two groups that keeps the rates its optimizer really saw."""

    def __init__(self, make: Make, order: str = ORDERS[0], trainer: Trainer | None = None) -> None:
        torch.manual_seed(0)
        self.model = torch.nn.Linear(3, 2)
        groups: list[dict[str, Any]] = [
            {"params": [self.model.weight]},
            {"params": [self.model.bias], "lr": 4e-4},
        ]
        self.optimizer = torch.optim.SGD(groups, lr=1e-3, momentum=0.9)
        self.scheduler = make(self.optimizer)
        self.order = order
        self.trainer = trainer
        self.seen: list[list[float]] = []
        if trainer is not None:
            trainer.watch(self.model, self.optimizer, scheduler=self.scheduler)
            self.optimizer.register_step_pre_hook(self._look)  # after the trainer's own
        else:
            self.optimizer.register_step_pre_hook(self._look)

    def _look(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.seen.append([float(group["lr"]) for group in optimizer.param_groups])

    def run(self, start: int, stop: int) -> None:
        for step in range(start, stop):
            self.optimizer.zero_grad()
            self.model(torch.ones(3)).square().sum().backward()
            self.optimizer.step()
            if self.order == ORDERS[0]:
                self._schedule()
            if self.trainer is not None:
                self.trainer.step(step, loss=1.0)
            if self.order == ORDERS[1]:
                self._schedule()

    def _schedule(self) -> None:
        if isinstance(self.scheduler, lr_scheduler.ReduceLROnPlateau):
            self.scheduler.step(1.0)
        elif self.scheduler is not None:
            self.scheduler.step()


def alone(make: Make) -> list[list[float]]:
    loop = Loop(make)
    loop.run(0, STEPS)
    return loop.seen


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", SCHEDULES)
def test_that_a_scale_of_a_half_halves_every_later_rate_exactly(
    name: str, order: str, line: Line, trainer: Trainer
) -> None:
    undisturbed = alone(SCHEDULES[name])
    loop = Loop(SCHEDULES[name], order, trainer)
    loop.run(0, CHANGE)
    command = line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, STEPS)

    applied = line.until(command, "confirmed").applied
    assert applied is not None
    assert applied.step == CHANGE + 1
    assert loop.seen[: CHANGE + 1] == undisturbed[: CHANGE + 1]
    halves = [[0.5 * rate for rate in rates] for rates in undisturbed[CHANGE + 1 :]]
    assert loop.seen[CHANGE + 1 :] == halves


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", SCHEDULES)
def test_that_a_rate_is_used_at_the_reported_step_and_the_schedule_goes_on_from_it(
    name: str, order: str, line: Line, trainer: Trainer
) -> None:
    undisturbed = alone(SCHEDULES[name])
    loop = Loop(SCHEDULES[name], order, trainer)
    loop.run(0, CHANGE)
    command = line.send("lr", {"lr": "0.001"})
    loop.run(CHANGE, STEPS)

    record = line.until(command, "confirmed")
    assert record.applied is not None
    assert record.confirmed is not None
    at = record.applied.step
    assert at == CHANGE + 1
    assert loop.seen[at][0] == pytest.approx(0.001, abs=1e-12)
    assert record.confirmed.body.ran_at == pytest.approx(0.001, abs=1e-12)
    assert record.confirmed.step == at
    assert record.value == {"lr": pytest.approx(0.001, abs=1e-12)}
    factor = 0.001 / undisturbed[at][0]
    for used, raw in zip(loop.seen[at:], undisturbed[at:], strict=True):
        assert used == pytest.approx([factor * rate for rate in raw], rel=1e-12, abs=0)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["cosine with a floor", "one cycle", "sequential", "step", "lambda", "none"])
def test_that_the_plan_is_what_then_runs(name: str, order: str, line: Line, trainer: Trainer) -> None:
    loop = Loop(SCHEDULES[name], order, trainer)
    trainer.plan(step=STEPS)
    loop.run(0, CHANGE)
    line.send("lr", {"scale": 0.3})
    loop.run(CHANGE, CHANGE + 2)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    loop.run(CHANGE + 2, STEPS)

    body = line.catalogues["plan"].body
    assert body["step"] == STEPS
    assert body["made_at"] == CHANGE + 1
    for flat, curve in enumerate(body["curves"]):
        assert curve["stream"] == f"optim/lr/group{flat}"
        ran = [rates[flat] for rates in loop.seen]
        for step in range(curve["steps"][0], STEPS):
            assert at_step(curve, step) == pytest.approx(ran[step], rel=1e-12, abs=1e-18)
        assert curve["steps"][-1] == STEPS - 1


def at_step(curve: dict[str, Any], step: int) -> float:
    """The planned rate at a step, linear between knots."""
    steps, values = curve["steps"], curve["values"]
    after = next(index for index, known in enumerate(steps) if known >= step)
    if steps[after] == step:
        return float(values[after])
    part = (step - steps[after - 1]) / (steps[after] - steps[after - 1])
    return float(values[after - 1] + part * (values[after] - values[after - 1]))


def test_that_planning_leaves_the_scheduler_where_it_is(trainer: Trainer) -> None:
    loop = Loop(SCHEDULES["sequential"], trainer=trainer)
    before = loop.scheduler.state_dict()
    trainer.plan(step=STEPS)
    assert trainer.wait_for_plan(10.0)

    assert loop.scheduler.state_dict() == before
    assert loop.seen == []


def test_that_a_plateau_is_planned_again_when_it_fires(line: Line, trainer: Trainer) -> None:
    loop = Loop(SCHEDULES["plateau"], trainer=trainer)
    trainer.plan(step=STEPS)
    assert trainer.wait_for_plan(10.0)
    line.settle()
    assert line.catalogues["plan"].body["curves"][0]["values"] == [1e-3, 1e-3]

    loop.run(0, 7)
    assert trainer.wait_for_plan(10.0)
    line.settle()

    assert loop.seen[-1][0] == 5e-4
    assert line.catalogues["plan"].body["curves"][0]["values"] == [5e-4, 5e-4]


def test_that_a_rate_is_refused_where_the_schedule_is_at_zero(line: Line, trainer: Trainer) -> None:
    loop = Loop(lambda o: lr_scheduler.LambdaLR(o, lambda step: 0.0 if step >= 5 else 1.0), trainer=trainer)
    loop.run(0, 8)
    command = line.send("lr", {"lr": 1e-3})
    loop.run(8, 10)

    record = line.until(command, "rejected")
    assert "send scale or a plan" in record.message
    assert loop.seen[-1] == [0.0, 0.0]


def test_that_a_rate_meant_for_the_end_of_a_zero_warm_up_is_taken(line: Line, trainer: Trainer) -> None:
    loop = Loop(lambda o: lr_scheduler.LambdaLR(o, lambda step: step / 10), ORDERS[1], trainer)
    command = line.send("lr", {"lr": 1e-2})
    loop.run(0, 4)

    assert line.until(command, "confirmed").step == 1
    assert loop.seen[1][0] == pytest.approx(1e-2, abs=1e-12)
    assert loop.seen[2][0] == pytest.approx(2e-2, abs=1e-12)


def test_that_a_held_rate_stays_until_it_follows_the_schedule_again(line: Line, trainer: Trainer) -> None:
    undisturbed = alone(SCHEDULES["cosine with a floor"])
    loop = Loop(SCHEDULES["cosine with a floor"], trainer=trainer)
    loop.run(0, 10)
    line.send("lr", {"lr": 2e-3, "mode": "hold"})
    loop.run(10, 20)
    line.send("lr", {"scale": 1.0})
    loop.run(20, 30)

    ratio = undisturbed[11][1] / undisturbed[11][0]
    for used in loop.seen[11:21]:
        assert used == pytest.approx([2e-3, 2e-3 * ratio], rel=1e-12)
    factor = 2e-3 / undisturbed[21][0]
    assert loop.seen[21][0] == pytest.approx(2e-3, rel=1e-12)
    assert loop.seen[29][0] == pytest.approx(factor * undisturbed[29][0], rel=1e-12)


def test_that_a_named_group_is_changed_alone(line: Line, trainer: Trainer) -> None:
    loop = Loop(SCHEDULES["none"], trainer=trainer)
    loop.run(0, 2)
    command = line.send("lr", {"lr": 7e-4, "group": "group1"})
    loop.run(2, 4)

    assert line.until(command, "confirmed").value == {"lr": 7e-4, "group": "group1"}
    assert loop.seen[-1] == [1e-3, 7e-4]


def test_that_a_tensor_rate_is_filled_in_place(line: Line, trainer: Trainer) -> None:
    model = torch.nn.Linear(2, 1)
    rate = torch.tensor(1e-3, dtype=torch.float64)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, foreach=False, capturable=False)
    seen: list[tuple[int, float]] = []
    trainer.watch(model, optimizer)
    optimizer.register_step_pre_hook(
        lambda o, a, k: seen.append((id(o.param_groups[0]["lr"]), float(o.param_groups[0]["lr"])))
    )

    def go(step: int) -> None:
        model(torch.ones(2)).sum().backward()
        optimizer.step()
        trainer.step(step)

    go(0)
    command = line.send("lr", {"scale": 0.5})
    go(1)
    go(2)

    assert line.until(command, "confirmed").applied is not None
    held = optimizer.param_groups[0]["lr"]
    assert [same for same, _ in seen] == [id(held)] * 3
    assert [value for _, value in seen] == [1e-3, 1e-3, 5e-4]
    assert float(held) == 5e-4, "what ran can be read between steps"
    assert float(optimizer.state_dict()["param_groups"][0]["lr"]) == 1e-3
    trainer.release()
    assert float(held) == 1e-3


def test_that_two_optimizers_are_named_and_one_command_moves_both(line: Line, trainer: Trainer) -> None:
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    model = torch.nn.Sequential(first, second)
    sgd = torch.optim.SGD(first.parameters(), lr=2e-2)
    adamw = torch.optim.AdamW(second.parameters(), lr=3e-4)
    trainer.watch(model, sgd, adamw)
    for step in range(4):
        if step == 2:
            command = line.send("lr", {"lr": 1e-2})
        model(torch.ones(2)).sum().backward()
        sgd.step()
        adamw.step()
        trainer.step(step)
    line.settle()

    rates = line.until(command, "confirmed").result["rates"]
    assert rates == {"sgd/group0": 1e-2, "adamw/group0": pytest.approx(1.5e-4, rel=1e-12)}
    assert [value for _, value in line.points["optim/lr/sgd/group0"]] == [2e-2, 2e-2, 2e-2, 1e-2]
    assert line.points["optim/lr/adamw/group0"][-1][1] == pytest.approx(1.5e-4, rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("mode", ["rescale", "hold"])
def test_that_keyframes_are_followed_and_planned(mode: str, order: str, line: Line, trainer: Trainer) -> None:
    undisturbed = alone(SCHEDULES["cosine with a floor"])
    loop = Loop(SCHEDULES["cosine with a floor"], order, trainer)
    trainer.plan(step=STEPS)
    loop.run(0, 10)
    points = [{"at": 15, "value": "0.002"}, {"at": 20, "value": 0.001}, {"at": 25, "value": 0.001}]
    command = line.send("lr", {"plan": {"points": points}, "mode": mode})
    loop.run(10, 12)
    assert trainer.wait_for_plan(10.0)
    loop.run(12, STEPS)
    record = line.until(command, "confirmed")
    line.settle()

    rates = [rates[0] for rates in loop.seen]
    assert rates[:15] == [rates[0] for rates in undisturbed[:15]]
    assert rates[15:26] == pytest.approx([2e-3, 1.8e-3, 1.6e-3, 1.4e-3, 1.2e-3] + [1e-3] * 6, rel=1e-12)
    factor = 1e-3 / undisturbed[25][0]
    after = [1e-3 if mode == "hold" else factor * rates[0] for rates in undisturbed[25:]]
    assert rates[25:] == pytest.approx(after, rel=1e-12)
    ratio = undisturbed[11][1] / undisturbed[11][0]
    assert loop.seen[20][1] == pytest.approx(ratio * 1e-3, rel=1e-12)
    assert record.value["plan"]["points"][0]["value"] == "0.002"
    curves = line.catalogues["plan"].body["curves"]
    schedules = [curve for curve in curves if curve["stream"].endswith("/schedule")]
    assert [curve["stream"] for curve in schedules] == [f"optim/lr/group{flat}/schedule" for flat in (0, 1)]
    for flat, curve in enumerate(curves[: -len(schedules)]):
        assert curve["steps"][0] == 11
        for step in range(11, STEPS):
            assert at_step(curve, step) == pytest.approx(loop.seen[step][flat], rel=1e-12)
            schedule = at_step(schedules[flat], step)
            assert schedule == pytest.approx(undisturbed[step][flat], rel=1e-12), "what it would be without"


def test_that_a_plan_of_the_past_is_refused(line: Line, trainer: Trainer) -> None:
    loop = Loop(SCHEDULES["none"], trainer=trainer)
    loop.run(0, 10)
    command = line.send("lr", {"plan": {"points": [{"at": 3, "value": 0.1}]}})
    loop.run(10, 11)

    assert line.until(command, "rejected").message == "plan ends at step 3, the next step is 11"
