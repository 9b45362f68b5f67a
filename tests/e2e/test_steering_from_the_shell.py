"""Real script, real socket, real shell: what is sent takes effect at a known step or not at all."""

from __future__ import annotations

import json
import math
import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from helm_sdk.client import HeartbeatUpdate, RunClient
from helm_sdk.keys import load_keys
from helm_sdk.record.runs import find_run
from helpers.raw_client import wait_until
from helpers.scripts import SCRIPTS, Script, catalogue, helmctl, points, shown, start

STEPS = 1_000_000  # longer than any test: the script is killed at its end
T_MAX = STEPS


def cosine(step: int) -> float:
    """CosineAnnealingLR's closed form, as torch documents it, for lr 3e-3 and eta_min 0."""
    return 3e-3 * (1 + math.cos(math.pi * step / T_MAX)) / 2


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("steered")


@pytest.fixture(scope="module")
def script(home: Path) -> Iterator[Script]:
    config = home / "config"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_CONFIG_HOME", str(config))
        patch.setenv("HELM_RUN_HOME", str(home))
        running = start(SCRIPTS / "parts.py", home=home, env={"STEPS": str(STEPS), "PAUSE": "0.005"})
        try:
            running.wait_for_line(r"in-parts")
            yield running
        finally:
            running.kill()


