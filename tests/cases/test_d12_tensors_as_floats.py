"""A loss that carries its graph is kept as a number; the graph and what it holds are let go."""

from __future__ import annotations

import gc
import struct
import weakref
from pathlib import Path
from typing import Any

import torch

from helm_sdk.record.run import RunFolder
from helpers.steered import steered

STEPS = 60


def alive() -> int:
    """Elements of all tensors in reach."""
    gc.collect()
    return sum(one.numel() for one in gc.get_objects() if issubclass(type(one), torch.Tensor))


def test_that_logged_tensors_are_floats_and_their_graphs_are_freed(home: Path) -> None:
    """D12"""
    weight = torch.nn.Parameter(torch.ones(1000))
    graphs: list[weakref.ref[Any]] = []
    expected: list[float] = []
    with steered() as (trainer, _):
        folder = trainer.run.folder
        before = alive()
        for step in range(STEPS):
            hidden = (weight * step).sin()
            loss = hidden.square().mean()
            graphs += [weakref.ref(loss), weakref.ref(hidden)]  # the graph keeps what it was made of
            expected.append(loss.item())
            trainer.run.log({"loss": loss}, step=step)
            trainer.log({"hidden/first": hidden[0]}, step=step)
            trainer.step(step, loss=loss, metrics={"half": loss * 0.5})
        del hidden, loss
        grown = alive() - before
        held = [graph for graph in graphs if graph() is not None]
    assert not held
    assert grown == 0

    assert folder is not None
    (reader,) = RunFolder(folder).readers()
    with reader:
        kept = {
            name: [value for _, value, _ in reader.points(name)] for name in ("loss", "train/loss", "half")
        }
        sizes = [len(group.values) for batch in reader.batches() for group in batch.groups]
    assert kept["loss"] == kept["train/loss"] == expected
    assert kept["half"] == [value * 0.5 for value in expected]
    assert sum(sizes) <= STEPS * 10 * struct.calcsize("d")  # eight bytes a value, a few values a step
