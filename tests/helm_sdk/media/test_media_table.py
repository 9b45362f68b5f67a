"""Tables come back cell by cell."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import helm_sdk
from helpers.media import content, kept, one

Start = Callable[..., helm_sdk.Run]


def test_that_rows_of_every_kind_are_kept(start: Start) -> None:
    run = start()
    run.table("dicts", [{"a": 1, "b": "x"}, {"b": None, "c": [1, {"d": 2}]}])
    run.table("lists", [[1, 2.5], (True,)], columns=["n", "v"])
    run.table("plain", [[1, 2], [3, 4]])
    run.table("chosen", [{"a": 1, "b": 2}], columns=["b", "z"])
    run.table("array", np.arange(6).reshape(3, 2))
    run.table("empty", [], columns=["a"])
    run.table("generator", ({"n": n} for n in range(3)))

    assert content(run, "dicts") == {
        "columns": ["a", "b", "c"],
        "rows": [[1, "x", None], [None, None, [1, {"d": 2}]]],
    }
    assert content(run, "lists") == {"columns": ["n", "v"], "rows": [[1, 2.5], [True, None]]}
    assert content(run, "plain")["columns"] == ["0", "1"]
    assert content(run, "chosen") == {"columns": ["b", "z"], "rows": [[2, None]]}
    assert content(run, "array")["rows"] == [[0, 1], [2, 3], [4, 5]]
    assert content(run, "empty") == {"columns": ["a"], "rows": []}
    assert content(run, "generator")["rows"] == [[0], [1], [2]]
    assert one(run, "dicts")[0]["shape"] == [2, 3]


def test_that_what_json_cannot_say_is_named(start: Start) -> None:
    class Odd:
        def __repr__(self) -> str:
            return "<odd>"

    day = datetime.date(2026, 11, 29)
    cells = [math.nan, math.inf, -math.inf, np.float32(0.5), np.int64(3), Odd(), 1 << 80, "\ud800", day]
    run = start()
    run.table("odd", [cells])
    assert content(run, "odd")["rows"] == [
        ["NaN", "Infinity", "-Infinity", 0.5, 3, "<odd>", str(1 << 80), "\\ud800", "2026-11-29"]
    ]


def test_that_a_row_changed_afterwards_does_not_show(start: Start) -> None:
    row: dict[str, Any] = {"a": [1]}
    run = start()
    run.table("copied", [row])
    row["a"].append(2)
    row["b"] = 3
    assert content(run, "copied") == {"columns": ["a"], "rows": [[[1]]]}


def test_that_a_large_table_is_cut_and_says_so(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    run = start()
    run.table("long", [[n, n] for n in range(150_000)])
    body, _ = one(run, "long")
    assert (body["shape"], body["rows"]) == ([100_000, 2], 150_000)
    assert "only the first 100,000 of 150,000 rows" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (3, "int"),
        ("text", "str"),
        ({"a": [1]}, "one mapping a row"),
        ([1, 2], "a row is a mapping or a list"),
        (np.zeros(3), "rows and columns"),
        ([[0] * 2001], "2,001 columns"),
        (None, "NoneType"),
    ],
)
def test_that_what_does_not_fit_is_told_once_and_left_out(
    start: Start, capsys: pytest.CaptureFixture[str], rows: Any, words: str
) -> None:
    run = start()
    for _ in range(3):
        run.table("odd", rows)
    assert kept(run) == []
    told = capsys.readouterr().err
    assert told.count("table 'odd' is left out") == 1
    assert words in told
