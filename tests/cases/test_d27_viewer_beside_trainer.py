"""A board that is open while a run writes locks nobody out."""

from __future__ import annotations

from pathlib import Path

from helm_sdk.record.run import RunFolder
from helpers.fleet import app
from helpers.scripts import helmctl, start

STEPS = 9_000
SCRIPT = f"""
import time, helm_sdk
run = helm_sdk.init("beside")
print("folder", run.folder, flush=True)
for step in range({STEPS}):
    run.log({{f"s{{i}}": float(step) for i in range(8)}}, step=step)
    if step % 3 == 0:
        time.sleep(0.001)
run.finish()
print("finished", flush=True)
"""


def test_that_app_shell_and_trainer_never_lock_each_other_out(home: Path, tmp_path: Path) -> None:
    """D27"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    said = []
    with (
        app(home, folder, tmp_path / "one.npz") as first,
        app(home, folder, tmp_path / "two.npz") as second,
    ):
        while script.process.poll() is None:
            done = helmctl("points", folder.name, "s0", "--csv", home=home)
            said += [done.stdout[-200:] if done.returncode else "", done.stderr]
        assert script.finish() == 0
        for collector in (first, second):
            collector.wait_holds(8 * STEPS)
            collector.says("^state finished$")
            said += collector.script.lines
    said += script.lines
    assert not [text for text in said if "lock" in text.lower() or "error" in text.lower()]
    (reader,) = RunFolder(folder).readers()
    with reader:
        assert [step for step, _, _ in reader.points("s7")] == list(range(STEPS))
    assert {path.suffix for path in folder.iterdir()} == {".json", ".helm"}
