"""WSD: its values, every group of every optimizer from its own base rate, state that decays nothing twice."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer
from helm_sdk.torch.schedule import WSDScheduler
from helpers.steering import Line

BASES = [2e-2, 5e-3, 3e-4]  # two groups of the first optimizer, one of the second


def optimizers(**more: Any) -> list[torch.optim.Optimizer]:
    weights = [torch.nn.Parameter(torch.ones(2, 2)) for _ in BASES]
    groups: list[dict[str, Any]] = [{"params": [weights[0]]}, {"params": [weights[1]], "lr": BASES[1]}]
    return [
        torch.optim.SGD(groups, lr=BASES[0], momentum=0.9),
        torch.optim.AdamW([weights[2]], lr=BASES[2], **more),
    ]


def rates(made: list[torch.optim.Optimizer]) -> list[float]:
    return [float(group["lr"]) for one in made for group in one.param_groups]


def at(step: int, **settings: Any) -> list[float]:
    """Every group's factor at a step, as the optimizers hold it."""
    made = optimizers()
    scheduler = WSDScheduler(made, 63_400, **settings)
    scheduler.last_epoch = step - 1
    scheduler.step()
    return [rate / base for rate, base in zip(rates(made), BASES, strict=True)]


@pytest.mark.parametrize(
    ("step", "decay", "factor"),
    [
        (0, "linear", 0.0),
        (317, "linear", 0.5),
        (633, "linear", 633 / 634),
        (634, "linear", 1.0),
        (53_889, "linear", 1.0),
        (53_890, "linear", 1.0),
        (58_645, "linear", 0.55),
        (58_645, "cosine", 0.55),
        (58_645, "sqrt", 0.1 + 0.9 * (1 - math.sqrt(0.5))),
        (63_399, "linear", 1 - 0.9 * 9509 / 9510),
        (63_400, "cosine", 0.1),
        (90_000, "sqrt", 0.1),
    ],
)
def test_that_every_group_has_the_factor_of_the_step(step: int, decay: str, factor: float) -> None:
    assert at(step, decay=decay) == pytest.approx([factor] * 3, abs=1e-12)


def test_that_the_rounded_figures_of_the_design_are_met() -> None:
    assert round(at(633)[0], 6) == 0.998423
    assert round(at(63_399)[0], 6) == 0.100095


def test_that_warm_up_begins_at_construction_in_every_optimizer() -> None:
    made = optimizers()
    scheduler = WSDScheduler(made, 100, warmup_frac=0.1)
    assert rates(made) == [0.0, 0.0, 0.0]
    for optimizer in made:
        optimizer.step()
    scheduler.step()
    assert rates(made) == pytest.approx([base / 10 for base in BASES], rel=1e-12)
    assert scheduler.get_last_lr() == rates(made)


def test_that_the_state_is_plain_json_and_holds_every_base_rate() -> None:
    scheduler = WSDScheduler(optimizers(), 100, decay="sqrt")
    state = scheduler.state_dict()
    assert json.loads(json.dumps(state)) == state
    assert state["base_lrs"] == BASES


@pytest.mark.parametrize("with_initial", [True, False])
def test_that_loading_into_a_decayed_optimizer_does_not_decay_twice(with_initial: bool) -> None:
    made = optimizers()
    scheduler = WSDScheduler(made, 100)
    for _ in range(95):
        for optimizer in made:
            optimizer.step()
        scheduler.step()
    decayed = rates(made)
    kept = json.loads(json.dumps(scheduler.state_dict()))

    fresh = optimizers()
    for old, new in zip(made, fresh, strict=True):
        new.load_state_dict(old.state_dict())
        for group in [] if with_initial else new.param_groups:
            del group["initial_lr"]
    again = WSDScheduler(fresh, 100)
    again.load_state_dict(kept)
    assert rates(fresh) == decayed
    scheduler.step()
    again.step()
    assert rates(fresh) == rates(made)


def test_that_a_tensor_rate_is_filled_in_place() -> None:
    rate = torch.tensor(1e-2, dtype=torch.float64)
    optimizer = torch.optim.AdamW([torch.nn.Parameter(torch.ones(1))], lr=rate)
    scheduler = WSDScheduler(optimizer, 10, warmup_frac=0.5, stable_frac=0.5)
    optimizer.step()
    scheduler.step()
    assert optimizer.param_groups[0]["lr"] is rate
    assert float(rate) == pytest.approx(2e-3, rel=1e-12)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"warmup_frac": -0.1}, "warmup_frac is -0.1"),
        ({"stable_frac": 1.5}, "stable_frac is 1.5"),
        ({"min_lr_ratio": math.nan}, "min_lr_ratio is nan"),
        ({"warmup_frac": 0.5, "stable_frac": 0.6}, "warmup_frac and stable_frac are 1.1 together"),
        ({"decay": "exponential"}, "decay is 'exponential', it must be one of linear, cosine, sqrt"),
        ({"total_steps": 0}, "total_steps is 0"),
    ],
)
def test_that_a_wrong_setting_is_named(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        WSDScheduler(optimizers(), **{"total_steps": 100, **settings})


def test_that_a_state_of_other_groups_is_refused() -> None:
    made = optimizers()
    with pytest.raises(ValueError, match="of 3 groups, the optimizers have 1"):
        WSDScheduler(made[1], 10).load_state_dict(WSDScheduler(made, 10).state_dict())


def test_that_a_watched_wsd_is_planned_without_being_moved(line: Line, trainer: Trainer) -> None:
    made = optimizers()
    scheduler = WSDScheduler(made, 100_000)
    model = torch.nn.ParameterList(p for one in made for group in one.param_groups for p in group["params"])
    trainer.watch(model, *made, scheduler=scheduler)
    trainer.plan(step=100_000)
    assert trainer.wait_for_plan(20.0)
    line.settle()

    assert scheduler.last_epoch == 0
    assert rates(made) == [0.0] * 3
    curves = line.catalogues["plan"].body["curves"]
    for curve, base in zip(curves, BASES, strict=True):
        for step, value in zip(curve["steps"], curve["values"], strict=True):
            assert value == pytest.approx(base * scheduler.factor(step), rel=1e-9)


def test_that_a_run_resumed_from_a_checkpoint_goes_on_at_the_same_rates(trainer: Trainer) -> None:
    def parts() -> tuple[torch.nn.Module, list[torch.optim.Optimizer], WSDScheduler]:
        made = optimizers()
        weights = [p for one in made for group in one.param_groups for p in group["params"]]
        return torch.nn.ParameterList(weights), made, WSDScheduler(made, 30, warmup_frac=0.2, stable_frac=0.3)

    def run(made: list[torch.optim.Optimizer], scheduler: WSDScheduler, start: int, stop: int) -> list[Any]:
        used = []
        for step in range(start, stop):
            used.append(rates(made))
            for one in made:
                for group in one.param_groups:
                    group["params"][0].grad = torch.full((2, 2), 0.1 * step)
                one.step()
            trainer.step(step)
            scheduler.step()
        return used

    model, made, scheduler = parts()
    trainer.watch(model, *made, scheduler=scheduler)
    run(made, scheduler, 0, 20)
    saved = trainer.save_checkpoint(wait=True)
    whole = run(made, scheduler, 20, 30)
    weights = [weight.tolist() for weight in model.parameters()]

    model, made, scheduler = parts()
    trainer.watch(model, *made, scheduler=scheduler)
    assert saved is not None
    trainer.load_checkpoint(saved["checkpoint"])
    assert run(made, scheduler, 20, 30) == whole
    assert [weight.tolist() for weight in model.parameters()] == weights
