"""A home that is there and cannot be written: the run goes elsewhere, and says where."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from helm_sdk.record.runs import find_run

SCRIPT = """
import os, sys, tempfile
import helm_sdk
if os.geteuid() == 0:
    # Root is kept out of nothing. All modules are loaded before its rights are dropped.
    with tempfile.TemporaryDirectory() as folder:
        helm_sdk.init("tests", home=folder).finish()
    os.environ["HELM_CONFIG_HOME"] += "-of-nobody"
    tempfile.tempdir = None
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
run = helm_sdk.init("tests")
run.log({"a": 1.0}, step=3)
run.finish()
print(run.folder)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    # Not pytest's own folder: another user may not enter that one.
    folder = Path(tempfile.mkdtemp(prefix="helm-d26-"))
    folder.chmod(0o777)
    yield folder
    (folder / "home").chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_that_a_run_in_a_closed_home_goes_to_the_temporary_folder(place: Path) -> None:
    """D26"""
    home = place / "home"
    home.mkdir(mode=0o000)
    home.chmod(0o000)
    env = {**os.environ, "HELM_RUN_HOME": str(home), "HELM_CONFIG_HOME": str(place / "config")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=60,
        env={**env, "TMPDIR": str(place), "HOME": str(place)},
        cwd=place,
    )
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.splitlines()[-1])
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    assert folder.is_relative_to(place / f"helm-{user}")
    assert done.stderr.count(f"this run is in {place / f'helm-{user}'}") == 1
    assert find_run(place / f"helm-{user}", "latest").path == folder
