"""The free bytes of the disk of a run."""

from __future__ import annotations

from pathlib import Path

from helm_desktop.link.disk_space_check import CHECK_SECONDS, DiskSpaceCheck


def test_that_the_disk_is_looked_at_when_it_is_due(tmp_path: Path) -> None:
    space = DiskSpaceCheck()
    found = space.check(str(tmp_path), CHECK_SECONDS)
    assert found is not None
    assert found.free > 0
    assert space.check(str(tmp_path), CHECK_SECONDS * 1.5) is None
    assert space.check(str(tmp_path), CHECK_SECONDS * 2) is not None
    space.restart()
    assert space.check(str(tmp_path), CHECK_SECONDS * 2.1) is not None


def test_that_a_folder_that_is_gone_says_nothing(tmp_path: Path) -> None:
    assert DiskSpaceCheck().check(str(tmp_path / "gone"), CHECK_SECONDS) is None
