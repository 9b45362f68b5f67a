"""What pyproject.toml declares beside what the sources import: nothing unused, nothing undeclared."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from helm_desktop import __main__ as command
from helm_sdk._cli import devices

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FONTS = {"fontpkg-inter", "fontpkg-jetbrains-mono"}  # imported by name; the system's fonts do without them


def distribution(requirement: str) -> str:
    """The normal name of the distribution that a requirement names."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found.group()).lower()


@cache
def imported(*folders: str) -> frozenset[str]:
    """Top-level names of other projects that the sources import, under TYPE_CHECKING too."""
    found: set[str] = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found.update(alias.name.split(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    return frozenset(found - set(sys.stdlib_module_names) - {"helm_sdk", "helm_desktop"})


INSTALLED = packages_distributions()


def providers(name: str) -> set[str]:
    """The distributions, by normal name, that bring a top-level module."""
    return {distribution(one) for one in INSTALLED.get(name, [])}


USERS_EXTRAS = sorted(set(EXTRAS) - {"dev", "docs"})


@pytest.mark.parametrize("extra", ["", *USERS_EXTRAS])
def test_that_what_is_declared_is_imported(extra: str) -> None:
    declared = EXTRAS[extra] if extra else PROJECT["dependencies"]
    used = {one for name in imported("helm_sdk", "helm_desktop") for one in providers(name)}
    assert {distribution(one) for one in declared} - used - FONTS == set()


def test_that_what_is_imported_is_declared() -> None:
    declared = {distribution(one) for one in PROJECT["dependencies"]}
    declared |= {distribution(one) for extra in USERS_EXTRAS for one in EXTRAS[extra]}
    names = imported("helm_sdk", "helm_desktop")
    assert {name for name in names if not providers(name) & declared} == set()


def test_that_the_start_asks_for_what_the_app_needs_and_nothing_else() -> None:
    needed = {one for name in command.APP_PACKAGES for one in providers(name)}
    assert {distribution(one) for one in EXTRAS["app"]} - needed == FONTS
    assert set(command.APP_PACKAGES) <= imported("helm_desktop")
    assert devices.APP_PACKAGES == command.APP_PACKAGES  # doctor's; the SDK imports nothing of the app
