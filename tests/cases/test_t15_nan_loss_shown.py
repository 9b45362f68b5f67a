"""One loss that is NaN stays NaN: in the points, the count, the events and the chart."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from pytestqt.qtbot import QtBot

from helpers.drawn import chart_of
from helpers.scripts import helmctl, points, shown
from helpers.steered import steered


def test_that_one_nan_loss_is_kept_counted_and_told(qtbot: QtBot, home: Path) -> None:
    """T15"""
    losses = [1.0, 0.75, math.nan, 0.5, 0.25]
    model = torch.nn.Linear(1, 1)
    with steered("nan") as (trainer, line):
        trainer.watch(model, torch.optim.SGD(model.parameters(), lr=0.1))
        for step, loss in enumerate(losses):
            trainer.step(step, loss=torch.tensor(loss))
        line.settle()
        folder = trainer.run.folder
    told = [event for event in line.events if event.kind == "warning"]

    kept = points("train/loss", home=home)
    assert [step for step, _ in kept] == [0, 1, 2, 3, 4]
    assert math.isnan(kept[2][1])
    assert [value for _, value in kept if math.isfinite(value)] == [1.0, 0.75, 0.5, 0.25]
    assert [(event.step, event.body["what"]) for event in told] == [(2, "nonfinite")]
    (stream,) = [one for one in shown(home=home)["streams"] if one["name"] == "train/loss"]
    assert stream["non_finite"] == 1
    assert ",nan," in helmctl("points", "latest", "train/loss", "--csv", home=home).stdout

    assert folder is not None
    chart = chart_of(folder, "train/loss")
    qtbot.addWidget(chart)
    series = chart.content.series[0]
    drawn = series.window(0, 4, 400)
    assert series.non_finite == drawn.non_finite == 1
    assert drawn.non_finite_x.tolist() == [2]
    assert 0.5 in drawn.y.tolist()
