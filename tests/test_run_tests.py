"""The script behind `make test`, on a small project of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONFIGURED = """
[tool.pytest.ini_options]
markers = ["soak", "bench"]
"""
TESTS = """
from pathlib import Path

import pytest

HERE = Path(__file__).parent

@pytest.mark.parametrize("number", range({flaky}))
def test_flaky(number):
    mark = HERE / f"tried-{{number}}"
    tried = mark.exists()
    mark.touch()
    assert tried

@pytest.mark.parametrize("number", range({broken}))
def test_broken(number):
    raise AssertionError

def test_sound():
    pass

@pytest.mark.soak
def test_long():
    raise AssertionError
"""


def run(folder: Path, *arguments: str, flaky: int = 0, broken: int = 0) -> subprocess.CompletedProcess[str]:
    """The script on a project with so many tests that fail the first time, and so many that fail always."""
    (folder / "packaging").mkdir()
    script = Path(shutil.copy(ROOT / "packaging" / "run_tests.py", folder / "packaging"))
    (folder / "pyproject.toml").write_text(CONFIGURED)
    (folder / "test_it.py").write_text(TESTS.format(flaky=flaky, broken=broken))
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_that_three_tests_may_be_tried_again_and_are_named(tmp_path: Path) -> None:
    done = run(tmp_path, flaky=3)
    assert done.returncode == 0, done.stdout
    assert "passed alone  test_it.py::test_flaky[0]" in done.stdout
    closing = [line for line in done.stdout.splitlines() if line.startswith("=") and " passed" in line]
    assert len(closing) == 2, done.stdout


def test_that_a_fourth_turns_the_run_red(tmp_path: Path) -> None:
    done = run(tmp_path, flaky=4)
    assert done.returncode == 1
    assert done.stdout.count("passed alone  ") == 4


def test_that_what_fails_again_turns_the_run_red_and_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, flaky=1, broken=1)
    assert done.returncode == 1
    assert "failed again  test_it.py::test_broken[0]" in done.stdout
    assert "passed alone  test_it.py::test_flaky[0]" in done.stdout


def test_that_a_failure_of_an_earlier_run_is_not_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / ".pytest_cache" / "v" / "cache"
    folder.mkdir(parents=True)
    (folder / "lastfailed").write_text('{"test_it.py::test_gone": true}')
    done = run(tmp_path)
    assert done.returncode == 0
    assert "tried again" not in done.stdout


@pytest.mark.parametrize(("arguments", "status"), [(("-k", "no_such_test"), 5), (("--no-such-option",), 4)])
def test_that_arguments_and_the_exit_status_of_pytest_are_passed_on(
    tmp_path: Path, arguments: tuple[str, ...], status: int
) -> None:
    done = run(tmp_path, *arguments, broken=1)
    assert done.returncode == status, done.stdout
    assert "tried again" not in done.stdout
