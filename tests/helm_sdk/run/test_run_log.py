"""What a script logs arrives in its file, exactly."""

import math
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder

Start = Callable[..., helm_sdk.Run]


@contextmanager
def reader_of(run: helm_sdk.Run) -> Iterator[ProcessReader]:
    assert run.folder is not None
    readers = RunFolder(run.folder).readers()
    try:
        yield readers[-1]
    finally:
        for reader in readers:
            reader.close()


def points(run: helm_sdk.Run, name: str) -> list[tuple[int, float]]:
    with reader_of(run) as reader:
        return [(step, value) for step, value, _ in reader.points(name)]


def names(run: helm_sdk.Run) -> list[str]:
    with reader_of(run) as reader:
        return [stream.name for stream in reader.streams()]


def test_that_every_float_keeps_its_bits(start: Start) -> None:
    """D03"""
    odd = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308, 0.1]
    run = start()
    for step, value in enumerate(odd):
        run.log({"x": value}, step=step)
    run.finish()
    kept = points(run, "x")
    assert [step for step, _ in kept] == list(range(len(odd)))
    assert [struct.pack("<d", value) for _, value in kept] == [struct.pack("<d", value) for value in odd]


def test_that_steps_may_go_back_and_repeat_with_one_warning(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    """D05, D06"""
    run = start()
    for step in (1, 2, 4, 3, 5, 5, 2):
        run.log({"loss": float(step)}, step=step)
    run.finish()
    assert points(run, "loss") == [(step, float(step)) for step in (1, 2, 4, 3, 5, 5, 2)]
    assert capsys.readouterr().err.count("went back") == 1


def test_that_names_are_literal_text(start: Start) -> None:
    """D16, D17"""
    odd = ["train/loss", "a b/ c", "my.loss", "my_loss", "a: b", "ünïcode ✓", "{x}", "../up", "x" * 512]
    run = start()
    run.log({name: float(place) for place, name in enumerate(odd)}, step=0)
    run.finish()
    assert names(run) == odd
    assert [points(run, name) for name in odd] == [[(0, float(place))] for place in range(len(odd))]


def test_that_a_name_too_long_or_outside_unicode_is_shortened_not_lost(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    run.log({"y" * 600: 1.0, "bad \ud800": 2.0}, step=0)
    run.finish()
    assert names(run) == ["y" * 512, "bad \\ud800"]
    assert "shortened" in capsys.readouterr().err


def test_that_numbers_of_any_kind_are_read_at_the_call(start: Start) -> None:
    """D12"""
    import numpy
    import torch

    weight = torch.ones((), requires_grad=True)
    loss = weight * 2.5
    values: dict[str, Any] = {
        "int": 3,
        "bool": True,
        "f32": numpy.float32(0.5),
        "f64": numpy.float64(0.1),
        "array": numpy.array(4.0),
        "one": numpy.array([7]),
        "tensor": torch.tensor(1.5),
        "bf16": torch.tensor(2.0, dtype=torch.bfloat16),
        "grad": loss,
    }
    references = sys.getrefcount(loss)
    run = start()
    run.log(values, step=0)
    del values["grad"]
    assert sys.getrefcount(loss) == references - 1
    run.finish()
    expected = {"int": 3.0, "bool": 1.0, "f32": 0.5, "f64": 0.1, "array": 4.0, "one": 7.0}
    expected |= {"tensor": 1.5, "bf16": 2.0, "grad": 2.5}
    assert {name: points(run, name)[0][1] for name in names(run)} == expected


def test_that_what_is_no_number_warns_once_and_the_rest_is_kept(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    class Awkward:
        def item(self) -> float:
            raise RuntimeError("no")

    run = start()
    for step in range(3):
        odd: dict[str, Any] = {"text": "1.0", "none": None, "list": [1], "awkward": Awkward()}
        run.log({**odd, "huge": 10**400, "complex": 1j, "good": 1.0}, step=step)
    run.log(42)  # type: ignore[arg-type]
    run.finish()
    assert names(run) == ["good"]
    assert len(points(run, "good")) == 3
    told = capsys.readouterr().err
    named = ("text", "none", "list", "awkward", "huge", "complex")
    assert [told.count(repr(name)) for name in named] == [1] * 6


def test_that_a_name_that_is_no_text_is_taken_as_its_text(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    odd: dict[Any, float] = {5: 1.0, ("a", 1): 2.0}
    run = start()
    for step in range(2):
        run.log(odd, step=step)
        run.log({**odd, "int": 3}, step=step)
    run.finish()
    assert names(run) == ["5", "('a', 1)", "int"]
    assert len(points(run, "5")) == 4
    assert capsys.readouterr().err.count("A name is text, 5 is not") == 1


def test_that_without_a_step_the_runs_own_or_the_streams_count_is_taken(start: Start) -> None:
    run = start()
    for _ in range(3):
        run.log({"a": 0.0})
    run.log({"a": 0.0, "b": 0.0})
    run.log({"c": 0.0}, step=70)
    run.log({"a": 1.0})
    run.sync("after_step", step=71)
    run.log({"a": 2.0})
    run.finish()
    assert [step for step, _ in points(run, "a")] == [0, 1, 2, 3, 70, 71]
    assert points(run, "b") == [(0, 0.0)]


def test_that_an_odd_step_warns_once_and_the_point_is_kept(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy

    run = start()
    run.log({"a": 0.0}, step=numpy.int64(5))  # type: ignore[arg-type]
    for odd in (2.5, "7", 1 << 63, True):
        run.log({"a": 1.0}, step=odd)  # type: ignore[arg-type]
    run.log({"a": 2.0}, step=-(1 << 63))
    run.finish()
    assert [step for step, _ in points(run, "a")] == [5, 6, 7, 8, 9, -(1 << 63)]
    assert capsys.readouterr().err.count("A step is") == 1


def test_that_the_mapping_is_copied(start: Start) -> None:
    run = start()
    row = {"a": 1.0}
    run.log(row, step=0)
    row["a"] = 2.0
    run.finish()
    assert points(run, "a") == [(0, 1.0)]


def test_that_axes_are_streams_of_their_own_kind(start: Start) -> None:
    run = start()
    for step in range(3):
        run.log({"loss": 1.0}, step=step, tokens=step * 100, epoch=0.5)
    run.finish()
    with reader_of(run) as reader:
        assert {stream.name: stream.kind for stream in reader.streams()} == {
            "loss": "scalar",
            "tokens": "axis",
            "epoch": "axis",
        }
    assert points(run, "tokens") == [(0, 0.0), (1, 100.0), (2, 200.0)]


def test_that_a_streams_order_survives_rows_that_share_it(start: Start) -> None:
    run = start()
    for step in range(50):
        run.log({"a": float(step), "b": 0.0}, step=step)
        run.log({"a": step + 0.5}, step=step)
    run.finish()
    expected = [(step, step + half) for step in range(50) for half in (0.0, 0.5)]
    assert points(run, "a") == expected


def test_that_thousands_of_streams_and_long_bursts_are_cut_into_batches(start: Start) -> None:
    run = start()
    wide = {f"layer{index}/a name that takes some room": float(index) for index in range(5000)}
    run.log(wide, step=0)
    for step in range(20_000):
        run.log({"burst": float(step)}, step=step)
    run.finish()
    assert len(names(run)) == 5001
    assert points(run, "layer4999/a name that takes some room") == [(0, 4999.0)]
    assert points(run, "burst") == [(step, float(step)) for step in range(20_000)]


def test_that_log_after_finish_warns_once(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    run = start()
    run.log({"a": 1.0}, step=0)
    run.finish()
    run.finish()
    for step in range(3):
        run.log({"a": 2.0}, step=step)
    run.sync("after_step", step=4)
    assert points(run, "a") == [(0, 1.0)]
    assert capsys.readouterr().err.count("is finished") == 1


def test_that_flush_means_on_disk(start: Start) -> None:
    run = start()
    for step in range(500):
        run.log({"a": float(step)}, step=step)
    assert run.flush()
    assert len(points(run, "a")) == 500


def test_that_units_facts_summary_plan_and_spans_are_kept(start: Start) -> None:
    run = start()
    run.define("loss", unit="nats", better="lower")
    run.log({"loss": 1.0, "late": 2.0}, step=3)
    run.flush()
    run.define("late", unit="s")
    run.fact("parameters", 12)
    run.summary({"best": 0.5})
    run.plan(step=600)
    with run.span("eval"):
        pass
    run.finish()
    with reader_of(run) as reader:
        units = {stream.name: (stream.unit, stream.better) for stream in reader.streams()}
        catalogues = reader.catalogues()
        spans = [event.body["name"] for event in reader.events("span")]
    assert units == {"loss": ("nats", "lower"), "late": ("s", "")}
    assert catalogues["facts"].body == {"parameters": 12}
    assert catalogues["summary"].body == {"best": 0.5}
    assert catalogues["plan"].body["step"] == 600
    assert spans == ["eval"]


def test_that_a_disabled_run_does_nothing_and_takes_every_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HELM_RUN_MODE", "disabled")
    run = helm_sdk.init("tests", home=tmp_path / "home", config={"a": 1}, system_metrics=True)
    tuned = run.tunable("lr", 0.1)

    @run.command
    def shuffle(seed: int) -> int:
        return seed

    with run.span("eval"):
        run.log({"a": 1.0}, step=0, tokens=3)
    run.define("a")
    run.fact("b", 1)
    run.summary({"c": 1})
    run.plan(step=3)
    run.console()
    run.sync("after_step", step=1)
    assert run.flush()
    run.finish()
    assert (tuned.value, shuffle(3), run.run_id, run.folder) == (0.1, 3, "", None)
    assert not (tmp_path / "home").exists()
