"""The full form of the floods in tests/reliability: 100,000 frames that no honest peer sends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helm_sdk.client import RunClient
from helm_sdk.keys import load_keys
from helpers.scripts import helmctl
from reliability import floods, strangers

FRAMES = 100_000
MOST_GROWTH_MB = 32.0


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_that_a_run_outlives_100000_frames_of_nonsense() -> None:
    home = Path(os.environ["HELM_RUN_HOME"])
    with strangers.steered(home) as (script, run):
        growth = strangers.flood_in_parts(home, run, script, FRAMES)
        print(f"the run grew by {growth:.1f} MB")

        sent = helmctl("send", "latest", "set_rate", '{"value": 0.25}', "--wait", home=home)

        assert sent.returncode == 0, sent.stdout + sent.stderr
        with RunClient(run, keys=load_keys()) as client:
            assert strangers.rate_now(client) == 0.25
        assert not [
            line for line in script.lines if "Traceback" in line or "An error in the recorder" in line
        ]
    assert growth < MOST_GROWTH_MB


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_that_the_app_outlives_100000_frames_of_nonsense(tmp_path: Path) -> None:
    growth = floods.the_app_outlives(Path(os.environ["HELM_RUN_HOME"]), tmp_path / "held.npz", FRAMES)

    print(f"the app grew by {growth} MB")
    assert growth < MOST_GROWTH_MB


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_that_a_client_outlives_100000_answers_of_nonsense() -> None:
    growth = floods.a_client_outlives(FRAMES)

    print(f"the client grew by {growth:.1f} MB")
    assert growth < MOST_GROWTH_MB
