"""helmctl watch --rules beside a run that diverges."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_sdk import cli
from helm_sdk.record.layout import home
from helm_sdk.record.run import RunFolder
from helm_sdk.rules import Rule
from helm_sdk.rules.store import read_fired, rules_path, write_rules
from helpers.scripts import helmctl, shown, start

SCRIPT = """
import helm_sdk, math, time
run = helm_sdk.init("p", name="diverges")
knob = run.tunable("rate", 1.0, minimum=0.0, maximum=1.0)
run.log({"train/loss": math.nan}, step=0)
print("ready", flush=True)
step = 1
while knob.value == 1.0:
    run.sync("step", step=step)
    run.log({"train/loss": 1.0 if step % 400 else math.nan}, step=step)
    step += 1
    time.sleep(0.005)
print("rate", knob.value, flush=True)
run.finish()
"""


def test_that_rules_fire_and_act_from_the_shell(tmp_path: Path) -> None:
    rules: dict[str, Any] = {
        "rules": [
            {
                "id": "nan",
                "name": "Loss is not finite",
                "metric": "train/loss",
                "when": "not finite",
                "then": [
                    {"do": "run", "command": [sys.executable, "-c", "print('told')"]},
                    {"do": "send", "control": "set_rate", "input": {"value": "0.5"}, "budget": 1},
                ],
            }
        ]
    }
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    script = start(SCRIPT, home=tmp_path)
    try:
        script.wait_for_line("ready")
        words = ("watch", "diverges", "--rules", str(tmp_path / "rules.json"), "--timeout", "60")
        done = helmctl(*words, "--stream", "none", home=tmp_path)
        assert done.returncode == 0, done.stderr
        script.wait_for_line(r"rate 0\.5")
    finally:
        script.kill()
    lines = done.stdout.splitlines()
    fired = [line for line in lines if line.startswith("▲")]
    assert fired, done.stdout
    assert all("at step 0" not in line for line in fired)  # what was before is not acted on
    assert "  Loss is not finite: sent set_rate" in lines
    (change,) = shown(home=tmp_path, run="diverges")["changes"]
    assert change["state"] == "applied"
    assert change["reason"].startswith("rule Loss is not finite: train/loss is nan at step ")
    (folder,) = (tmp_path / "runs" / "p").iterdir()
    record = read_fired(RunFolder(folder).path)[0]
    assert {one.do for one in record.done} >= {"send"}


def test_that_watching_goes_by_the_projects_own_rules_and_says_what_is_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with helm_sdk.init("q", name="over") as run:
        run.log({"a": 1.0}, step=0)
    write_rules(rules_path("q"), (Rule(id="r", metric="a", when="above"),))
    assert cli.main(["watch", "over", "--rules"]) == 0
    assert "▲" not in capsys.readouterr().out
    (tmp_path / "bad.json").write_text('{"rules": [{"id": "r", "metric": "a", "when": "odd"}]}')
    assert cli.main(["watch", "over", "--rules", str(tmp_path / "bad.json")]) == cli.MISTAKE
    assert "holds no rules" in capsys.readouterr().err
    assert cli.main(["watch", "over", "--rules", str(tmp_path / "none.json")]) == cli.MISTAKE
    assert home().is_dir()
