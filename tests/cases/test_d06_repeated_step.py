"""A step that is logged twice keeps both values; the last is drawn and the repeats are counted."""

from __future__ import annotations

from pathlib import Path

from helpers.drawn import store_of
from helpers.scripts import points, shown, start

SCRIPT = """
import helm_sdk
with helm_sdk.init("repeated") as run:
    run.log({"loss": 0.9}, step=99)
    run.log({"loss": 0.5}, step=100)
    run.log({"loss": 0.25}, step=100)
    print("folder", run.folder)
"""


def test_that_both_values_of_a_repeated_step_are_kept_and_the_last_is_drawn(home: Path) -> None:
    """D06"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0

    assert points("loss", home=home) == [(99, 0.9), (100, 0.5), (100, 0.25)]
    series = store_of(folder).series["loss"]
    assert series.count == 3
    assert series.repeats == 1
    drawn = series.window(0, 200, 400)
    assert drawn.x.tolist() == [99, 100]
    assert drawn.y.tolist() == [0.9, 0.25]
    (stream,) = shown(home=home)["streams"]
    assert stream["count"] == 3
