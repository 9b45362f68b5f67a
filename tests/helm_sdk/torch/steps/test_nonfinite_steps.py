"""Gradients and losses that are not finite: told, and where asked left out or waited at."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer
from helm_sdk.torch.schedule import WSDScheduler
from helpers.steering import Line

BAD = 3


def _trainer(line: Line, on_nonfinite: str) -> Iterator[Trainer]:
    line.settle()
    line.points.clear()
    line.events.clear()
    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    yield trainer
    trainer.release()


@pytest.fixture
def skipping(line: Line) -> Iterator[Trainer]:
    yield from _trainer(line, "skip")


@pytest.fixture
def pausing(line: Line) -> Iterator[Trainer]:
    yield from _trainer(line, "pause")


class Loop:
    """Two optimizers with schedules of their own, or one over both; one gradient is bad at step BAD."""

    def __init__(
        self, trainer: Trainer, *, clip: bool = False, wsd: bool = False, closure: bool = False
    ) -> None:
        torch.manual_seed(3)
        self.last = torch.nn.Linear(3, 1)
        self.model = torch.nn.Sequential(torch.nn.Linear(3, 3), self.last)
        self.first = torch.optim.SGD(self.model[0].parameters(), lr=0.1, momentum=0.9)
        self.second = torch.optim.AdamW(self.last.parameters(), lr=0.01, weight_decay=0.1)
        made = [self.first, self.second]
        self.schedulers: list[Any] = (
            [WSDScheduler(made, 20, warmup_frac=0.5, stable_frac=0.2)]
            if wsd
            else [torch.optim.lr_scheduler.StepLR(one, 1, 0.9) for one in made]
        )
        self.trainer, self.clip, self.closure = trainer, clip, closure
        self.weights: list[list[torch.Tensor]] = []
        trainer.watch(self.model, *made, scheduler=self.schedulers)

    def backward(self, bad: bool) -> float:
        self.first.zero_grad()
        self.second.zero_grad()
        loss = self.model(torch.ones(2, 3)).square().mean()
        loss.backward()
        if bad:
            assert self.last.bias.grad is not None
            self.last.bias.grad.fill_(math.nan)
        return float(loss.item())

    def run(self, start: int, stop: int) -> None:
        for step in range(start, stop):
            loss = 0.0
            if self.closure:
                self.first.step(lambda step=step: self.backward(step == BAD))
                self.second.step()
            else:
                loss = self.backward(step == BAD)
                if self.clip:
                    self.trainer.clip_grad_norm_(1.0)
                self.first.step()
                self.second.step()
            for scheduler in self.schedulers:
                scheduler.step()
            self.weights.append([weight.detach().clone() for weight in self.model.parameters()])
            self.trainer.step(step, loss=loss)


def same(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    "settings",
    [{}, {"clip": True}, {"wsd": True}, {"closure": True}],
    ids=["plain", "clip", "wsd", "closure"],
)
def test_that_a_skipped_step_moves_neither_optimizer_nor_schedule(
    settings: dict[str, bool], line: Line, skipping: Trainer
) -> None:
    loop = Loop(skipping, **settings)
    loop.run(0, 6)
    line.settle()

    assert not same(loop.weights[0], loop.weights[1])
    assert same(loop.weights[BAD], loop.weights[BAD - 1])
    assert not same(loop.weights[BAD + 1], loop.weights[BAD])
    assert all(weight.isfinite().all() for weight in loop.weights[-1])
    assert [scheduler.last_epoch for scheduler in loop.schedulers] == [5] * len(loop.schedulers)
    assert loop.second.state[loop.last.bias]["step"] == 5
    assert [step for step, _ in line.points["optim/lr/sgd/group0"]] == [0, 1, 2, 4, 5]
    (told,) = [event for event in line.events if event.body.get("what") == "skipped"]
    assert told.step == BAD
    assert told.body["message"] == (
        "the step was skipped: the gradients' norm is nan, the first that is not finite is of 1.bias"
    )


def test_that_only_one_norm_is_read_for_a_step_of_two_optimizers(
    skipping: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[float] = []
    item = torch.Tensor.item

    def noted(tensor: torch.Tensor) -> Any:
        read.append(float(item(tensor)))
        return item(tensor)

    loop = Loop(skipping)
    loop.backward(False)
    norm = float(torch.nn.utils.clip_grad_norm_(loop.model.parameters(), 1e9))
    monkeypatch.setattr(torch.Tensor, "item", noted)
    loop.first.step()
    loop.second.step()

    assert read.count(norm) == 1


def test_that_each_step_is_judged_by_its_own_gradients(skipping: Trainer) -> None:
    loop = Loop(skipping)
    for step in range(200):  # gradients come to lie where freed ones lay
        before = loop.last.bias.detach().clone()
        loop.backward(step % 2 == 1)
        loop.first.step()
        loop.second.step()
        assert torch.equal(loop.last.bias, before) == (step % 2 == 1)


def test_that_the_optimizers_own_step_is_back_after_the_run(skipping: Trainer) -> None:
    loop = Loop(skipping)
    skipping.release()
    plain = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
    torch.optim.lr_scheduler.StepLR(plain, 1)

    assert loop.first.step.__qualname__ == plain.step.__qualname__
    assert not hasattr(loop.first.__dict__["step"].__wrapped__, "_wrapped_by_lr_sched")  # the schedule's own


def resumed(line: Line, act: Callable[[], None], until: str) -> None:
    """Run `act` until the event comes, then send resume and wait for its end."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    line.wait(lambda: any(event.body.get("what") == until for event in line.events))
    command = line.send("resume", queued=False)
    line.until(command, "applied")
    thread.join(20)
    assert not thread.is_alive()


