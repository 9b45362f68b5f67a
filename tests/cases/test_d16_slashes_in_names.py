"""Slashes, spaces and dots in names are text, wherever the name goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.drawn import window_of
from helpers.scripts import points, shown, start

NAMES = [
    "train/loss",
    " train / val loss ",
    "/absolute",
    "../up",
    "a//b",
    "käse/%s",
    "train\\loss",
    "my.loss",
    "my_loss",
]
SCRIPT = f"""
import helm_sdk
with helm_sdk.init("a project/with slashes", name="a run/of mine") as run:
    for step in range(20):
        run.log({{name: step / 8 for name in {NAMES!r}}}, step=step)
    print("folder", run.folder)
"""


def test_that_any_text_names_a_stream(home: Path, tmp_path: Path) -> None:
    """D16"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0, script.lines

    assert {stream["name"] for stream in shown(home=home)["streams"]} == set(NAMES)
    for name in NAMES:
        assert points(name, home=home) == [(step, step / 8) for step in range(20)]
    window = window_of(folder, tmp_path, home=home)
    assert {chart["title"]: chart["points"] for chart in window["charts"]} == dict.fromkeys(NAMES, 20)
    assert home in folder.parents
    assert len(list(folder.glob("*.helm"))) == 1


@pytest.mark.parametrize("process", ["rank/0", "../up", "a b"])
def test_that_any_text_names_a_process(home: Path, process: str) -> None:
    """D16"""
    script = start(
        f"import helm_sdk\nwith helm_sdk.init('p', process={process!r}) as run:\n    run.log({{'x': 1.0}})\n",
        home=home,
    )
    assert script.finish() == 0, script.lines
    assert [each["process"] for each in shown(home=home)["processes"]] == [process]
