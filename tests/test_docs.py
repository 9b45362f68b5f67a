"""What the documentation says of the sources, the shell and the keys is so."""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from helm_sdk import cli

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "resources" / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
MANUAL = sorted((DOCS / "manual").glob("*.md"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _parser(command: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments of a command of helmctl."""
    parser = argparse.ArgumentParser()
    importlib.import_module(cli.COMMANDS[command][0]).add_arguments(parser)
    return parser


def _blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_that_every_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:helm_sdk|helm_desktop|packaging|resources|tests)/[\w./-]*)`", text)
    linked = re.findall(r"\]\((?!https?:)([^)#]+\.\w+)(?:#[^)]*)?\)", text)

    assert [path for path in named if not (ROOT / path).exists()] == []
    sited = {"contributing.md", "changelog.md", "protocol.md"}  # pages that the site adds
    assert [
        path for path in linked if Path(path).name not in sited and not (page.parent / path).exists()
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_that_every_method_that_a_page_places_in_a_file_is_there(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    placed = re.findall(r"`(\w+)\.(\w+)`(?:,| in)? \(?`(helm_\w+/[\w/]+\.py)`", text)

    for owner, method, path in placed:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == owner]
        assert classes, f"{owner} is not in {path}"
        methods = [one.name for one in classes[0].body if isinstance(one, ast.FunctionDef)]
        assert method in methods, f"{owner}.{method} is not in {path}"


def test_that_the_walks_name_where_a_chart_a_command_and_a_byte_are_handled() -> None:
    answers = (
        (DOCS / "developers" / "architecture.md").read_text(encoding="utf-8").split("## Three questions")[1]
    )

    assert len(re.findall(r"`\w+\.\w+` in `helm_\w+/[\w/]+\.py`", answers)) == 3


def test_that_the_page_of_keys_is_as_the_actions_say() -> None:
    script = ROOT / "packaging" / "keys_page.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    assert subprocess.run([sys.executable, script, "--check"], env=environment, check=False).returncode == 0


@pytest.mark.parametrize("page", [*MANUAL, ROOT / "README.md"], ids=_name)
def test_that_every_line_for_the_shell_has_arguments_that_helmctl_takes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lines = [line for block in _blocks(page, "") for line in block.splitlines()]
    lines += [line for line in re.findall(r"`(helmctl [^`]+)`", text) if "--help" not in line]
    for line in lines:
        words = shlex.split(line.split(" > ")[0], comments=True)
        if words[:1] == ["helmctl"]:
            _parser(words[1]).parse_args(words[2:])


@pytest.mark.parametrize("page", MANUAL, ids=_name)
def test_that_the_scripts_of_the_manual_run(page: Path) -> None:
    if page.name != "watch.md":
        for block in _blocks(page, "python"):
            compile(block, page.name, "exec")
        return
    for block in _blocks(page, "python"):
        exec(compile(block, page.name, "exec"), {})  # each opens a run and finishes it


def test_that_the_policy_of_the_manual_can_be_used(tmp_path: Path) -> None:
    (block,) = _blocks(DOCS / "manual" / "rules-and-approvals.md", "json")
    file = tmp_path / "policy.json"
    file.write_text(block, encoding="utf-8")

    assert cli.main(["policy", "show", str(file)]) == 0
