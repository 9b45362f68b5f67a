"""How a script ends is how its run ends, and ending never takes long."""

import os
import signal
import subprocess
import sys
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
CAUGHT = "def caught():\n    try: sys.exit(3)\n    except SystemExit as error: return error.code\n"


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
        ("sys.exit(3)", 3, "failed", "exited with 3"),
        ("sys.exit('no data')", 1, "failed", "exited with no data"),
        ("sys.exit((7,))", 7, "failed", "exited with 7"),
        ("exit(4)", 4, "failed", "exited with 4"),
        ("sys.exit(0)", 0, "finished", ""),
        ("sys.exit()", 0, "finished", ""),
        (
            "def main():\n    sys.exit(5)\ntry:\n    main()\nfinally:\n    time.sleep(0)",
            5,
            "failed",
            "exited with 5",
        ),
        ("import argparse\nargparse.ArgumentParser().parse_args(['--what'])", 2, "failed", "exited with 2"),
        ("try:\n    sys.exit(3)\nexcept SystemExit: pass", 0, "finished", ""),
        (
            "def main():\n    try: sys.exit(3)\n    except SystemExit as e: return e.code\nmain()",
            0,
            "finished",
            "",
        ),
        (
            "def main():\n    try: sys.exit(3)\n    except SystemExit: pass\nmain()\nsys.exit(6)",
            6,
            "failed",
            "exited with 6",
        ),
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


def test_that_sys_exit_is_itself_again_once_no_run_is_open() -> None:
    text = (
        "import threading\n"
        "ended = []\n"
        "threading.excepthook = lambda args: ended.append(args.exc_type)\n"
        "thread = threading.Thread(target=lambda: sys.exit(3)); thread.start(); thread.join()\n"
        "assert ended == [SystemExit] and ended[0] is SystemExit\n"
        "run.finish()\n"
        "assert sys.exit.__module__ == 'sys'\n"
        "assert not hasattr(sys.modules['_sitebuiltins'], 'SystemExit')\n"
        "sys.exit(3)\n"
    )
    status, record = ending(text)
    assert (status, record.outcome) == (3, "finished")


def test_that_a_child_of_multiprocessing_and_a_module_end_as_they_exit(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import helm_sdk, multiprocessing, sys\n"
        "def work(where):\n"
        "    run = helm_sdk.init('child')\n"
        "    print('child', run.run_id, flush=True)\n"
        "    sys.exit(7)\n"
        "if __name__ == '__main__':\n"
        "    run = helm_sdk.init('parent')\n"
        "    print('parent', run.run_id, flush=True)\n"
        "    child = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(1,))\n"
        "    child.start(); child.join()\n"
        "    sys.exit(child.exitcode)\n"
    )
    for how in ("spawn", "fork"):
        done = subprocess.run(
            [sys.executable, script, how], capture_output=True, text=True, timeout=60, env={**os.environ}
        )
        assert done.returncode == 7, done.stderr
        said = dict(line.split() for line in done.stdout.splitlines() if line.count(" ") == 1)
        for who in ("child", "parent"):
            record = find_run(None, said[who]).readers()[0].record
            assert (record.outcome, record.exit_status) == ("failed", 7), (how, who)


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
