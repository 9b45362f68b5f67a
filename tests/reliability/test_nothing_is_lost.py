"""Every point reaches the app, at its step and bit for bit, whatever happens to the app meanwhile."""

from __future__ import annotations

from pathlib import Path

from reliability import scenarios

SHORT = scenarios.Size(points=5_000, rate=5_000, stopped_seconds=0.0)


def test_that_an_open_app_gets_every_point_of_four_processes(home: Path, tmp_path: Path) -> None:
    scenarios.app_from_the_start(home, tmp_path / "held.npz", SHORT)


def test_that_an_app_killed_halfway_and_opened_again_has_every_point(home: Path, tmp_path: Path) -> None:
    scenarios.app_killed_and_started_anew(home, tmp_path / "held.npz", SHORT)


def test_that_an_app_stopped_over_its_high_water_mark_has_every_point(home: Path, tmp_path: Path) -> None:
    scenarios.app_stopped_for_a_while(home, tmp_path / "held.npz", SHORT)


def test_that_a_client_without_files_gets_every_point_by_pages(home: Path, tmp_path: Path) -> None:
    scenarios.client_without_files(home, tmp_path / "held.npz", SHORT)
