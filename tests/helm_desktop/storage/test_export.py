"""Exported files: every number as it was logged, whole or not there at all."""

from __future__ import annotations

import csv
import io
import struct
from pathlib import Path

import numpy as np
import pytest

from helm_desktop.model.series.row_snapshot import RowSnapshot
from helm_desktop.model.series.series_model import Series
from helm_desktop.storage.export import csv_rows, export_steps

ODD = [0.0, -0.0, 1e-4, 9.999999e-5, 1e16, 9999999999999998.0, -1e22, 5e-324, 1.7976931348623157e308]
ODD += [float("nan"), float("inf"), float("-inf"), 1e-5, 0.1, 1 / 3, 1e15, 123456789.0, -2.5e-7]


def every_kind() -> list[float]:
    """Numbers of all sizes, random bits, float32 values and the edges between the ways of writing them."""
    chance = np.random.default_rng(7)
    bits = chance.integers(0, 2**64, 5_000, dtype=np.uint64).view(np.float64)
    sizes = 10.0 ** chance.uniform(-8, 20, 5_000) * np.where(np.arange(5_000) % 2, 1, -1)
    singles = chance.standard_normal(2_000).astype(np.float32).astype(np.float64)
    whole = np.round(10.0 ** chance.uniform(0, 20, 2_000))
    return [*ODD, *bits.tolist(), *sizes.tolist(), *singles.tolist(), *whole.tolist()]


def bits_of(values: list[float]) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


def written(path: Path, *series: RowSnapshot) -> list[dict[str, str]]:
    """The rows of the file that is written of these."""
    shares = list(export_steps(path, series))
    assert shares == sorted(shares)
    assert shares[-1:] in ([], [1.0])
    return list(csv.DictReader(io.StringIO(path.read_text())))


def test_that_numbers_are_written_as_repr_writes_them() -> None:
    values = every_kind()
    steps = np.arange(len(values), dtype=np.int32) * 7 - 50_000
    times = 1.7e9 + np.arange(len(values)) / 3
    rows = csv_rows(b'"a, b",rank-0,1,', steps, times, np.array(values))
    expected = [
        f'"a, b",rank-0,1,{step},{when!r},{value!r}'
        for step, when, value in zip(steps.tolist(), times.tolist(), values, strict=True)
    ]
    assert rows.decode().splitlines() == expected


def test_that_every_row_is_there_bit_for_bit(tmp_path: Path) -> None:
    values = np.resize(np.array(every_kind()), 40_000)  # more than two chunks of a column
    values[np.isnan(values)] = np.nan  # text has one NaN only
    series = Series('quoted "loss", a')
    steps = np.arange(len(values)) + 2**31 - 20_000  # beyond 32 bits from the middle on
    series.append("rank-0", 1, steps[:25_000], steps[:25_000] / 3, values[:25_000])
    series.append("rank-0", 2, steps[25_000:], steps[25_000:] / 3, values[25_000:])
    series.append("rank-1", 1, np.array([5]), np.array([0.5]), np.array([1.5]))
    rows = written(
        tmp_path / "a.csv", *(RowSnapshot.of(series.name, one) for one in series.segments.values())
    )
    assert len(rows) == 40_001
    first = [row for row in rows if row["process"] == "rank-0"]
    assert bits_of([float(row["value"]) for row in first]) == bits_of(values.tolist())
    assert [int(row["step"]) for row in first] == steps.tolist()
    assert [float(row["time"]) for row in first] == (steps / 3).tolist()
    assert [row["attempt"] for row in first] == ["1"] * 25_000 + ["2"] * 15_000
    assert {row["series"] for row in rows} == {'quoted "loss", a'}
    assert rows[-1] | {"series": ""} == {
        "series": "",
        "process": "rank-1",
        "attempt": "1",
        "step": "5",
        "time": "0.5",
        "value": "1.5",
    }


def test_that_rows_that_come_meanwhile_are_left_out(tmp_path: Path) -> None:
    series = Series("loss")
    steps = np.arange(20_000)
    series.append("trainer", 1, steps, steps * 0.5, steps * 2.0)
    (segment,) = series.segments.values()
    before = RowSnapshot.of("loss", segment)
    export = export_steps(tmp_path / "a.csv", [before])
    next(export)
    series.append("trainer", 1, steps + 20_000, steps * 0.5, -steps * 1.0)
    series.append("trainer", 1, steps + 2**40, steps * 0.5, -steps * 1.0)
    assert RowSnapshot.of("loss", segment).count == 60_000
    list(export)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert [float(row["value"]) for row in rows] == (steps * 2.0).tolist()
    assert [int(row["step"]) for row in rows] == steps.tolist()


def test_that_a_series_without_points_is_a_header(tmp_path: Path) -> None:
    series = Series("loss")
    assert written(tmp_path / "a.csv", RowSnapshot.of("loss", series.segment("trainer", 1))) == []
    assert (tmp_path / "a.csv").read_text() == "series,process,attempt,step,time,value\n"


def test_that_an_export_that_is_cancelled_leaves_what_was_there(tmp_path: Path) -> None:
    series = Series("loss")
    steps = np.arange(30_000)
    series.append("trainer", 1, steps, steps * 0.5, steps * 2.0)
    path = tmp_path / "a.csv"
    path.write_text("before")
    export = export_steps(path, [RowSnapshot.of("loss", one) for one in series.segments.values()])
    assert 0.0 < next(export) < 1.0
    assert len(list(tmp_path.iterdir())) == 2
    export.close()  # type: ignore[attr-defined]
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]
    assert path.read_text() == "before"


def test_that_an_export_that_fails_leaves_no_half_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()  # a folder cannot be replaced by a file
    with pytest.raises(OSError, match=r"a\.csv"):
        list(export_steps(tmp_path / "a.csv", b"data"))
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]
    with pytest.raises(OSError, match="nowhere"):
        list(export_steps(tmp_path / "nowhere" / "a.svg", b"data"))
