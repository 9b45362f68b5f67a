"""The trainer's rich values, the wait for data, and which times are a step's."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import pytest
import torch

from helm_sdk.torch import Trainer
from helpers.steering import Line


def test_that_rich_values_are_kept_at_the_trainers_step(line: Line, trainer: Trainer) -> None:
    trainer.step(4, loss=1.0)
    trainer.text("sample", "once")
    trainer.image("picture", torch.rand(3, 2, 2), layout="chw")
    trainer.audio("sound", torch.zeros(8), sample_rate=8000)
    trainer.table("table", [{"a": 1}], step=9)
    trainer.histogram("grads", torch.randn(10))
    trainer.figure("figure", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    line.settle()
    kept = [(event.body["type"], event.step) for event in line.events if event.kind == "media"]
    assert kept == [("text", 4), ("image", 4), ("audio", 4), ("table", 9), ("histogram", 4), ("figure", 4)]


def test_that_a_parameter_is_kept_as_it_was_at_the_call(line: Line, trainer: Trainer) -> None:
    parameter = torch.nn.Parameter(torch.ones(4))
    trainer.histogram("weights", parameter, bins=1)
    with torch.no_grad():
        parameter.fill_(math.nan)
    line.settle()
    (event,) = [event for event in line.events if event.kind == "media"]
    assert (event.body["count"], "non_finite" in event.body) == (4, False)


class Slow:
    """A loader of three batches that takes its time, with an attribute of its own."""

    sampler = "mine"

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[int]:
        for batch in range(3):
            time.sleep(0.03)
            yield batch


def test_that_the_wait_for_each_batch_is_a_stream_and_their_sum_a_span(line: Line, trainer: Trainer) -> None:
    batches = trainer.batches(Slow())
    assert (len(batches), batches.sampler) == (3, "mine")
    for step, batch in enumerate(batches):
        assert batch == step
        trainer.step(step, loss=1.0)
    trainer.step(3, loss=1.0)
    trainer.release()
    line.settle()

    waits = line.points["perf/data_wait_s"]
    assert [step for step, _ in waits] == [0, 1, 2]
    assert all(seconds >= 0.03 for _, seconds in waits)
    (span,) = [event for event in line.events if event.kind == "span"]
    assert (span.body["name"], span.body["count"]) == ("data wait", 3)
    assert span.body["seconds"] == pytest.approx(sum(seconds for _, seconds in waits))
    assert abs(span.body["start"] + span.body["seconds"] - span.time) < 60
    times = dict(line.points["perf/step_time_s"])
    assert times[1] >= 0.03  # the wait is part of the step


def test_that_the_batches_of_one_step_add_up_and_a_loader_may_be_used_again(
    line: Line, trainer: Trainer
) -> None:
    batches = trainer.batches(Slow())
    for epoch in range(2):
        for _ in batches:
            pass
        trainer.step(epoch, loss=1.0)
    line.settle()
    assert [seconds >= 0.09 for _, seconds in line.points["perf/data_wait_s"]] == [True, True]


def test_that_what_a_loader_raises_comes_through(trainer: Trainer) -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("no such shard")

    seen = []
    with pytest.raises(OSError, match="no such shard"):
        seen += list(trainer.batches(broken()))
    with pytest.raises(TypeError):
        len(trainer.batches(broken()))
    with pytest.raises(AttributeError):
        _ = trainer.batches(Slow()).dataset


def test_that_an_evaluation_of_the_scripts_own_is_no_part_of_a_step(line: Line, trainer: Trainer) -> None:
    trainer.step(0, loss=1.0)
    with trainer.run.span("eval"), trainer.run.span("checkpoint"):
        time.sleep(0.2)
    trainer.step(1, loss=1.0)
    with trainer.run.span("mine"):
        time.sleep(0.1)
    trainer.step(2, loss=1.0)
    line.settle()
    times = dict(line.points["perf/step_time_s"])
    assert 0 <= times[1] < 0.15
    assert times[2] >= 0.1
    assert [event.body["name"] for event in line.events if event.kind == "span"] == [
        "checkpoint",
        "eval",
        "mine",
    ]


def test_that_an_evaluation_on_request_takes_nothing_from_the_next_step(line: Line, trainer: Trainer) -> None:
    def evaluate() -> dict[str, float]:
        time.sleep(0.3)
        return {"loss": 1.0}

    model = torch.nn.Linear(2, 1)
    trainer.watch(model, torch.optim.SGD(model.parameters(), lr=0.1), eval_fn=evaluate)
    command = line.send("eval", None)
    for step in range(50):
        trainer.step(step, loss=1.0)
        time.sleep(0.02)
    line.until(command, "applied")
    line.settle()
    assert all(0.01 < seconds < 0.3 for _, seconds in line.points["perf/step_time_s"])
    (span,) = [event for event in line.events if event.kind == "span"]
    assert span.body["name"] == "eval"
    assert span.body["seconds"] >= 0.3
