"""A rate read between steps is what runs; a scheduler, a state and a copy see the schedule's own."""

from __future__ import annotations

import copy
import io
import pickle
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from helm_sdk.torch import Trainer
from helpers.steering import Line

STEPS = 30
CHANGE = 9
Rates = list[list[float]]


def _sequential(optimizer: torch.optim.Optimizer) -> Any:
    warm = lr_scheduler.LinearLR(optimizer, 0.1, total_iters=9)
    return lr_scheduler.SequentialLR(
        optimizer, [warm, lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)], milestones=[9]
    )


def _chained(optimizer: torch.optim.Optimizer) -> Any:
    parts = [
        lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=4),
        lr_scheduler.ExponentialLR(optimizer, 0.9),
    ]
    return lr_scheduler.ChainedScheduler(parts, optimizer)


class Custom(lr_scheduler.LRScheduler):
    """A script's own, which computes from the rate that it finds and has a `step` of its own."""

    def get_lr(self) -> list[Any]:
        factor = 1.0 if self.last_epoch == 0 else 0.93
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def step(self, epoch: int | None = None) -> None:
        super().step()


SCHEDULES: dict[str, Any] = {
    "none": lambda _: None,
    "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=STEPS, eta_min=1e-4),
    "exponential": lambda o: lr_scheduler.ExponentialLR(o, 0.95),
    "sequential": _sequential,
    "chained": _chained,
    "restarts": lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 7),
    "plateau": lambda o: lr_scheduler.ReduceLROnPlateau(o, factor=0.5, patience=3),
    "custom": Custom,
}


class Loop:
    """A loop of two groups: the rates that each step used, and those that could be read before it."""

    def __init__(self, schedule: str, trainer: Trainer | None, *, passed: bool = True) -> None:
        torch.manual_seed(0)
        self.model = torch.nn.Linear(3, 2)
        groups: list[dict[str, Any]] = [
            {"params": [self.model.weight]},
            {"params": [self.model.bias], "lr": 4e-4},
        ]
        self.optimizer = torch.optim.SGD(groups, lr=1e-3, momentum=0.9)
        self.scheduler = SCHEDULES[schedule](self.optimizer)
        self.trainer = trainer
        self.used: Rates = []
        self.read: Rates = []
        self.last: Rates = []
        if trainer is not None:
            trainer.watch(self.model, self.optimizer, scheduler=self.scheduler if passed else None)
        self.optimizer.register_step_pre_hook(self._look)

    def _look(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.used.append(self.rates())

    def rates(self) -> list[float]:
        return [float(group["lr"]) for group in self.optimizer.param_groups]

    def run(self, start: int, stop: int) -> None:
        for step in range(start, stop):
            self.optimizer.zero_grad()
            self.model(torch.ones(3)).square().sum().backward()
            self.optimizer.step()
            if isinstance(self.scheduler, lr_scheduler.ReduceLROnPlateau):
                self.scheduler.step(1.0)
            elif self.scheduler is not None:
                self.scheduler.step()
            self.read.append(self.rates())
            if self.scheduler is not None:
                self.last.append([float(rate) for rate in self.scheduler.get_last_lr()])
            if self.trainer is not None:
                self.trainer.step(step, loss=1.0)


def alone(schedule: str) -> Loop:
    loop = Loop(schedule, None)
    loop.run(0, STEPS)
    return loop


@pytest.mark.parametrize("passed", [True, False], ids=["watched", "not passed to watch"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_that_what_is_read_between_steps_is_what_the_next_step_uses(
    schedule: str, passed: bool, line: Line, trainer: Trainer
) -> None:
    undisturbed = alone(schedule)
    loop = Loop(schedule, trainer, passed=passed or schedule == "custom")
    loop.run(0, CHANGE)
    line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, STEPS)

    assert loop.used[: CHANGE + 1] == undisturbed.used[: CHANGE + 1]
    assert loop.used[CHANGE + 1 :] == [[0.5 * r for r in rates] for rates in undisturbed.used[CHANGE + 1 :]]
    assert loop.read[CHANGE + 1 : -1] == loop.used[CHANGE + 2 :]
    if schedule != "none":
        assert loop.last[CHANGE + 1 : -1] == loop.used[CHANGE + 2 :]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_that_a_state_holds_the_schedule_s_own_rates_and_can_be_loaded(
    schedule: str, line: Line, trainer: Trainer
) -> None:
    undisturbed = Loop(schedule, None)
    undisturbed.run(0, 20)
    loop = Loop(schedule, trainer)
    loop.run(0, CHANGE)
    line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, 20)

    state = loop.optimizer.state_dict()
    assert [group["lr"] for group in state["param_groups"]] == undisturbed.rates()
    if loop.scheduler is not None and schedule not in ("sequential", "chained"):
        plain = {key: value for key, value in loop.scheduler.state_dict().items() if not callable(value)}
        assert plain == {
            key: value for key, value in undisturbed.scheduler.state_dict().items() if not callable(value)
        }
    before = loop.rates()
    loop.optimizer.load_state_dict(copy.deepcopy(state))
    assert loop.rates() == before, "what was sent holds on"
    loop.run(20, STEPS)
    undisturbed.run(20, STEPS)
    assert loop.used[20:] == [[0.5 * rate for rate in rates] for rates in undisturbed.used[20:]]


@pytest.mark.parametrize("on_nonfinite", ["warn", "skip"])
def test_that_copies_and_pickles_carry_nothing_and_schedulers_keep_their_class(
    on_nonfinite: str, line: Line
) -> None:
    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    plain = Loop("cosine", None)
    loop = Loop("cosine", trainer)
    loop.run(0, 3)
    plain.run(0, 3)
    buffer = io.BytesIO()
    torch.save({"model": loop.model, "optimizer": loop.optimizer, "schedule": loop.scheduler}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer, weights_only=False)
    assert type(loaded["schedule"]) is lr_scheduler.CosineAnnealingLR
    assert type(loop.scheduler) is lr_scheduler.CosineAnnealingLR
    assert set(vars(loop.scheduler)) == set(vars(plain.scheduler))
    assert set(vars(copy.deepcopy(loop.scheduler))) == set(vars(plain.scheduler))
    assert pickle.loads(pickle.dumps(loop.scheduler)).last_epoch == 3
    assert vars(loop.model).keys() == vars(plain.model).keys()
    assert not loop.model._forward_hooks
    trainer.release()


def test_that_schedulers_get_their_own_methods_back(line: Line) -> None:
    before = lr_scheduler.LRScheduler.step, lr_scheduler.LRScheduler.get_last_lr, Custom.step
    first, second = Trainer(line.run), Trainer(line.run)
    Loop("custom", first)
    kept = Loop("cosine", second)
    assert lr_scheduler.LRScheduler.step is not before[0]
    first.release()
    assert lr_scheduler.LRScheduler.step is not before[0], "the second one is still watched"
    second.release()
    assert (lr_scheduler.LRScheduler.step, lr_scheduler.LRScheduler.get_last_lr, Custom.step) == before
    assert kept.rates() == [1e-3, 4e-4]


def test_that_a_release_puts_the_schedule_s_own_rates_back(line: Line, trainer: Trainer) -> None:
    undisturbed = alone("exponential")
    loop = Loop("exponential", trainer)
    loop.run(0, CHANGE)
    line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, STEPS)
    trainer.release()
    assert loop.rates() == undisturbed.rates()
    assert loop.scheduler.get_last_lr() == undisturbed.scheduler.get_last_lr()


