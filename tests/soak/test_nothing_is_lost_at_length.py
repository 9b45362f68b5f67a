"""The full form of tests/reliability/test_nothing_is_lost.py: 4 × 100,000 points, the app stopped 20 s."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reliability import scenarios

FULL = scenarios.Size(points=100_000, rate=5_000, stopped_seconds=20.0)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "scenario",
    [
        scenarios.app_from_the_start,
        scenarios.app_killed_and_started_anew,
        scenarios.app_stopped_for_a_while,
        scenarios.client_without_files,
    ],
)
def test_that_nothing_is_lost_of_400000_points(
    scenario: Callable[[Path, Path, scenarios.Size], None], tmp_path: Path
) -> None:
    scenario(Path(os.environ["HELM_RUN_HOME"]), tmp_path / "held.npz", FULL)
