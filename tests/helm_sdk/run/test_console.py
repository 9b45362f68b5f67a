"""What a script prints is kept, and printing is as it was."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk._run.console import Console
from helm_sdk.record import layout
from helm_sdk.record.runs import find_run
from helpers.scripts import start as start_script


def kept(path: Path) -> list[str]:
    return [line.split(" ", 1)[1] for line in path.read_text(encoding="utf-8").splitlines()]


def test_that_prints_go_where_they_went_and_to_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    console = Console(tmp_path, "rank-0")
    print("one\ntwo")
    print("bad", file=sys.stderr)
    sys.stdout.write("half")
    console.close()
    print("after")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("one\ntwo\nhalfafter\n", "bad\n")
    assert kept(console.path) == ["out one", "out two", "err bad", "out half"]


def test_that_a_progress_bar_leaves_its_last_state(tmp_path: Path) -> None:
    console = Console(tmp_path, "rank-0")
    for percent in range(0, 101, 10):
        sys.stdout.write(f"\r{percent}%")
    sys.stdout.write("\nnext\r\n")
    console.close()
    assert kept(console.path) == ["out 100%", "out next"]


def test_that_a_bar_without_an_end_grows_no_memory(tmp_path: Path) -> None:
    console = Console(tmp_path, "rank-0")
    for _ in range(3000):
        sys.stdout.write("x" * 50 + "\r")
    assert len(console._partial["out"]) <= 51
    console.close()


def test_that_the_terminal_is_still_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        columns = 80

        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    console = Console(tmp_path, "rank-0")
    assert sys.stdout.isatty()
    assert getattr(sys.stdout, "columns", 0) == 80
    assert print("x") is None
    console.close()
    assert sys.stdout is terminal
    assert terminal.getvalue() == "x\n"


def test_that_a_file_that_fails_never_breaks_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    console = Console(tmp_path, "rank-0")
    assert console._file is not None
    console._file.close()
    print("still")
    print("here")
    console._file = None
    console.close()
    assert capsys.readouterr().out == "still\nhere\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_that_a_forked_child_prints_although_the_lock_was_held() -> None:
    text = (
        "import os, threading, helm_sdk\n"
        "run = helm_sdk.init('tests')\nrun.console()\n"
        "held, done = threading.Event(), threading.Event()\n"
        "def hold():\n    with run._console._lock:\n        held.set()\n        done.wait(20)\n"
        "threading.Thread(target=hold).start()\nheld.wait()\npid = os.fork()\n"
        "if pid == 0:\n    print('child', flush=True)\n    os._exit(0)\n"
        "os.waitpid(pid, 0)\ndone.set()\nprint('parent')\n"
    )
    script = start_script(text, home=layout.home())
    script.wait_for_line("^child$", 20)
    assert script.finish() == 0
    assert kept(find_run(None, "latest").path / "console-rank-0.log") == ["out parent"]


def test_that_somebody_elses_stream_is_not_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    console = Console(tmp_path, "rank-0")
    other = io.StringIO()
    sys.stdout = other
    console.close()
    assert sys.stdout is other


def test_that_a_run_keeps_its_console(start: Callable[..., helm_sdk.Run]) -> None:
    run = start()
    run.console()
    print("hello")
    run.finish()
    assert run.folder is not None
    assert kept(run.folder / "console-rank-0.log") == ["out hello"]
