"""A dot in a name means nothing: its chart is the chart of the same points under another name."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from helpers.drawn import chart_of, picture_of
from helpers.scripts import start

SCRIPT = """
import helm_sdk
with helm_sdk.init("dots") as run:
    for step in range(0, 3000, 3):
        run.log({"my.loss": 1 / (1 + step), "my_loss": 1 / (1 + step)}, step=step)
    print("folder", run.folder)
"""


def test_that_a_dot_in_a_name_changes_nothing_in_its_chart(qtbot: QtBot, home: Path) -> None:
    """D17"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0

    dotted, plain = chart_of(folder, "my.loss"), chart_of(folder, "my_loss")
    for chart in (dotted, plain):
        qtbot.addWidget(chart)
    assert dotted.ranges.x.shown == plain.ranges.x.shown
    assert dotted.ranges.y.shown == plain.ranges.y.shown
    assert picture_of(dotted) == picture_of(plain)
    assert dotted.content.point_count == plain.content.point_count == 1000
