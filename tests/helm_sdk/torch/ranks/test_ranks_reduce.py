"""`tr.log_reduced`: one value out of each rank's, logged once, on rank 0."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from helm_sdk.record.run import RunFolder
from helm_sdk.torch._ranks.reduce import Reducer, reduced
from helpers.rank_loops import uneven
from helpers.ranks import Job


def test_that_values_are_reduced_and_logged_once_on_rank_0() -> None:
    with Job(2, uneven, order="init first") as job:
        (folder,) = job.wait("run", 0)
        job.wait("ended")
    readers = {reader.record.process: reader for reader in RunFolder(Path(folder)).readers()}
    found = {
        op: [(step, value) for step, value, _ in readers["rank-0"].points(f"{op}/x")]
        for op in ("mean", "sum", "max", "min")
    }

    for op, first in (("mean", 1.5), ("sum", 3.0), ("max", 2.0), ("min", 1.0)):
        steps, values = zip(*found[op], strict=True)
        assert steps == (0, 1, 2)
        assert values[0] == first
        assert math.isnan(values[1])
        assert values[2] == -math.inf
    names = {stream.name for reader in readers.values() for stream in reader.streams()}
    assert not {name for name in names if name.startswith("only/")}
    assert "sum/x" not in {stream.name for stream in readers["rank-1"].streams()}


def test_that_a_repeated_step_is_reduced_in_the_order_of_the_calls() -> None:
    logged: list[tuple[float, int | None]] = []
    reducer = Reducer(2, lambda values, step: logged.extend((value, step) for value in values.values()))
    reducer.add(0, [("sum", 3, {"x": 1.0}), ("sum", 3, {"x": 2.0})])
    reducer.add(1, [("sum", 3, {"x": 10.0})])
    reducer.add(1, [("sum", 3, {"x": 20.0})])

    assert logged == [(11.0, 3), (22.0, 3)]


@pytest.mark.parametrize(("op", "wanted"), [("mean", 2.0), ("sum", 6.0), ("max", 3.0), ("min", 1.0)])
def test_that_each_reduction_is_itself(op: str, wanted: float) -> None:
    assert reduced([1.0, 2.0, 3.0], op) == wanted
    assert math.isnan(reduced([1.0, math.nan], op))
