"""A run that sends nonsense: client and app raise nothing, keep their size, and go on with what is sound."""

from __future__ import annotations

from pathlib import Path

from reliability import floods

FRAMES = 5_000
MOST_GROWTH_MB = 24


def test_that_the_app_outlives_a_run_that_sends_nonsense(home: Path, tmp_path: Path) -> None:
    growth = floods.the_app_outlives(home, tmp_path / "held.npz", FRAMES)

    assert growth < MOST_GROWTH_MB


def test_that_a_client_outlives_answers_that_make_no_sense() -> None:
    assert floods.a_client_outlives(FRAMES) < MOST_GROWTH_MB
