"""Infinities and NaN are what they were, on disk, in the shell and in the chart beside them."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

from pytestqt.qtbot import QtBot

from helm_sdk.record.run import RunFolder
from helpers.drawn import chart_of
from helpers.scripts import helmctl, start

LOGGED = [1.0, math.inf, 2.0, -math.inf, math.nan, -0.0, 3.0]
SCRIPT = """
import math, helm_sdk
with helm_sdk.init("infinities") as run:
    for step, value in enumerate([1.0, math.inf, 2.0, -math.inf, math.nan, -0.0, 3.0]):
        run.log({"odd": value, "plain": float(step % 4)}, step=step)
    print("folder", run.folder)
"""


def bits(values: list[float]) -> list[bytes]:
    """Each value's own bits, so that a NaN equals itself and −0.0 does not equal 0.0."""
    return [struct.pack("<d", value) for value in values]


def test_that_infinities_and_nan_come_back_bit_for_bit(qtbot: QtBot, home: Path) -> None:
    """D03"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0

    (reader,) = RunFolder(folder).readers()
    with reader:
        kept = [value for _, value, _ in reader.points("odd")]
    csv = helmctl("points", "latest", "odd", "--csv", home=home).stdout
    exported = [float(line.split(",")[1]) for line in csv.splitlines()[1:]]
    listed = json.loads(helmctl("points", "latest", "odd", "--json", home=home).stdout)

    assert bits(kept) == bits(LOGGED)
    assert bits(exported) == bits(LOGGED)
    assert [str(entry["value"]) for entry in listed] == [repr(value) for value in LOGGED]

    chart = chart_of(folder, "odd")
    qtbot.addWidget(chart)
    low, high = chart.ranges.y.shown
    assert -1.0 < low <= 0.0
    assert 3.0 <= high < 4.0
    assert chart.content.series[0].non_finite == 3
