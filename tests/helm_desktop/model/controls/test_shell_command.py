"""The line for a shell that sends what a command would."""

from __future__ import annotations

from pathlib import Path

import pytest

from helm_desktop.model.controls.shell_command import run_argument, shell_command
from helm_sdk.protocol.messages import Command


def test_that_the_line_holds_what_the_command_does() -> None:
    command = Command(id="", capability="lr", input={"lr": 0.5}, reason="it is a plateau", expires_in=60.0)
    line = """helmctl send latest lr '{"lr": 0.5}' --reason 'it is a plateau' --expires 60s"""
    assert shell_command("latest", command) == line


def test_that_an_input_that_looks_like_an_option_comes_after_two_dashes() -> None:
    command = Command(id="", capability="shift", input=-0.001, process="rank-1")
    assert shell_command("run", command) == "helmctl send --process rank-1 -- run shift -0.001"


def test_that_a_run_elsewhere_is_named_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELM_RUN_HOME", str(tmp_path / "home"))
    assert run_argument("id", str(tmp_path / "home" / "runs" / "p" / "id")) == "id"
    assert run_argument("id", str(tmp_path / "elsewhere")) == str(tmp_path / "elsewhere")
    assert run_argument("id", "") == "id"
