"""One rate for two optimizers: every group is named, moved and shown."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from helpers.steered import steered


@pytest.mark.skipif(not hasattr(torch.optim, "Muon"), reason="torch has no Muon before 2.9")
def test_that_a_rate_moves_muon_and_adamw_and_names_each_group(home: Path) -> None:
    """T10"""
    model = torch.nn.Linear(4, 4)
    muon = torch.optim.Muon([model.weight], lr=0.02)
    adamw = torch.optim.AdamW([model.bias], lr=3e-4)

    with steered() as (trainer, line):
        trainer.watch(model, muon, adamw)

        def go(start: int, stop: int) -> None:
            for step in range(start, stop):
                model(torch.ones(4)).square().sum().backward()
                muon.step()
                adamw.step()
                trainer.step(step, loss=1.0)

        go(0, 2)
        both = line.send("lr", {"lr": 0.01})
        go(2, 4)
        alone = line.send("lr", {"lr": 1e-3, "group": "adamw/group0"})
        go(4, 6)
        first, second = line.until(both, "confirmed"), line.until(alone, "confirmed")
        line.settle()
        (card,) = [
            entry["capability"]
            for entry in line.catalogues["capabilities"].body
            if entry["capability"]["name"] == "lr"
        ]

    assert first.result["before"] == {"muon/group0": 0.02, "adamw/group0": 3e-4}
    assert first.result["rates"] == {"muon/group0": 0.01, "adamw/group0": pytest.approx(1.5e-4, rel=1e-12)}
    assert second.result["rates"] == {"muon/group0": 0.01, "adamw/group0": 1e-3}
    (group,) = [field for field in card["input_schema"]["root"]["fields"] if field["name"] == "group"]
    assert group["type"]["values"] == ["muon/group0", "adamw/group0"]
    assert [value for _, value in line.points["optim/lr/muon/group0"]] == [0.02] * 3 + [0.01] * 3
    moved = [3e-4] * 3 + [1.5e-4] * 2 + [1e-3]
    assert [value for _, value in line.points["optim/lr/adamw/group0"]] == pytest.approx(moved, rel=1e-12)
