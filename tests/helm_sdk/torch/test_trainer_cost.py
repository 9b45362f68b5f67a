"""What a watched loop pays: nothing that waits for a device, few microseconds a step, and no changed loss."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from helm_sdk.torch import Trainer
from helm_sdk.torch.schedule import WSDScheduler
from helpers.steering import Line

STEPS = 24
WAITS = {"aten._local_scalar_dense.default", "aten.is_nonzero.default", "aten.equal.default"}


class Waits(TorchDispatchMode):
    """Counts what would make the host wait for a device: every read of a tensor's value."""

    count: int = 0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += str(func) in WAITS
        return func(*args, **(kwargs or {}))


class Loop:
    """A loop with dropout, two optimizers, a schedule and clipping; with or without a trainer."""

    def __init__(self, trainer: Trainer | None) -> None:
        torch.manual_seed(11)
        self.model = torch.nn.Sequential(
            torch.nn.Linear(6, 16), torch.nn.Dropout(0.2), torch.nn.GELU(), torch.nn.Linear(16, 1)
        )
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.AdamW(self.model[0].parameters(), lr=1e-2, foreach=True),
            torch.optim.SGD(self.model[3].parameters(), lr=1e-2, momentum=0.9),
        ]
        self.scheduler = WSDScheduler(self.optimizers, STEPS, warmup_frac=0.2, stable_frac=0.4)
        self.trainer = trainer
        self.losses: list[torch.Tensor] = []
        self.inside = 0  # reads of values in Helm's own calls

    @contextmanager
    def helm(self) -> Iterator[None]:
        with Waits() as waits:
            yield
        self.inside += waits.count

    def run(self) -> list[float]:
        trainer = self.trainer
        for step in range(STEPS):
            for optimizer in self.optimizers:
                optimizer.zero_grad()
            loss = self.model(torch.randn(8, 6)).square().mean()
            loss.backward()
            if trainer is None:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
            else:
                with self.helm():
                    trainer.clip_grad_norm_(0.5)
            for optimizer in self.optimizers:
                optimizer.step()
            self.scheduler.step()
            if trainer is not None:
                trainer.step(step, loss=loss, samples=8, tokens=48, metrics={"more": loss.detach() * 2})
            self.losses.append(loss.detach())
        return [loss.item() for loss in self.losses]


def test_that_losses_with_a_trainer_that_nobody_steers_are_the_same_bit_for_bit(trainer: Trainer) -> None:
    watched = Loop(trainer)
    trainer.watch(watched.model, *watched.optimizers, scheduler=watched.scheduler, eval_fn=dict)
    trainer.plan(step=STEPS)

    losses = watched.run()
    alone = Loop(None)  # seeds anew
    assert losses == alone.run()
    for one, other in zip(watched.model.parameters(), alone.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_that_a_checkpoint_and_an_evaluation_change_no_loss(line: Line, trainer: Trainer) -> None:
    watched = Loop(trainer)
    trainer.watch(
        watched.model, *watched.optimizers, scheduler=watched.scheduler, eval_fn=lambda: torch.rand(()).item()
    )
    commands = [line.send("eval"), line.send("checkpoint"), line.send("eval")]

    assert watched.run() == Loop(None).run()
    assert all(line.until(command, "applied").applied for command in commands)


def test_that_clipping_reads_no_value_of_the_device(trainer: Trainer) -> None:
    watched = Loop(trainer)
    trainer.watch(watched.model, *watched.optimizers, scheduler=watched.scheduler)
    watched.run()

    assert watched.inside == 0


@pytest.mark.parametrize(("on_nonfinite", "reads"), [("warn", 0), ("skip", 1), ("pause", 1)])
def test_that_skipping_reads_one_value_a_step_and_warning_none(
    on_nonfinite: str, reads: int, line: Line
) -> None:
    def reads_in_a_step(trainer: Trainer | None) -> int:
        loop = Loop(trainer)
        if trainer is not None:
            trainer.watch(loop.model, *loop.optimizers, scheduler=loop.scheduler)
        loop.model(torch.randn(8, 6)).square().mean().backward()
        with Waits() as waits:
            for optimizer in loop.optimizers:
                optimizer.step()
        count: int = waits.count
        return count

    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    assert reads_in_a_step(trainer) - reads_in_a_step(None) == reads
    trainer.release()


def test_that_a_step_reads_only_what_lies_on_the_host(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every tensor were on a device: what a step logs is handed on unread, each with its event."""
    handed: list[Any] = []

    def far(value: Any) -> Any:
        handed.append(value)
        return Far()

    class Far:
        """A value that has not come yet."""

        def ready(self) -> bool:
            return False

    monkeypatch.setattr("helm_sdk.torch.trainer.number", far)
    monkeypatch.setattr(trainer.run, "log", lambda *_, **__: None)
    watched = Loop(trainer)
    trainer.watch(watched.model, *watched.optimizers, scheduler=watched.scheduler)
    loss = watched.model(torch.randn(8, 6)).square().mean()
    loss.backward()
    for optimizer in watched.optimizers:
        optimizer.step()
    with Waits() as waits:
        trainer.step(0, loss=loss, metrics={"more": loss * 2})

    assert waits.count == 0
    assert handed == [loss]


def test_that_a_step_with_nothing_waiting_adds_microseconds(trainer: Trainer) -> None:
    watched = Loop(trainer)
    trainer.watch(watched.model, *watched.optimizers, scheduler=watched.scheduler)
    names = {f"stream{place}": 1.0 for place in range(6)}  # as many as a step of this loop logs

    def cpu(call: Any) -> float:
        """The least of five medians of a call's own processor time, in seconds."""
        medians = []
        for _ in range(5):
            took = []
            for step in range(300):
                began = time.thread_time_ns()
                call(step)
                took.append(time.thread_time_ns() - began)
            medians.append(statistics.median(took))
        return min(medians) * 1e-9

    logging = cpu(lambda step: trainer.run.log(names, step=step))
    whole = cpu(lambda step: trainer.step(step, loss=1.0, samples=8, metrics=names))
    # The aim is 20 µs on a quiet machine (`make bench` measures it); here only that it stays of that kind.
    print(f"{(whole - logging) * 1e6:.1f} µs a step besides what it logs")
    assert whole - logging < 100e-6
