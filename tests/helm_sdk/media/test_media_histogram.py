"""Histograms count as NumPy counts, with and without NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import helm_sdk
from helm_sdk._media.histogram import _plainly, _with_numpy
from helpers.media import content, kept, one

Start = Callable[..., helm_sdk.Run]
RNG = np.random.default_rng(7)


def test_that_values_of_any_kind_are_counted_as_numpy_counts_them(start: Start) -> None:
    values = RNG.normal(3, 2, (40, 50))
    run = start()
    run.histogram("numpy", values, bins=30)
    run.histogram("torch", torch.from_numpy(values), bins=30)
    run.histogram("list", values.tolist(), bins=30)
    run.histogram("whole", torch.arange(1000))
    run.histogram("bool", np.array([True, False, True]), bins=2)
    counts, edges = np.histogram(values, bins=30)
    for name in ("numpy", "torch", "list"):
        assert content(run, name) == {
            "counts": counts.tolist(),
            "edges": edges.tolist(),
            "nan": 0,
            "above": 0,
            "below": 0,
        }
        assert one(run, name)[0]["count"] == 2000
    assert content(run, "whole")["counts"] == np.histogram(np.arange(1000), bins=64)[0].tolist()
    assert content(run, "bool")["counts"] == [1, 2]


def test_that_what_is_not_finite_is_counted_apart(start: Start) -> None:
    run = start()
    run.histogram("odd", [1.0, 2.0, math.nan, math.nan, math.inf, -math.inf, 3.0], bins=2)
    run.histogram("nothing", [math.nan, math.inf])
    run.histogram("huge", [-1.7e308, 1.7e308, 0.0], bins=2)
    run.histogram("same", [2.0] * 5, bins=4)
    run.histogram("tiny", [5e-324, 0.0])
    found = content(run, "odd")
    assert (found["counts"], found["nan"], found["above"], found["below"]) == ([1, 2], 2, 1, 1)
    assert one(run, "odd")[0]["non_finite"] == 4
    assert (content(run, "nothing")["counts"], content(run, "nothing")["nan"]) == ([0], 1)
    assert (content(run, "huge")["counts"], content(run, "huge")["edges"]) == (
        [1, 2],
        [-1.7e308, 0.0, 1.7e308],
    )
    assert (content(run, "same")["edges"][0], content(run, "same")["edges"][-1]) == (1.5, 2.5)
    assert sum(content(run, "tiny")["counts"]) == 2


def test_that_ready_counts_and_edges_are_kept(start: Start) -> None:
    run = start()
    run.histogram("ready", np.histogram([1.0, 2.0, 2.0, 5.0], bins=3))
    run.histogram("density", ([0.25, 0.75], [0, 1, 2]))
    run.histogram("two values", (1.0, 2.0), bins=1)
    assert content(run, "ready")["counts"] == [3, 0, 1]
    assert content(run, "density") == {"counts": [0.25, 0.75], "edges": [0.0, 1.0, 2.0]}
    assert content(run, "two values")["counts"] == [2]


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(finite | st.floats(-5, 5) | st.integers(-9, 9).map(float), min_size=1, max_size=60),
    st.integers(1, 70),
)
def test_that_counting_without_numpy_is_the_same(values: list[float], bins: int) -> None:
    counts, edges = _plainly(values, bins)
    expected, expected_edges = _with_numpy(np, np.array(values), bins)
    assert sum(counts) == sum(expected) == len(values)
    assert len(edges) == len(counts) + 1
    if len(counts) == len(expected) > 1:
        reach = max(map(abs, expected_edges)) or 1.0
        assert all(abs(a / reach - b / reach) < 1e-9 for a, b in zip(edges, expected_edges, strict=True))


def test_that_numpys_own_edges_are_met_exactly_in_the_common_case() -> None:
    values = RNG.normal(0, 1, 1000)
    counts, edges = _plainly(values.tolist(), 64)
    expected, expected_edges = np.histogram(values, bins=64)
    assert counts == expected.tolist()
    assert np.allclose(edges, expected_edges, rtol=1e-12)


@pytest.mark.parametrize(
    ("values", "bins", "words"),
    [
        ([], 64, "no value in it"),
        ([1.0], 0, "bins is a whole number"),
        ([1.0], 2.5, "bins is a whole number"),
        ("abc", 64, "str"),
        (None, 64, "NoneType"),
        ([1j], 64, "complex"),
        (([1.0], [0.0]), 64, "1 counts and 1 edges"),
        (([-1.0], [0.0, 1.0]), 64, "0 or more"),
        (([1.0], [1.0, 0.0]), 64, "do not rise"),
        (([1.0], [0.0, math.inf]), 64, "not finite"),
    ],
)
def test_that_what_does_not_fit_is_told_once_and_left_out(
    start: Start, capsys: pytest.CaptureFixture[str], values: Any, bins: Any, words: str
) -> None:
    run = start()
    for _ in range(3):
        run.histogram("odd", values, bins=bins)
    assert kept(run) == []
    told = capsys.readouterr().err
    assert told.count("histogram 'odd' is left out") == 1
    assert words in told