@pytest.fixture(autouse=True)
def _same_keys(script: Script, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELM_CONFIG_HOME", str(home / "config"))


def send(home: Path, control: str, value: str, *more: str) -> tuple[int, str]:
    """Exit status and everything said."""
    done = helmctl("send", "latest", control, value, "--wait", "--timeout", "30", *more, home=home)
    return done.returncode, done.stdout + done.stderr


def applied_step(said: str) -> int:
    """The step that the shell reports."""
    found = re.search(r"(?m)^(?:applied|confirmed) +\S+ +step ([\d,]+)", said)
    assert found, said
    return int(found[1].replace(",", ""))


def mixture(**weights: str) -> str:
    """The JSON of a mixture."""
    return json.dumps({"weights": {"weights": weights}})


def wait_for_step(home: Path, name: str, step: int) -> list[tuple[int, float]]:
    """The stream's points once the run's heartbeat is past the step."""
    with RunClient(find_run(home, "latest"), keys=load_keys()) as client:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for update in client.poll(1.0):
                if isinstance(update, HeartbeatUpdate) and (update.heartbeat.step or 0) > step:
                    return points(name, home=home)
    raise AssertionError(f"{name} never reached step {step}")


def test_that_a_mixture_is_applied_and_the_data_follows(home: Path) -> None:
    status, said = send(
        home, "set_mixture", mixture(web="0.7", code="0.1", math="0.1", books="0.1"), "--reason", "try web"
    )
    assert status == 0, said
    assert re.search(r"web.*0\.7", said), said
    step = applied_step(said)
    rows = wait_for_step(home, "data/mix/web", step + 21)
    after = [value for at, value in rows if step < at <= step + 20]
    assert len(after) == 20
    assert abs(sum(after) / 20 - 0.7) < 0.1
    control = next(one for one in shown(home=home)["controls"] if one["name"] == "set_mixture")
    assert control["current"]["weights"]["weights"]["web"] == "0.7"


def test_that_a_rate_holds_at_its_step_and_rides_the_schedule_after(home: Path) -> None:
    status, said = send(home, "lr", '{"lr": 0.001}')
    assert status == 0, said
    step = applied_step(said)
    rows = dict(wait_for_step(home, "optim/lr/group0", step + 50))
    assert math.isclose(rows[step], 1e-3, abs_tol=1e-9)
    ratio = 1e-3 / cosine(step)
    for at in range(step + 1, step + 50):
        assert math.isclose(rows[at], cosine(at) * ratio, abs_tol=1e-9), at
    assert rows[step - 1] != rows[step]
    planned = catalogue("plan", home=home)
    curve = next(one for one in planned["curves"] if one["stream"] == "optim/lr/group0")
    last = curve["values"][0]
    assert math.isclose(last, cosine(curve["steps"][0]) * ratio, rel_tol=1e-6)


@pytest.mark.parametrize(
    ("control", "value", "words"),
    [
        ("lr", '{"lr": NaN}', ["lr", "nan", "finite"]),
        ("lr", '{"lr": Infinity}', ["lr", "inf", "finite"]),
        ("lr", '{"lr": -1}', ["lr", "-1", "0"]),
        ("lr", '{"lr": "abc"}', ["lr", "abc", "number"]),
        ("lr", '{"lr": true}', ["lr", "true", "number"]),
        ("lr", '{"lr": 0.001, "scale": 2}', ["lr", "scale", "one"]),
        ("warp", "{}", ["warp"]),
        ("set_mixture", mixture(web="0.5", rust="0.5", math="0", books="0", code="0"), ["rust"]),
        ("set_mixture", mixture(web="0.5", code="0.5", math="0"), ["books"]),
        ("set_mixture", mixture(web="0.5", code="0.5", math="-0.1", books="0"), ["math", "-0.1", "0"]),
        ("set_mixture", mixture(web="0", code="0", math="0", books="0"), ["weights"]),
    ],
)
def test_that_a_wrong_value_is_rejected_in_one_sentence_and_changes_nothing(
    home: Path, control: str, value: str, words: list[str]
) -> None:
    before = {one["name"]: (one["revision"], one["current"]) for one in shown(home=home)["controls"]}
    status, said = send(home, control, value)
    assert status != 0
    for word in words:
        assert word.lower() in said.lower(), said
    assert "Traceback" not in said
    after = {one["name"]: (one["revision"], one["current"]) for one in shown(home=home)["controls"]}
    assert after == before


def test_that_a_stale_revision_is_rejected(home: Path) -> None:
    assert send(home, "weight_decay", '{"value": 0.05}')[0] == 0
    status, said = send(home, "weight_decay", '{"value": 0.06}', "--expect-revision", "0")
    assert status != 0
    assert "revision" in said


def test_that_the_same_id_twice_is_answered_with_its_first_outcome(home: Path) -> None:
    chosen = str(uuid.uuid4())
    first = send(home, "lr", '{"scale": 0.5}', "--id", chosen)
    revision = next(one for one in shown(home=home)["controls"] if one["name"] == "lr")["revision"]
    second = send(home, "lr", '{"scale": 0.5}', "--id", chosen)
    assert first[0] == second[0] == 0
    assert applied_step(first[1]) == applied_step(second[1])
    assert next(one for one in shown(home=home)["controls"] if one["name"] == "lr")["revision"] == revision


def test_that_a_handler_that_raises_fails_and_the_run_goes_on(home: Path) -> None:
    status, said = send(home, "reload_data", "{}")
    assert status != 0
    assert "the loader has no shard 7" in said
    here = points("train/loss", home=home)[-1][0]
    wait_for_step(home, "train/loss", here + 20)


def test_that_a_paused_run_serves_its_trainer_and_resumes(home: Path) -> None:
    status, said = send(home, "pause", "{}")
    assert status == 0, said
    paused = applied_step(said)
    status, said = send(home, "dropout", '{"p": 0.25}')
    assert status == 0, said
    here = points("train/loss", home=home)[-1][0]
    assert here <= paused
    assert send(home, "resume", "{}")[0] == 0
    wait_for_step(home, "train/loss", here + 20)


def test_that_eval_and_checkpoint_do_what_they_say(home: Path) -> None:
    status, said = send(home, "eval", "{}")
    assert status == 0, said
    assert wait_until(lambda: bool(points("eval/accuracy/web", home=home)))
    status, said = send(home, "checkpoint", "{}")
    assert status == 0, said
    seen = shown(home=home)
    assert seen["checkpoints"]
    manifests = list((home / "runs").glob("*/*/checkpoints/*/manifest.json"))
    assert manifests
