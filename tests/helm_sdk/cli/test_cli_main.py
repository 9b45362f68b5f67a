"""helmctl as a whole: help, mistakes in one line, pipes and Ctrl-C, and what it does not load."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import helm_sdk
from helm_sdk import cli

HELMCTL = [sys.executable, "-m", "helm_sdk.cli"]


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_that_each_subcommand_helps_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([command, "--help"])

    text = capsys.readouterr().out
    assert left.value.code == 0
    assert f"example:\n  helmctl {command}" in text
    assert "--home" in text


def test_that_help_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])

    assert left.value.code == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in cli.COMMANDS)


@pytest.mark.parametrize("words", [[], ["fly"]])
def test_that_a_wrong_word_is_a_usage_mistake(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == cli.USAGE
    assert "helmctl" in capsys.readouterr().err


def test_that_a_mistake_is_one_line_and_not_zero(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["show", "latest"],
        ["points", "x", "loss"],
        ["verify", "x"],
        ["watch", "x"],
        ["send", "x", "lr"],
    ):
        assert cli.main(words) == cli.MISTAKE
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("helmctl: there is no run")
        assert said.err.count("\n") == 1


def test_that_starting_loads_nothing_heavy() -> None:
    source = (
        "import sys; from helm_sdk.cli import main; main(['--version'])\n"
        "print([n for n in ('zmq', 'msgspec', 'sqlite3', 'numpy', 'torch', 'PySide6') if n in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)

    assert said.stdout.splitlines()[-1] == "[]"


def test_that_a_reader_who_has_had_enough_is_no_error() -> None:
    run = helm_sdk.init("p", name="long")
    for step in range(20_000):
        run.log({"loss": 1.0}, step=step)
    run.finish()

    points = subprocess.Popen(
        [*HELMCTL, "points", "latest", "loss", "--csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert points.stdout is not None
    assert points.stderr is not None
    assert points.stdout.readline() == "step,value,time,attempt,process\n"
    points.stdout.close()

    assert points.stderr.read() == ""
    assert points.wait(20) == 0
    points.stderr.close()


def test_that_ctrl_c_is_quiet() -> None:
    run = helm_sdk.init("p", name="watched")
    watch = subprocess.Popen(
        [*HELMCTL, "watch", "latest", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert watch.stdout is not None
    assert '"attached"' in watch.stdout.readline() + watch.stdout.readline()
    watch.send_signal(signal.SIGINT)
    _, said = watch.communicate(timeout=20)
    run.finish()

    assert said == ""
    assert watch.returncode == cli.INTERRUPTED
