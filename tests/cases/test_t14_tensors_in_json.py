"""A tensor without dimensions is a number wherever it is given, and breaks nothing that is saved as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from helpers.scripts import points, shown
from helpers.steered import steered


def test_that_a_tensor_without_dimensions_never_breaks_what_is_saved(home: Path) -> None:
    """T14"""
    norm = torch.tensor(0.25, requires_grad=True)
    model = torch.nn.Linear(1, 1)
    with steered("json", config={"norm": norm, "nested": [torch.tensor(3)]}) as (trainer, line):
        trainer.watch(model, torch.optim.SGD(model.parameters(), lr=torch.tensor(0.5)))
        trainer.log({"grad_norm": norm, "count": torch.tensor(7)}, step=0)
        trainer.run.summary({"best": norm})
        trainer.run.fact("limit", norm)
        model(torch.ones(1)).backward()
        trainer.step(0, loss=norm, metrics={"again": norm * 2})
        saved = trainer.save_checkpoint("kept", wait=True)
        command = line.send("checkpoint", {"name": "asked"})
        trainer.step(1, loss=norm)
        line.until(command, "applied")
        folder = trainer.run.folder

    assert points("grad_norm", home=home) == [(0, 0.25)]
    assert points("count", home=home) == [(0, 7.0)]
    assert points("again", home=home) == [(0, 0.5)]
    assert saved is not None
    assert folder is not None
    for manifest in ("kept", "asked"):
        json.loads((folder / "checkpoints" / manifest / "manifest.json").read_text())
    record = json.loads((folder / "run.json").read_text())
    assert record["config"]["norm"] == 0.25
    assert shown(home=home)["config"] == {"norm": 0.25, "nested": [3]}
