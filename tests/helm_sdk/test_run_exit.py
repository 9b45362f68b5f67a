"""How a script ends is how its run ends, and ending never takes long."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk.protocol.messages import Finished, ProcessRecord
from helm_sdk.record import layout
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run, live_entries
from helpers.scripts import start as start_script

Start = Callable[..., helm_sdk.Run]
HEAD = "import helm_sdk, os, sys, signal, time\nrun = helm_sdk.init('exit')\nrun.log({'a': 1.0}, step=3)\n"


def ending(text: str) -> tuple[int, ProcessRecord]:
    script = start_script(HEAD + text, home=layout.home())
    status = script.finish()
    readers = find_run(None, "latest").readers()
    assert [step for step, _, _ in readers[0].points("a")] == [3]
    assert live_entries(layout.home()) == []
    return status, readers[0].record


@pytest.mark.parametrize(
    ("text", "status", "outcome", "message"),
    [
        ("", 0, "finished", ""),
        ("run.finish()", 0, "finished", ""),
        ("raise ValueError('no memory')", 1, "failed", "ValueError: no memory"),
        ("raise KeyboardInterrupt", -signal.SIGINT, "interrupted", ""),
        ("os.kill(os.getpid(), signal.SIGINT); time.sleep(5)", -signal.SIGINT, "interrupted", ""),
        ("with run:\n    sys.exit(3)", 3, "failed", "exited with 3"),
        ("with run:\n    sys.exit()", 0, "finished", ""),
        ("with run:\n    raise OSError('disk')", 1, "failed", "OSError: disk"),
        ("run.finish('failed', 'diverged', 4)", 0, "failed", "diverged"),
        ("run.finish('splendid')", 0, "failed", "splendid"),
    ],
)
def test_that_the_outcome_is_how_the_script_ended(text: str, status: int, outcome: str, message: str) -> None:
    got, record = ending(text)
    assert got == status
    assert (record.outcome, record.message) == (outcome, message)
    assert record.ended is not None


def test_that_the_scripts_own_hooks_and_signal_handlers_are_left_alone() -> None:
    text = (
        "assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "def hook(kind, error, trace): print('mine', kind.__name__)\n"
        "sys.excepthook = hook\n"
        "run.finish()\n"
        "assert sys.excepthook is hook\n"
        "again = helm_sdk.init('exit')\n"
        "raise ValueError('x')\n"
    )
    script = start_script(HEAD + text, home=layout.home())
    assert script.finish() == 1
    script.wait_for_line("^mine ValueError$")
    assert find_run(None, "latest").state_text().startswith("failed")


def test_that_the_last_word_is_published(start: Start) -> None:
    from helpers.raw_client import RawClient

    run = start()
    with RawClient(run.run_id) as client:
        client.attach()
        run.finish("failed", "diverged", 4)
        last = client.await_published(lambda message: isinstance(message, Finished))
    assert isinstance(last, Finished)
    assert (last.outcome, last.message, last.exit_status) == ("failed", "diverged", 4)
    assert run.folder is not None
    assert last.last_seq == RunFolder(run.folder).readers()[0].last_seq


def test_that_only_plain_files_are_left(start: Start) -> None:
    run = start()
    run.log({"a": 1.0}, step=0)
    run.finish()
    assert run.folder is not None
    assert sorted(path.name for path in Path(run.folder).iterdir()) == ["a1-rank-0.helm", "run.json"]
