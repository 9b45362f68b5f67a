"""A step from the future takes nothing away from those that come after it."""

from __future__ import annotations

from pathlib import Path

from helpers.drawn import store_of
from helpers.scripts import points, start

SCRIPT = """
import helm_sdk
with helm_sdk.init("future") as run:
    for step in (1, 2, 4, 3, 5):
        run.log({"loss": step / 10}, step=step)
    print("folder", run.folder)
"""


def test_that_a_step_that_goes_back_is_kept_and_told_once(home: Path) -> None:
    """D05"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0

    assert points("loss", home=home) == [(1, 0.1), (2, 0.2), (4, 0.4), (3, 0.3), (5, 0.5)]
    warnings = [line for line in script.lines if "went back" in line]
    assert len(warnings) == 1
    drawn = store_of(folder).series["loss"].window(0, 6, 400)
    assert drawn.x.tolist() == [1, 2, 3, 4, 5]
    assert drawn.y.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]
