"""Every control of the trainer over real sockets: declared, refused, applied, seen."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer
from helpers.steering import Line


class Loop:
    """A small loop that can be gone on with by hand."""

    def __init__(self, trainer: Trainer, clip: bool = True, **more: Any) -> None:
        torch.manual_seed(3)
        self.trainer = trainer
        self.clip = clip
        self.model = torch.nn.Sequential(
            torch.nn.Linear(4, 4), torch.nn.Dropout(0.1), torch.nn.Linear(4, 1), torch.nn.Dropout(0.2)
        )
        groups: list[dict[str, Any]] = [
            {"params": [self.model[0].weight, self.model[2].weight], "weight_decay": 0.1},
            {"params": [self.model[0].bias, self.model[2].bias], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=1e-3)
        trainer.watch(self.model, self.optimizer, **more)
        self.step = 0

    def go(self, steps: int) -> None:
        for _ in range(steps):
            self.optimizer.zero_grad()
            loss = self.model(torch.ones(2, 4)).square().mean()
            loss.backward()
            if self.clip:
                self.trainer.clip_grad_norm_()
            self.optimizer.step()
            self.trainer.step(self.step, loss=loss)
            self.step += 1


def dropouts(loop: Loop) -> list[float]:
    return [module.p for module in loop.model if isinstance(module, torch.nn.Dropout)]


def cards(line: Line) -> dict[str, dict[str, Any]]:
    line.settle()
    return {entry["capability"]["name"]: entry for entry in line.catalogues["capabilities"].body}


def test_that_without_names_every_control_that_exists_is_declared(line: Line, trainer: Trainer) -> None:
    Loop(trainer)
    declared = cards(line)

    assert {"lr", "weight_decay", "grad_clip", "checkpoint", "pause", "resume", "dropout"} <= set(declared)
    assert not {"rollback", "capture", "stop"} & set(declared)
    for name, word in (("checkpoint", "Save now"), ("pause", "Pause"), ("resume", "Resume")):
        assert declared[name]["capability"]["button"] == word
    assert all(entry["capability"]["help"] for entry in declared.values())
    assert declared["lr"]["capability"]["starting"] == {"lr": 1e-3}
    assert declared["lr"]["capability"]["reads"] == "optim/lr/group0"


@pytest.mark.parametrize(
    ("control", "value", "said"),
    [
        ("lr", {"lr": 0}, "lr is 0"),
        ("lr", {"lr": float("nan")}, "lr is nan"),
        ("lr", {"lr": True}, "lr is true"),
        ("lr", {"lr": 1e-3, "scale": 2}, "lr and scale"),
        ("lr", {"lr": 1e-3, "mode": "cosine"}, "mode"),
        ("lr", {"plan": {"points": []}}, "plan.points"),
        ("lr", {"scale": -1}, "scale is -1"),
        ("lr", {}, "lr"),
        ("weight_decay", {"value": -0.5}, "value is -0.5"),
        ("grad_clip", {"max_norm": 0}, "max_norm is 0"),
        ("dropout", {"p": 1}, "p is 1"),
        ("dropout", {"p": 0.5, "speed": 1}, "speed"),
    ],
)
def test_that_what_is_out_of_bounds_is_refused_in_one_sentence(
    control: str, value: Any, said: str, line: Line, trainer: Trainer
) -> None:
    loop = Loop(trainer)
    loop.go(1)
    command = line.send(control, value)
    loop.go(1)

    record = line.record(command)
    assert record.state == "rejected"
    assert said in record.message
    assert loop.optimizer.param_groups[0]["lr"] == 1e-3


def test_that_weight_decay_leaves_groups_without_any_alone(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(2)
    command = line.send("weight_decay", {"value": 0.25})
    loop.go(2)
    record = line.until(command, "confirmed")
    line.settle()

    assert record.applied is not None
    assert record.applied.step == 3
    assert record.confirmed is not None
    assert record.confirmed.body.ran_at == 0.25
    assert (record.applied.body.old, record.value) == ({"value": 0.1}, {"value": 0.25})
    assert [v for _, v in line.points["optim/weight_decay/group0"]] == [0.1, 0.1, 0.1, 0.25]
    assert [v for _, v in line.points["optim/weight_decay/group1"]] == [0.0] * 4

    named = line.send("weight_decay", {"value": 0.5, "group": "group1"})
    loop.go(2)
    line.until(named, "confirmed")
    assert [group["weight_decay"] for group in loop.optimizer.param_groups] == [0.25, 0.5]


def test_that_grad_clip_waits_for_a_loop_that_clips(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer, clip=False)
    loop.go(1)
    assert "clip_grad_norm_" in cards(line)["grad_clip"]["unavailable"]
    refused = line.record(line.send("grad_clip", {"max_norm": 1}))
    assert refused.state == "rejected"

    trainer.clip_grad_norm_(2.5)
    card = cards(line)["grad_clip"]
    assert not card.get("unavailable")
    assert card["capability"]["starting"] == {"max_norm": 2.5}


def test_that_grad_clip_goes_before_the_loops_own_limit(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(2)
    command = line.send("grad_clip", {"max_norm": "0.001"})
    loop.go(1)
    loop.optimizer.zero_grad()
    loop.model(torch.ones(2, 4)).square().mean().backward()
    norm = trainer.clip_grad_norm_(100.0)
    gradients = [p.grad for p in loop.model.parameters() if p.grad is not None]
    assert norm > 0.001
    assert float(torch.nn.utils.get_total_norm(gradients)) == pytest.approx(0.001, rel=1e-3)
    loop.go(1)
    record = line.until(command, "confirmed")
    assert record.confirmed is not None
    assert record.confirmed.body.ran_at == 0.001

    free = line.send("grad_clip", {"max_norm": None})
    loop.go(2)
    assert line.until(free, "confirmed").value == {"max_norm": None}


def test_that_dropout_is_set_on_every_module_or_on_the_named_ones(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(1)
    every = line.send("dropout", {"p": 0.5})
    loop.go(2)
    assert line.until(every, "confirmed").value == {"p": 0.5}
    assert dropouts(loop) == [0.5, 0.5]

    one = line.send("dropout", {"p": 0.0, "modules": ["3"]})
    loop.go(2)
    line.until(one, "confirmed")
    assert dropouts(loop) == [0.5, 0.0]


def test_that_eval_runs_in_evaluation_mode_and_leaves_the_training_alone(
    line: Line, trainer: Trainer
) -> None:
    modes: list[bool] = []

    def evaluate() -> dict[str, Any]:
        modes.append(loop.model.training)
        return {"loss": torch.randn(()).abs() * 0 + 0.5, "n": 3}

    loop = Loop(trainer, eval_fn=evaluate)
    loop.model[1].eval()  # frozen by the loop: stays so
    loop.go(1)
    command = line.send("eval")
    before = torch.get_rng_state()
    trainer.step(1)
    assert torch.equal(torch.get_rng_state(), before)
    record = line.until(command, "applied")
    line.settle()

    assert record.result == {"loss": 0.5, "n": 3.0}
    assert modes == [False]
    assert [module.training for module in loop.model] == [True, False, True, True]
    assert line.points["eval/loss"] == [(1, 0.5)]
    spans = [event.body["name"] for event in line.events if event.kind == "span"]
    assert spans == ["eval"]


def test_that_an_eval_that_fails_gives_the_mode_back_and_training_goes_on(
    line: Line, trainer: Trainer
) -> None:
    def evaluate() -> dict[str, float]:
        raise RuntimeError("no data")

    loop = Loop(trainer, eval_fn=evaluate)
    loop.go(1)
    command = line.send("eval")
    loop.go(2)

    record = line.until(command, "failed")
    assert "no data" in record.message
    assert loop.model.training


def test_that_a_paused_loop_holds_in_step_and_serves_its_controls(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(1)
    pause = line.send("pause")
    thread = threading.Thread(target=loop.go, args=(1,))
    thread.start()
    try:
        line.until(pause, "applied")
        rate = line.send("lr", {"scale": 0.5}, queued=False)
        assert line.until(rate, "applied").state == "applied"
        assert thread.is_alive()
    finally:
        resume = line.send("resume", queued=False)
        thread.join(20)
    line.until(resume, "applied")
    loop.go(1)
    line.until(rate, "confirmed")
    line.settle()

    assert not thread.is_alive()
    spans = [event.body["name"] for event in line.events if event.kind == "span"]
    assert spans == ["pause"]


def test_that_stop_is_there_when_named_and_asks_the_loop(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer, controls=["stop"])
    loop.go(1)
    assert not trainer.should_stop
    command = line.send("stop")
    loop.go(1)

    line.until(command, "applied")
    assert trainer.should_stop


def test_that_named_controls_that_a_loop_cannot_serve_say_why(line: Line, trainer: Trainer) -> None:
    trainer.watch(torch.nn.Linear(2, 2), controls=["lr", "weight_decay", "grad_clip", "dropout"])
    trainer.step(0, loss=1.0)
    found = {name: card.get("unavailable") for name, card in cards(line).items()}
    assert found["lr"] == "no optimizer is watched"
    assert found["weight_decay"] == "the optimizer has no weight_decay"
    assert found["grad_clip"] == "the loop has not called clip_grad_norm_ yet"
    assert found["dropout"] == "the model has no Dropout module"


def test_that_an_optimizer_that_makes_its_own_rate_is_left_to_it(line: Line, trainer: Trainer) -> None:
    class OwnRate(torch.optim.Optimizer):
        def step(self, closure: Any = None) -> Any:
            with torch.no_grad():
                for weight in self.param_groups[0]["params"]:
                    weight -= 0.1 * weight.grad

    model = torch.nn.Linear(2, 2)
    optimizer = OwnRate(model.parameters(), {"lr": None})
    trainer.watch(model, optimizer)
    trainer.plan(step=4)
    for step in range(3):
        model(torch.ones(2)).sum().backward()
        optimizer.step()
        trainer.step(step, loss=1.0)
    assert cards(line)["lr"]["unavailable"] == "group0 has no rate of its own to set"
    assert len(line.points["train/loss"]) == 3
    assert "optim/lr/group0" not in line.points
