"""The import contracts of pyproject.toml and packaging/walls.py: each planted breach turns them red."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINT = Path(sys.executable).with_name("lint-imports")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources and the contracts, in a folder of their own."""
    folder = tmp_path_factory.mktemp("contracts")
    for package in ("helm_sdk", "helm_desktop"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "packaging").mkdir()
    shutil.copy(ROOT / "packaging" / "walls.py", folder / "packaging")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def check(folder: Path) -> tuple[int, str]:
    """What `make check` runs for imports: exit status and output."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    status, said = 0, ""
    for command in ([str(LINT)], [sys.executable, "packaging/walls.py"]):
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
        status, said = status or done.returncode, said + done.stdout + done.stderr
    return status, said


def test_that_the_sources_as_they_are_break_no_contract(copy: Path) -> None:
    status, said = check(copy)
    assert status == 0, said


@pytest.mark.parametrize(
    ("module", "line", "named"),
    [
        ("helm_desktop/model/palette.py", "import helm_desktop.storage.preferences", "The floors of the app"),
        ("helm_sdk/record/run.py", "import helm_sdk.rules.spec", "The floors of the SDK"),
        ("helm_desktop/views/strip.py", "import helm_desktop.controllers.rules", "The floors of the app"),
        ("helm_desktop/views/strip.py", "def spoil() -> None:\n    open('a')", "views/strip.py"),
        ("helm_desktop/views/strip.py", "Path('a').write_text('')", "views/strip.py"),
        ("helm_sdk/protocol/wire.py", "import helm_sdk.record.reader", "The floors of the SDK"),
        ("helm_sdk/_shared/notice.py", "import helm_sdk._run.run", "The floors of the SDK"),
        ("helm_desktop/model/series/number_column.py", "import helm_desktop.model.series.segment", "circle"),
    ],
)
def test_that_a_planted_breach_turns_the_check_red(copy: Path, module: str, line: str, named: str) -> None:
    path = copy / module
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\n\n{line}\n", encoding="utf-8")
    try:
        status, said = check(copy)
    finally:
        path.write_text(before, encoding="utf-8")
    assert status != 0
    assert any(named in words and ("BROKEN" in words or ":" in words) for words in said.splitlines()), said
