"""Checkpoints of before each control had a state of its own are still read."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer
from helm_sdk.torch._controls.older_states import state_of

OLDER: dict[str, dict[str, Any]] = {
    "lr": {"revision": 2, "value": {"lr": 5e-3}, "courses": {"group0": {"target": 5e-3, "base": 1e-2}}},
    "grad_clip": {"revision": 1, "value": {"max_norm": 0.5}, "set": True, "max_norm": 0.5},
    "dropout": {"revision": 1, "value": {"p": 0.3}, "modules": {"1": 0.3}},
}


def test_that_each_older_entry_restores_what_it_kept(trainer: Trainer) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.1), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    trainer.watch(model, optimizer, controls=list(OLDER))
    assert trainer.watched is not None
    for name, kept in OLDER.items():
        trainer.watched.controls[name].restore(state_of(name, kept))
    loss = model(torch.ones(2, 4)).square().mean()
    loss.backward()
    trainer.clip_grad_norm_(7.0)
    optimizer.step()
    assert trainer.watched.rates.used == [5e-3]
    assert trainer.watched.clipping.limit == 0.5, "what was set goes before the limit of the loop's call"
    assert [one.p for one in model.modules() if isinstance(one, torch.nn.Dropout)] == [0.3]


@pytest.mark.parametrize(
    ("name", "kept", "state"),
    [
        (
            "lr",
            {"state": {"overrides": {}, "pending": []}, "courses": {"group0": {}}},
            {"overrides": {}, "pending": []},
        ),
        ("grad_clip", {"revision": 0}, None),
        ("pause", {"revision": 3, "value": None}, None),
    ],
)
def test_that_a_state_goes_before_older_fields_and_nothing_is_made_up(
    name: str, kept: dict[str, Any], state: Any
) -> None:
    assert state_of(name, kept) == state
