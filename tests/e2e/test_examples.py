"""The examples run as their readers would run them, and can be steered from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.scripts import Script, catalogue, helmctl, points, shown, start

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
SOURCES = {"manual", "code", "help", "names"}
Start = Callable[..., Script]


@pytest.fixture
def example(tmp_path: Path) -> Iterator[Start]:
    """Starts an example with arguments; ends it when the test is over."""
    started: list[Script] = []

    def begin(name: str, *arguments: str) -> Script:
        text = f"import runpy, sys; sys.argv = {[name, *arguments]!r}; "
        text += f"runpy.run_path({str(EXAMPLES / name)!r}, run_name='__main__')"
        started.append(start(text, home=tmp_path))
        started[-1].wait_for_line("^helm: run ")
        return started[-1]

    yield begin
    for script in started:
        script.kill()


def send(home: Path, control: str, value: Any) -> None:
    """Send, and wait until it is applied."""
    done = helmctl("send", "latest", control, json.dumps(value), "--wait", "--timeout", "40", home=home)
    assert done.returncode == 0, done.stdout + done.stderr


def test_that_the_gpt_has_the_streams_of_a_language_model(tmp_path: Path, example: Start) -> None:
    script = example("tiny_gpt.py", "--steps", "40", "--evaluate-every", "10", "--threads", "1")
    send(tmp_path, "set_mixture", {"weights": {"weights": {"manual": 0, "code": "1", "help": 0, "names": 0}}})
    assert script.finish() == 0, "\n".join(script.lines)

    seen = shown(home=tmp_path)
    counts = {stream["name"]: stream["count"] for stream in seen["streams"]}
    assert counts["train/loss"] == 40
    assert {f"eval/loss/{name}" for name in SOURCES} <= set(counts)
    assert {f"data/mix/{name}" for name in SOURCES} <= set(counts)
    assert {
        f"health/layer{layer}/{what}" for layer in range(3) for what in ("update_ratio", "grad_norm")
    } <= set(counts)
    assert {"perf/tokens_per_s", "perf/step_time_s", "optim/grad_norm"} <= set(counts)
    groups = {name for name in counts if name.startswith("optim/lr/")}
    assert groups == {"optim/lr/muon/group0", "optim/lr/adamw/group0", "optim/lr/adamw/group1"}
    losses = [value for _, value in points("train/loss", home=tmp_path)]
    assert sum(losses[-5:]) < sum(losses[:5])
    assert {curve["stream"] for curve in catalogue("plan", home=tmp_path)["curves"]} == groups
    assert points("data/mix/code", home=tmp_path)[-1][1] == 1.0
    assert points("tokens", home=tmp_path)[-1] == (39, 40.0 * 2 * 16 * 64)


def test_that_the_plain_loop_takes_tunables_and_annotated_commands(tmp_path: Path, example: Start) -> None:
    example("plain_python.py", "--sweeps", "1000000", "--sweep-seconds", "0.001")
    send(tmp_path, "set_warmth", {"value": "3.5"})
    send(tmp_path, "shake", {"share": 0.5, "towards": "down", "times": 2})
    send(tmp_path, "restart", {"start": "aligned"})
    refused = helmctl("send", "latest", "shake", '{"share": 1.5}', "--wait", home=tmp_path)
    assert refused.returncode != 0
    assert "share is 1.5, it must be" in refused.stdout + refused.stderr

    controls = {control["name"]: control for control in shown(home=tmp_path)["controls"]}
    assert set(controls) == {"set_warmth", "set_cooling", "set_rate", "set_sweep_seconds", "shake", "restart"}
    assert controls["set_warmth"]["current"] == {"value": "3.5"}
    assert controls["shake"]["safe_points"] == ["between_sweeps"]
    fields = {field["name"]: field for field in controls["shake"]["schema"]["root"]["fields"]}
    assert fields["times"]["type"]["bounds"] == {"min": 1}
    assert fields["towards"]["type"]["values"] == ["up", "down", "either"]
    start_field, warm = controls["restart"]["schema"]["root"]["fields"]
    assert start_field["type"]["values"] == ["random", "aligned", "alternating"]
    assert warm["default"] is True


def test_that_the_plain_loop_ends_by_itself(tmp_path: Path, example: Start) -> None:
    script = example("plain_python.py", "--sweeps", "60", "--sweep-seconds", "0")
    assert script.finish() == 0, "\n".join(script.lines)

    seen = shown(home=tmp_path)
    assert seen["state"] == "finished"
    assert {stream["name"]: stream["count"] for stream in seen["streams"]} == dict.fromkeys(
        ("energy", "magnetisation", "flipped", "temperature"), 60
    )
