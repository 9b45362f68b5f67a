"""The wheel in an empty environment: the SDK works alone, and the app says what it needs."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """One command away from the checkout, its output kept."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, cwd="/", env=env, check=False
    )


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the wheel is made from, with a page more for users and for developers."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("helm_sdk", "helm_desktop", "resources"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for part in ("manual/pictures", "developers", "decisions"):
        page = folder / "resources" / "docs" / part / "planted.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("A page.", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    built = run(*pip, "-w", folder, sources)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("helm_desktop-*.whl"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and its base dependencies."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    constraints = ROOT / "packaging" / "constraints.txt"
    installed = run(programs / "python", "-m", "pip", "install", "-q", "-c", constraints, wheel)
    assert installed.returncode == 0, installed.stderr
    return programs


def packed_resources(wheel: Path) -> list[str]:
    """What stands under `resources/` in either package of a wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    return sorted(name.split("/resources/", 1)[1] for name in names if "/resources/" in name)


def test_that_every_resource_is_in_the_wheel_once(wheel: Path, sources: Path) -> None:
    root = sources / "resources"
    wanted = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    shown = (name for name in wanted if not name.startswith("docs/") or name.startswith("docs/manual/"))
    assert packed_resources(wheel) == sorted(shown)


def test_that_of_the_documentation_the_wheel_has_the_manual_alone(wheel: Path) -> None:
    pages = [name for name in packed_resources(wheel) if name.startswith("docs/")]
    assert "docs/manual/pictures/planted.md" in pages
    assert all(name.startswith("docs/manual/") for name in pages)


def test_that_the_base_imports_without_qt_numpy_torch_or_zmq(bare: Path) -> None:
    code = (
        "import sys, helm_sdk, helm_sdk.protocol; print(sorted({'zmq', 'numpy', 'torch'} & set(sys.modules)))"
    )
    result = run(bare / "python", "-c", code)
    assert (result.stdout.strip(), result.stderr) == ("[]", "")


def test_that_the_app_says_which_line_installs_it(bare: Path) -> None:
    result = run(bare / "helm-desktop")
    assert result.returncode == 2
    assert 'pip install "helm-desktop[app]"' in result.stderr


def test_that_resources_are_found_once_installed(bare: Path) -> None:
    code = "from helm_desktop._resources import resource; print(resource('examples', 'script_to_screen.py'))"
    found = Path(run(bare / "python", "-c", code).stdout.strip())
    assert found.is_file()
    assert found.is_relative_to(bare.parent)


def test_that_the_shell_command_needs_no_extra(bare: Path) -> None:
    result = run(bare / "helmctl", "--help")
    assert result.returncode == 0, result.stderr