def test_that_bad_gradients_pause_the_loop_before_they_are_used(line: Line, pausing: Trainer) -> None:
    loop = Loop(pausing)
    resumed(line, lambda: loop.run(0, 6), "skipped")
    line.settle()

    assert same(loop.weights[BAD], loop.weights[BAD - 1])
    assert len(loop.weights) == 6
    spans = [event for event in line.events if event.kind == "span"]
    assert [(event.step, event.body["name"]) for event in spans] == [(BAD, "pause")]


def test_that_a_loss_that_is_not_finite_pauses_and_can_be_resumed(line: Line, pausing: Trainer) -> None:
    model = torch.nn.Linear(1, 1)
    pausing.watch(model, torch.optim.SGD(model.parameters(), lr=0.1), controls=["lr"])  # resume comes with it

    def loop() -> None:
        for step, loss in enumerate([1.0, math.inf, 2.0]):
            pausing.step(step, loss=loss)

    resumed(line, loop, "nonfinite")
    line.settle()

    assert [value for _, value in line.points["train/loss"]] == [1.0, math.inf, 2.0]


def test_that_a_scaler_with_two_schedules_stops_both_where_it_skips(line: Line, trainer: Trainer) -> None:
    model = torch.nn.Linear(2, 2)
    made = [torch.optim.SGD([model.weight], lr=0.1), torch.optim.SGD([model.bias], lr=0.1)]
    schedulers = [torch.optim.lr_scheduler.StepLR(one, 1, 0.9) for one in made]
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    trainer.watch(model, *made, scheduler=schedulers, scaler=scaler)
    for step in range(4):
        model.zero_grad()
        scaler.scale(model(torch.ones(2)).sum()).backward()
        if step == 2:
            for weight in model.parameters():
                weight.grad.fill_(math.inf)  # type: ignore[union-attr]
        for optimizer, scheduler in zip(made, schedulers, strict=True):
            scaler.step(optimizer)
            scheduler.step()
        scaler.update()
        trainer.step(step)

    assert [scheduler.last_epoch for scheduler in schedulers] == [3, 3]


def test_that_an_unknown_answer_to_nonfinite_values_is_one_clear_error(line: Line) -> None:
    with pytest.raises(ValueError, match='on_nonfinite is "warn", "skip" or "pause", not \'stop\''):
        Trainer(line.run, on_nonfinite="stop")
