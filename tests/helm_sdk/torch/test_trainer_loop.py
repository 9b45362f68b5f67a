"""A loop with the trainer in it: what it logs, and that it changes nothing by itself."""

from __future__ import annotations

import gc
import math
import weakref
from typing import Any

import pytest
import torch

from helm_sdk._run.run import disabled_run
from helm_sdk.torch import Trainer
from helpers.steering import Line


def parts() -> tuple[torch.nn.Module, torch.optim.Optimizer, Any]:
    """A model with dropout, its optimizer and schedule, always the same."""
    torch.manual_seed(7)
    model = torch.nn.Sequential(
        torch.nn.Linear(4, 8), torch.nn.Dropout(0.3), torch.nn.ReLU(), torch.nn.Linear(8, 1)
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.1)
    return model, optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=30)


def train(trainer: Trainer | None, steps: int = 30) -> list[float]:
    model, optimizer, scheduler = parts()
    if trainer is not None:
        trainer.watch(model, optimizer, scheduler=scheduler)
        trainer.plan(step=steps)
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = model(torch.randn(16, 4)).square().mean()
        loss.backward()
        if trainer is None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.05)
        else:
            trainer.clip_grad_norm_(0.05)
        optimizer.step()
        scheduler.step()
        if trainer is not None:
            trainer.step(step, loss=loss, samples=16, tokens=64)
        losses.append(loss.item())
    return losses


def test_that_a_watched_loop_has_the_same_losses_bit_for_bit(trainer: Trainer) -> None:
    assert train(trainer) == train(None)


def test_that_the_core_streams_are_what_the_loop_did(line: Line, trainer: Trainer) -> None:
    losses = train(trainer)
    line.settle()

    points = line.points
    assert set(points) == {
        "optim/grad_norm",
        "optim/lr/group0",
        "optim/weight_decay/group0",
        "perf/samples_per_s",
        "perf/step_time_s",
        "perf/tokens_per_s",
        "tokens",
        "train/loss",
    }
    assert points["train/loss"] == list(enumerate(losses))
    assert [step for step, _ in points["perf/step_time_s"]] == list(range(1, 30))
    assert points["tokens"][-1] == (29, 64.0 * 30)
    for (_, seconds), (_, speed) in zip(
        points["perf/step_time_s"], points["perf/samples_per_s"], strict=True
    ):
        assert speed == pytest.approx(16 / seconds)


def test_that_a_loss_with_a_graph_is_kept_as_a_number_alone(trainer: Trainer) -> None:
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    loss = model(torch.randn(2, 4)).square().mean()
    graph = weakref.ref(loss)
    trainer.step(0, loss=loss)
    del loss
    gc.collect()

    assert graph() is None


def test_that_a_loss_that_is_nan_is_kept_and_told_once(line: Line, trainer: Trainer) -> None:
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    for step, loss in enumerate([1.0, math.nan, torch.tensor(math.nan), math.inf, 2.0, math.nan]):
        trainer.step(step, loss=loss)
    line.settle()

    values = [value for _, value in line.points["train/loss"]]
    assert [math.isfinite(value) for value in values] == [True, False, False, False, True, False]
    told = [event for event in line.events if event.kind == "warning"]
    assert [(event.step, event.body["what"], event.body["stream"]) for event in told] == [
        (1, "nonfinite", "train/loss"),
        (5, "nonfinite", "train/loss"),
    ]


def test_that_a_step_without_a_number_is_the_one_after_the_last(line: Line, trainer: Trainer) -> None:
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    trainer.step(loss=1.0)
    trainer.step(loss=1.0)
    trainer.step(10, loss=1.0)
    trainer.step(loss=1.0)
    trainer.step("soon", loss=1.0)  # type: ignore[arg-type]
    line.settle()

    assert [step for step, _ in line.points["train/loss"]] == [0, 1, 10, 11, 12]


def test_that_a_rate_is_logged_only_where_the_optimizer_stepped(line: Line, trainer: Trainer) -> None:
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    for step in range(6):
        model(torch.randn(2, 4)).sum().backward()
        if step % 2:
            optimizer.step()
        trainer.step(step)
    line.settle()

    assert [step for step, _ in line.points["optim/lr/group0"]] == [1, 3, 5]


