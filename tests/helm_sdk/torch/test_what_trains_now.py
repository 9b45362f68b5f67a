"""Parameters, groups and modules are those that the loop has now, not those at `watch`."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer
from helpers.steering import Line


def norm(model: torch.nn.Module) -> float:
    """By hand: the root of the sum of all squares."""
    squares = [float(p.grad.double().square().sum()) for p in model.parameters() if p.grad is not None]
    return float(sum(squares) ** 0.5)


def labels(line: Line, control: str) -> list[str]:
    """What the form of a control offers as group."""
    declared = line.run.trainer_port.controls.get(control)
    assert declared is not None
    schema = repr(declared.capability.input_schema)
    return [label for label in ("group0", "group1", "group2") if f"'{label}'" in schema]


def test_that_a_group_that_is_added_is_in_the_forms_and_can_be_steered(line: Line, trainer: Trainer) -> None:
    body, head = torch.nn.Linear(4, 8), torch.nn.Linear(8, 1)
    model = torch.nn.Sequential(body, head)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1, weight_decay=0.01)
    trainer.watch(model, optimizer)
    trainer.plan(step=100)
    used: list[list[float]] = []

    def run(start: int, stop: int) -> None:
        for step in range(start, stop):
            optimizer.zero_grad()
            model(torch.ones(8, 4)).square().mean().backward()
            optimizer.step()
            used.append([group["lr"] for group in optimizer.param_groups])
            trainer.step(step)

    run(0, 3)
    scaled = line.send("lr", {"scale": 0.5})
    run(3, 5)
    line.until(scaled, "confirmed")
    optimizer.add_param_group({"params": list(body.parameters()), "lr": 0.01})
    run(5, 7)
    assert labels(line, "lr") == ["group0", "group1"]
    assert labels(line, "weight_decay") == ["group0", "group1"]
    rate = line.send("lr", {"lr": "0.005", "group": "group1"})
    run(7, 10)
    line.until(rate, "confirmed")
    assert used[6] == [0.05, 0.01], "the known group stays steered, the new one runs as it is"
    assert used[9] == [0.05, 0.005]
    assert trainer.wait_for_plan(20.0)
    line.settle()
    curves = {curve["stream"] for curve in line.catalogues["plan"].body["curves"]}
    assert {"optim/lr/group0", "optim/lr/group1"} <= curves
    assert [value for step, value in line.points["optim/lr/group1"] if step == 9] == [0.005]


def test_that_a_layer_that_is_added_is_clipped_and_listed(line: Line, trainer: Trainer) -> None:
    torch.manual_seed(0)
    model = torch.nn.ModuleDict({"a": torch.nn.Linear(4, 4)})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    trainer.watch(model, optimizer)
    for step in range(4):
        if step == 2:
            model["b"] = torch.nn.Linear(4, 4)
            optimizer.add_param_group({"params": list(model["b"].parameters())})
        y = model["a"](torch.ones(8, 4) * 100)
        optimizer.zero_grad()
        (model["b"](y) if "b" in model else y).square().mean().backward()
        before = norm(model)
        measured = float(trainer.clip_grad_norm_(1.0))
        assert measured == pytest.approx(before, rel=1e-5)
        assert norm(model) == pytest.approx(1.0, rel=1e-4)
        optimizer.step()
        trainer.step(step)
    line.settle()
    assert "b.weight" in repr(line.catalogues["tensors"].body)


def test_that_a_layer_that_takes_the_place_of_another_is_seen(line: Line) -> None:
    trainer = Trainer(line.run, on_nonfinite="skip")
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.1), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    trainer.watch(model, optimizer)
    model[1] = replaced = torch.nn.Dropout(0.3)
    model[2] = last = torch.nn.Linear(4, 1)
    optimizer.add_param_group({"params": list(last.parameters())})
    weight = last.weight.detach().clone()
    model(torch.full((2, 4), torch.inf)).sum().backward()
    optimizer.step()
    assert torch.equal(last.weight, weight), "the step of a gradient that is not finite is left out"
    trainer.step(0)
    command = line.send("dropout", {"p": "0.5"})
    trainer.step(1)
    line.until(command, "applied", "confirmed")
    assert replaced.p == 0.5
    trainer.release()


@pytest.mark.parametrize("on_nonfinite", ["warn", "skip", "pause"])
@pytest.mark.parametrize("clip", [None, 0.5])
def test_that_sparse_gradients_train_as_in_the_plain_loop(
    on_nonfinite: str, clip: float | None, line: Line
) -> None:
    def train(trainer: Trainer | None) -> list[torch.Tensor]:
        torch.manual_seed(1)
        table, head = torch.nn.Embedding(50, 8, sparse=True), torch.nn.Linear(8, 1)
        model = torch.nn.ModuleList([table, head])
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        if trainer is not None:
            trainer.watch(model, optimizer)
        for step in range(5):
            loss = (head(table(torch.randint(0, 50, (16,)))) - 1).square().mean()
            optimizer.zero_grad()
            loss.backward()
            if clip is not None and trainer is not None:
                dense = [p.grad.to_dense() for p in model.parameters() if p.grad is not None]
                expected = float(torch.stack([one.norm() for one in dense]).norm())
                assert float(trainer.clip_grad_norm_(clip)) == pytest.approx(expected, rel=1e-6)
            optimizer.step()
            if trainer is not None:
                trainer.step(step, loss=loss.detach())
        return [parameter.detach() for parameter in model.parameters()]

    trainer = Trainer(line.run, on_nonfinite=on_nonfinite)
    trained, alone = train(trainer), train(None)
    if clip is None:
        assert all(torch.equal(one, other) for one, other in zip(trained, alone, strict=True))
    trainer.release()


def _skips(line: Line) -> list[Any]:
    line.settle()
    return [event.step for event in line.events if event.body.get("what") == "skipped"]


def test_that_micro_batches_are_no_skipped_steps_and_a_real_one_is(line: Line, trainer: Trainer) -> None:
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    trainer.watch(model, optimizer, scaler=scaler)
    for step in range(16):
        loss = model(torch.ones(8, 4)).square().mean() / 4
        if step == 9:
            loss = loss * torch.inf
        scaler.scale(loss).backward()
        if step % 4 == 3:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        trainer.step(step, loss=loss.detach())
    assert _skips(line) == [11]
