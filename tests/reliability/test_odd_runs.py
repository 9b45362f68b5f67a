"""A run whose names, numbers and texts are as odd as can be is recorded, listed and drawn all the same."""

from __future__ import annotations

from pathlib import Path

from helpers.drawn import window_of
from helpers.scripts import helmctl, shown, start

SCRIPT = """
import math, helm_sdk
run = helm_sdk.init("odd", name="a\\nb \\u202e <b> %s", config={"x": {"y": math.nan}}, tags=["<b>", ""])
for name, pairs in {
    "far apart": [(2**63 - 1, 1.0), (-(2**63), 2.0), (0, math.nan)],
    "only nan": [(1, math.nan)],
    "only inf": [(1, math.inf)],
    "largest": [(0, 1.7e308), (1, -1.7e308)],
    "smallest": [(0, 5e-324), (1, 1e-323)],
    "n" * 512: [(0, 1.0)],
    "<b>html</b> &amp;": [(0, 1.0)],
    "": [(0, 1.0)],
    "a\\nb\\tc": [(0, 1.0)],
    "\\U0001f600/x": [(0, -0.0)],
}.items():
    for step, value in pairs:
        run.log({name: value}, step=step)
run.log({"axed": 1.0}, step=3, tokens=math.inf, epoch=1e300)
run.plan(step=2**62)
run.tunable("<b>", 1.0)
run.tunable("bounds", 1.0, minimum=-math.inf, maximum=math.nan)
run.fact("k" * 1000, {"x": math.nan})
run.summary({"s": math.inf, "t": "<b>"})
run.finish()
print("folder", run.folder)
"""


def test_that_an_odd_run_is_recorded_listed_and_drawn(home: Path, tmp_path: Path) -> None:
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0
    assert not [line for line in script.lines if "Traceback" in line or "An error in the recorder" in line]

    assert helmctl("verify", folder.name, home=home).returncode == 0
    assert helmctl("runs", home=home).returncode == 0
    assert helmctl("show", folder.name, home=home).returncode == 0
    names = {stream["name"] for stream in shown(home=home)["streams"]}
    window = window_of(folder, tmp_path, home=home)
    assert {chart["title"] for chart in window["charts"]} >= names - {""}