def test_that_a_scaler_that_skips_stops_the_schedule_too(line: Line, trainer: Trainer) -> None:
    model, optimizer, scheduler = parts()
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    state = sorted(scheduler.state_dict())
    trainer.watch(model, optimizer, scheduler=scheduler, scaler=scaler)
    for step in range(5):
        optimizer.zero_grad()
        scaler.scale(model(torch.ones(2, 4)).square().mean()).backward()
        if step == 2:
            next(model.parameters()).grad.fill_(math.inf)  # type: ignore[union-attr]
        norm = trainer.clip_grad_norm_(1e9)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        trainer.step(step)
        assert math.isfinite(norm) == (step != 2)
    line.settle()

    assert scheduler.last_epoch == 4
    assert sorted(scheduler.state_dict()) == state
    assert [step for step, _ in line.points["optim/lr/group0"]] == [0, 1, 3, 4]
    skipped = [event for event in line.events if event.body.get("what") == "skipped"]
    assert [event.step for event in skipped] == [2]
    assert [value for _, value in line.points["loss_scale"]] == [1024.0, 1024.0, 512.0, 512.0, 512.0]


def test_that_the_norm_is_unscaled_and_before_clipping(line: Line, trainer: Trainer) -> None:
    plain, optimizer, _ = parts()
    plain.eval()
    plain(torch.ones(2, 4)).square().mean().backward()
    expected = torch.nn.utils.clip_grad_norm_(plain.parameters(), 1e-3)
    clipped = [parameter.grad for parameter in plain.parameters()]

    model, optimizer, _ = parts()
    model.eval()
    scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)
    trainer.watch(model, optimizer, scaler=scaler)
    scaler.scale(model(torch.ones(2, 4)).square().mean()).backward()
    scaler.unscale_(optimizer)  # by the loop itself: not done twice
    assert trainer.clip_grad_norm_(1e-3) == pytest.approx(float(expected))
    for parameter, wanted in zip(model.parameters(), clipped, strict=True):
        assert wanted is not None
        assert torch.allclose(parameter.grad, wanted)  # type: ignore[arg-type]


def test_that_clipping_gives_torchs_own_numbers(trainer: Trainer) -> None:
    results = []
    for helm in (False, True):
        model, optimizer, _ = parts()
        model(torch.randn(8, 4)).square().mean().backward()
        if helm:
            trainer.watch(model, optimizer)
            norm = trainer.clip_grad_norm_(1e-2)
        else:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1e-2)
        results.append((norm.item(), [parameter.grad.tolist() for parameter in model.parameters()]))  # type: ignore[union-attr]

    assert results[0] == results[1]


def test_that_a_norm_that_is_not_finite_never_makes_nan_of_gradients(trainer: Trainer) -> None:
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    model(torch.randn(8, 4)).square().mean().backward()
    first, *rest = [parameter.grad for parameter in model.parameters()]
    assert first is not None
    first[0, 0] = math.inf
    before = [gradient.clone() for gradient in rest if gradient is not None]

    assert trainer.clip_grad_norm_(1.0) == math.inf
    assert all(torch.equal(now, was) for now, was in zip(rest, before, strict=True) if now is not None)
    assert not first.isnan().any()


def test_that_the_tensors_of_the_model_are_published_with_what_is_tied(line: Line, trainer: Trainer) -> None:
    model = torch.nn.Sequential(
        torch.nn.Embedding(5, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 5, bias=False)
    )
    model[2].weight = model[0].weight
    trainer.watch(model, torch.optim.SGD(model.parameters(), lr=0.1))
    line.settle()

    found = {entry["path"]: entry for entry in line.catalogues["tensors"].body}
    assert found["0.weight"]["shape"] == [5, 3]
    assert found["0.weight"]["bytes"] == 60
    assert found["0.weight"]["module"] == "Embedding"
    assert found["2.weight"]["tied_to"] == "0.weight"
    assert found["1.running_mean"]["kind"] == "buffer"


def test_that_a_disabled_run_trains_on_and_hooks_nothing() -> None:
    trainer = Trainer(disabled_run())
    model, optimizer, scheduler = parts()
    trainer.watch(model, optimizer, scheduler=scheduler)
    trainer.plan(step=3)
    model(torch.randn(8, 4)).square().mean().backward()
    assert trainer.clip_grad_norm_(1e-3) > 0
    optimizer.step()
    trainer.step(loss=1.0)

    assert trainer.save_checkpoint() is None
    assert not optimizer._optimizer_step_pre_hooks
    trainer.finish()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"controls": ["lr", "learning_rate"]}, "unknown control 'learning_rate'"),
        ({"controls": ["rollback"]}, "unknown control 'rollback'"),
        ({"controls": ["weightdecay"]}, "did you mean 'weight_decay'"),
        ({"controls": "lr"}, "list of names"),
        ({"controls": ["eval"]}, "needs an eval_fn"),
    ],
)
def test_that_a_mistake_in_watch_is_one_clear_error(
    arguments: dict[str, Any], said: str, trainer: Trainer
) -> None:
    model, optimizer, _ = parts()
    with pytest.raises(ValueError, match=said):
        trainer.watch(model, optimizer, **arguments)
    assert not optimizer._optimizer_step_pre_hooks


