"""A run with NaN and infinities is read and drawn: marks at their steps, beside everything else."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NoReturn

from pytestqt.qtbot import QtBot

import helm_sdk
from helpers.drawn import chart_of, window_of
from helpers.scripts import helmctl


def strictly(text: str) -> Any:
    """JSON as a browser reads it: NaN and Infinity are no words of it."""

    def refuse(word: str) -> NoReturn:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_that_values_that_are_not_finite_are_marked_and_hide_nothing(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    """T17"""
    odd = {10: math.nan, 20: math.inf, 21: -math.inf}
    with helm_sdk.init("odd", config={"limit": math.inf}) as run:
        for step in range(40):
            run.log({"loss": odd.get(step, 1.0 - step / 40), "plain": float(step)}, step=step)
        run.summary({"best": math.nan})
        folder = run.folder
    assert folder is not None

    chart = chart_of(folder, "loss")
    qtbot.addWidget(chart)
    drawn = chart.content.series[0].window(0, 39, 800)
    assert drawn.non_finite_x.tolist() == [10, 20, 21]
    assert len([y for y in drawn.y.tolist() if math.isfinite(y)]) == 37
    low, high = chart.ranges.y.shown
    assert -0.5 < low < high < 1.5

    for command in (("show", "latest"), ("points", "latest", "loss"), ("runs",)):
        done = helmctl(*command, "--json", home=home)
        assert done.returncode == 0, done.stderr
        strictly(done.stdout)
    said = window_of(folder, tmp_path, home=home)
    assert {chart["title"] for chart in said["charts"]} >= {"loss", "plain"}
