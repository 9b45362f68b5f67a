"""A compiled optimizer or training step: the same numbers as without Helm, and what is sent takes effect."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from helm_sdk.torch import Trainer
from helpers.steering import Line

STEPS = 12
CHANGE = 4
START = 0.01
pytestmark = pytest.mark.filterwarnings("ignore:::torch", "ignore:The .grad attribute")


@pytest.fixture(autouse=True)
def _fresh_compiler() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Loop:
    """A loop whose optimizer, or whose whole step, is compiled."""

    def __init__(
        self, compiled: str, schedule: str, *, tensor: bool, backend: str, fullgraph: bool = False
    ) -> None:
        torch.manual_seed(0)
        self.model = torch.nn.Linear(4, 3)
        rate: Any = torch.tensor(START) if tensor else START
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=rate)
        self.scheduler: Any = (
            lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=STEPS) if schedule == "cosine" else None
        )
        self.inputs = torch.randn(STEPS, 8, 4)
        self.losses: list[float] = []
        self.moved: list[float] = []
        compile_ = torch.compile(backend=backend, fullgraph=fullgraph)

        def update() -> None:
            self.optimizer.step()

        def update_and_schedule() -> None:
            self.optimizer.step()
            self.scheduler.step()

        forward: Any = compile_(self.model) if compiled == "model" else self.model
        self.forward = forward

        def whole(batch: torch.Tensor) -> torch.Tensor:
            loss = self.model(batch).square().mean()
            loss.backward()
            self.optimizer.step()
            return loss  # type: ignore[no-any-return]

        self.update: Any = compile_(update) if compiled == "optimizer" else update
        self.whole: Any = compile_(whole) if compiled == "step" else None
        if compiled == "with schedule":
            self.update = compile_(update_and_schedule)
        self.schedules = compiled != "with schedule" and self.scheduler is not None

    def run(self, start: int, stop: int, trainer: Trainer | None = None) -> None:
        for step in range(start, stop):
            self.optimizer.zero_grad()
            before = self.model.bias.detach().clone()
            if self.whole is not None:
                loss = self.whole(self.inputs[step])
            else:
                loss = self.forward(self.inputs[step]).square().mean()
                loss.backward()
                self.update()
            gradient = self.model.bias.grad
            assert gradient is not None
            self.moved.append(float((before - self.model.bias.detach()).sum() / gradient.sum()))
            self.losses.append(float(loss.detach()))
            if self.schedules:
                self.scheduler.step()
            if trainer is not None:
                trainer.step(step, loss=loss.detach())


def _schedule(schedule: str, step: int) -> float:
    """torch's documented closed form of CosineAnnealingLR with eta_min 0, or the rate itself."""
    return START * (1 + math.cos(math.pi * step / STEPS)) / 2 if schedule == "cosine" else START


# (what is compiled, schedule, the rate is a tensor, backend, fullgraph, on_nonfinite)
CASES = [
    ("optimizer", "none", False, "eager", False, "warn"),
    ("optimizer", "none", True, "eager", False, "warn"),
    ("optimizer", "cosine", False, "eager", False, "warn"),
    ("optimizer", "cosine", True, "eager", False, "warn"),
    ("step", "none", False, "eager", False, "warn"),
    ("step", "none", True, "eager", False, "warn"),
    ("step", "cosine", False, "eager", False, "warn"),
    ("step", "cosine", True, "eager", False, "skip"),
    ("model", "cosine", False, "eager", True, "warn"),  # fullgraph: torch refuses it for an optimizer's step
    ("with schedule", "cosine", True, "eager", False, "warn"),
    ("with schedule", "cosine", False, "eager", False, "skip"),
    ("optimizer", "cosine", True, "inductor", False, "warn"),
    ("optimizer", "none", False, "inductor", False, "skip"),
]


@pytest.mark.parametrize(("compiled", "schedule", "tensor", "backend", "fullgraph", "on_nonfinite"), CASES)
def test_that_a_compiled_step_trains_as_alone_and_follows_what_is_sent(
    compiled: str,
    schedule: str,
    tensor: bool,
    backend: str,
    fullgraph: bool,
    on_nonfinite: str,
    line: Line,
) -> None:
    options: dict[str, Any] = {"tensor": tensor, "backend": backend, "fullgraph": fullgraph}
    alone = Loop(compiled, schedule, **options)
    alone.run(0, STEPS)
    torch._dynamo.reset()

    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    unsteered = Loop(compiled, schedule, **options)
    trainer.watch(unsteered.model, unsteered.optimizer, scheduler=unsteered.scheduler)
    unsteered.run(0, STEPS, trainer)
    assert unsteered.losses == alone.losses, "bit for bit"
    torch._dynamo.reset()

    line.points.clear()
    loop = Loop(compiled, schedule, **options)
    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    trainer.watch(loop.model, loop.optimizer, scheduler=loop.scheduler)
    loop.run(0, CHANGE, trainer)
    command = line.send("lr", {"scale": 0.5})
    loop.run(CHANGE, STEPS, trainer)
    record = line.until(command, "confirmed")
    assert record.applied is not None
    expected = [_schedule(schedule, step) * (0.5 if step > CHANGE else 1.0) for step in range(STEPS)]
    assert loop.moved == pytest.approx(expected, rel=2e-3, abs=2e-7), "the weights moved by these rates"
    line.settle()
    recorded = dict(line.points["optim/lr/group0"])
    assert [recorded[step] for step in range(STEPS)] == pytest.approx(expected, rel=1e-6, abs=1e-12)
    trainer.release()
    assert float(loop.optimizer.param_groups[0]["lr"]) == pytest.approx(
        _schedule(schedule, STEPS), rel=1e-6, abs=1e-9
    )
