"""What is recorded is its user's alone, from the first byte on, unless the group is asked for."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk.keys import load_keys
from helm_sdk.record import layout, private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")


def _modes(home: Path) -> dict[str, int]:
    return {str(path.relative_to(home)): stat.S_IMODE(path.lstat().st_mode) for path in home.rglob("*")}


def _record(home: Path) -> None:
    with helm_sdk.init("p", name="n", home=home) as run:
        run.console()
        print("a line")
        run.log({"a": 1.0}, step=0)
        run.text("sample", "words", step=0)
        run.flush()
        assert all(mode & 0o077 == 0 for mode in _modes(home).values()), "also while it is written"


def test_that_a_run_its_keys_and_its_files_are_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0)  # the most open one
    try:
        monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path / "config"))
        load_keys()
        _record(tmp_path / "deep" / "home")
    finally:
        os.umask(before)
    modes = _modes(tmp_path)
    assert any(name.endswith(".helm") for name in modes)
    assert any("media" in name for name in modes)
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_that_the_group_is_let_in_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELM_RUN_GROUP", "1")
    before = os.umask(0)
    try:
        with helm_sdk.init("p", home=tmp_path / "home") as run:
            run.log({"a": 1.0}, step=0)
            assert run.folder is not None
    finally:
        os.umask(before)
    assert stat.S_IMODE(run.folder.stat().st_mode) == 0o770
    file = layout.process_file(run.folder, 1, "rank-0")
    assert stat.S_IMODE(file.stat().st_mode) == 0o660


@pytest.mark.parametrize("kind", ["a link", "a file", "open to others"])
def test_that_a_temporary_folder_counts_only_if_it_is_ours(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "helm"
    if kind == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "elsewhere")
    elif kind == "a file":
        place.touch(mode=0o600)
    else:
        place.mkdir()
        place.chmod(0o755)
    assert private.is_own_folder(place) is (kind == "open to others")
    if kind == "open to others":
        assert stat.S_IMODE(place.stat().st_mode) == 0o700, "an older version made it so: it is closed"


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="root can stand in for another user"
)
def test_that_a_folder_that_somebody_else_made_beforehand_gets_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    planted = tmp_path / f"helm-{os.getuid()}"
    planted.mkdir(mode=0o700)
    os.chown(planted, 65534, 65534)
    text = (
        "import helm_sdk\nrun = helm_sdk.init('p')\nrun.log({'a': 1.0}, step=0)\nrun.finish()\n"
        "print('disabled', run.folder is None)"
    )
    home = tmp_path / "file"
    home.write_text("no folder can be made here")
    environment = {**os.environ, "TMPDIR": str(tmp_path), "HELM_RUN_HOME": str(home / "home")}
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=60, env=environment
    )
    assert "disabled True" in done.stdout, done.stderr
    assert "belongs to somebody else" in done.stderr
    assert list(planted.iterdir()) == []