def test_that_a_script_that_sets_the_rate_by_hand_finds_what_it_has_set(line: Line, trainer: Trainer) -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    trainer.watch(torch.nn.ParameterList([weight]), optimizer)
    used: list[float] = []
    optimizer.register_step_pre_hook(lambda o, a, k: used.append(o.param_groups[0]["lr"]))
    command, found = "", list[float]()
    expected: list[float] = []
    for step in range(20):
        optimizer.param_groups[0]["lr"] *= 0.9  # relative: it must find its own
        found.append(optimizer.param_groups[0]["lr"])
        expected.append(0.9 * (expected[-1] if expected else 0.1))
        weight.grad = torch.ones(2)
        optimizer.step()
        trainer.step(step)
        if step == 9:
            command = line.send("lr", {"scale": 0.5})
    line.until(command, "confirmed")
    assert found == expected
    assert used == [rate * (0.5 if step > 10 else 1.0) for step, rate in enumerate(expected)]


def test_that_keyframes_can_be_read_before_they_run(line: Line, trainer: Trainer) -> None:
    loop = Loop("exponential", trainer)
    loop.run(0, 5)
    line.send("lr", {"plan": {"points": [{"at": 8, "value": "0.004"}, {"at": 18, "value": "0.001"}]}})
    loop.run(5, 25)
    assert loop.used[8][0] == pytest.approx(0.004, rel=1e-12)
    assert loop.used[13][0] == pytest.approx(0.0025, rel=1e-12)
    assert loop.read[7:-1] == loop.used[8:]


def test_that_a_tensor_rate_is_read_and_saved_as_a_float_is(line: Line, trainer: Trainer) -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.Adam([weight], lr=torch.tensor(0.01, dtype=torch.float64))
    scheduler = lr_scheduler.ExponentialLR(optimizer, 0.5)
    held = optimizer.param_groups[0]["lr"]
    trainer.watch(torch.nn.ParameterList([weight]), optimizer, scheduler=scheduler)
    read: list[float] = []
    for step in range(4):
        weight.grad = torch.ones(2)
        optimizer.step()
        scheduler.step()
        read.append(float(held))
        if step == 0:
            line.send("lr", {"scale": 0.5})
        trainer.step(step)
    assert optimizer.param_groups[0]["lr"] is held
    assert read == [0.005, 0.00125, 0.000625, 0.0003125]
    assert float(optimizer.state_dict()["param_groups"][0]["lr"]) == 0.01 * 0.5**4
    assert [float(rate) for rate in scheduler.get_last_lr()] == [0.0003125]


def test_that_no_rate_is_planned_where_the_script_sets_it_by_hand(line: Line, trainer: Trainer) -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    trainer.watch(torch.nn.ParameterList([weight]), optimizer)
    trainer.plan(step=1000)
    for step in range(6):
        optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
        weight.grad = torch.ones(2)
        optimizer.step()
        trainer.step(step)
    assert trainer.wait_for_plan(20.0)
    line.settle()
    plan = line.catalogues["plan"].body
    assert (plan["step"], list(plan.get("curves", ()))) == (1000, [])
