"""Whole numbers of any type are steps; other values are told of and never put several points on one step."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import helm_sdk
from helm_sdk._recorder.buffer import whole_number
from helm_sdk.record.run import RunFolder

Start = Callable[..., helm_sdk.Run]
KINDS: dict[str, Callable[[int], Any]] = {
    "int": int,
    "float": float,
    "np.int32": np.int32,
    "np.float64": np.float64,
    "np.float32": np.float32,
    "np.float16": np.float16,
    "tensor": lambda step: torch.tensor(float(step)),
    "integer tensor": torch.tensor,
    "Decimal": decimal.Decimal,
}


def steps(run: helm_sdk.Run, name: str = "loss") -> list[tuple[int, float]]:
    run.finish()
    assert run.folder is not None
    (reader,) = RunFolder(run.folder).readers()
    with reader:
        return [(step, value) for step, value, _ in reader.points(name)]


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_whole_number_of_this_type_is_a_step(
    kind: str, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    for step in (0, 100, 200, 300):
        run.log({"loss": 1.0}, step=KINDS[kind](step))
    assert [step for step, _ in steps(run)] == [0, 100, 200, 300]
    assert "whole number" not in capsys.readouterr().err


def test_that_other_values_count_on_and_the_message_says_where(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    run.log({"loss": 0.0}, step=4)
    for quarter in range(1, 4):
        step: Any = 4 + quarter / 4
        run.log({"loss": float(quarter)}, step=step)
        run.log({"other": float(quarter)}, step=step)
    assert steps(run) == [(4, 0.0), (5, 1.0), (6, 2.0), (7, 3.0)]
    assert "4.25 is not: its points are recorded at step 5" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["3", b"3", True, 0.5, math.nan, math.inf, 2**63, None, 1j, [1], object()])
def test_that_what_is_no_whole_number_of_64_bits_is_none(value: Any) -> None:
    assert whole_number(value) is None


def test_that_a_masked_mean_is_no_zero_and_long_doubles_are_numbers(start: Start) -> None:
    run = start()
    masked = np.ma.mean(np.ma.array([1.0, 2.0], mask=[True, True]))
    run.log({"masked": masked, "long": np.longdouble("0.5")}, step=5)
    run.finish()
    assert run.folder is not None
    (reader,) = RunFolder(run.folder).readers()
    with reader:
        assert [math.isnan(value) for _, value, _ in reader.points("masked")] == [True]
        assert [value for _, value, _ in reader.points("long")] == [0.5]