def test_that_the_schedule_is_the_loops_own_again_when_the_run_is_over(line: Line, trainer: Trainer) -> None:
    model, optimizer, scheduler = parts()
    kind = type(scheduler)
    trainer.watch(model, optimizer, scheduler=scheduler, scaler=torch.amp.GradScaler("cpu"))
    assert isinstance(scheduler, kind)
    trainer.release()

    assert type(scheduler) is kind
    assert not optimizer._optimizer_step_pre_hooks
    assert not optimizer._optimizer_step_post_hooks


def test_that_watching_again_takes_the_place_of_what_was_watched(line: Line, trainer: Trainer) -> None:
    first, optimizer, _ = parts()
    trainer.watch(first, optimizer)
    second, other, _ = parts()
    trainer.watch(second, other, controls=["lr"])
    line.settle()

    assert not optimizer._optimizer_step_pre_hooks
    cards = {entry["capability"]["name"]: entry for entry in line.catalogues["capabilities"].body}
    assert "unavailable" not in cards["lr"]
    assert cards["dropout"]["unavailable"] == "the loop does not watch it any more"


def test_that_commands_are_looked_for_as_often_as_asked(line: Line) -> None:
    trainer = Trainer(line.run, control_every=3)
    model, optimizer, _ = parts()
    trainer.watch(model, optimizer)
    command = line.send("dropout", {"p": 0.5})
    for step in (5, 15, 25):
        assert next(m.p for m in model.modules() if isinstance(m, torch.nn.Dropout)) == 0.3
        trainer.step(step)
    record = line.until(command, "applied")
    trainer.release()

    assert record.step == 35  # the loop goes by tens


def test_that_a_plan_in_tokens_ends_where_the_tokens_will(line: Line, trainer: Trainer) -> None:
    model, optimizer, scheduler = parts()
    trainer.plan(tokens=2000)
    trainer.watch(model, optimizer, scheduler=scheduler)
    for step in range(3):
        model(torch.randn(2, 4)).sum().backward()
        optimizer.step()
        scheduler.step()
        trainer.step(step, tokens=100)
    assert trainer.wait_for_plan(10.0)
    line.settle()

    body = line.catalogues["plan"].body
    assert body["tokens"] == 2000
    assert "step" not in body
    assert body["curves"][0]["steps"][-1] == 19


def test_that_a_step_within_a_step_counts_once(line: Line, trainer: Trainer) -> None:
    class Outer(torch.optim.SGD):
        def step(self, closure: Any = None) -> Any:
            return super().step(closure)

    model = torch.nn.Linear(4, 1)
    optimizer = Outer(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    trainer.watch(model, optimizer, scheduler=scheduler)
    trainer.plan(step=8)
    for step in range(3):
        model(torch.ones(4)).sum().backward()
        optimizer.step()
        scheduler.step()
        trainer.step(step)
    assert trainer.wait_for_plan(10.0)
    line.settle()

    (curve,) = line.catalogues["plan"].body["curves"]
    assert curve["values"] == [0.5**step for step in curve["steps"]]
    assert [value for _, value in line.points["optim/lr/group0"]] == [1.0, 0.5, 0.25]


def test_that_schedulers_and_optimizers_in_a_wrapper_are_found(line: Line, trainer: Trainer) -> None:
    class Wrapper:
        def __init__(self, **held: Any) -> None:
            self.__dict__.update(held)

    model, optimizer, scheduler = parts()
    trainer.watch(model, Wrapper(optimizer=optimizer), scheduler=Wrapper(scheduler=scheduler))
    trainer.plan(step=30)
    assert trainer.wait_for_plan(10.0)
    line.settle()

    (curve,) = line.catalogues["plan"].body["curves"]
    assert curve["values"][0] == 3e-3
    assert curve["values"][-1] < 1e-4


def test_that_watch_takes_schedulers_among_the_optimizers(line: Line, trainer: Trainer) -> None:
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    trainer.watch(model, optimizer, scheduler)
    trainer.plan(step=3)
    for step in range(3):
        model(torch.ones(2)).sum().backward()
        optimizer.step()
        scheduler.step()
        trainer.step(step)
    assert trainer.wait_for_plan(20.0)
    line.settle()
    assert [value for _, value in line.points["optim/lr/group0"]] == [0.1, 0.05, 0.025]
    (curve,) = line.catalogues["plan"].body["curves"]
    assert curve["values"][0] == 0.1


def test_that_the_calls_of_a_run_can_be_made_on_its_trainer(line: Line, trainer: Trainer) -> None:
    beta = trainer.tunable("beta_of_trainer", 0.5, minimum=0, maximum=1)
    trainer.fact("fact of trainer", 3)
    with trainer.span("load"):
        pass
    assert beta.value == 0.5
    line.settle()
    assert line.catalogues["facts"].body["fact of trainer"] == 3
    assert line.run.trainer_port.controls.get("set_beta_of_trainer") is not None
