"""What a forked worker does to the run it inherited changes nothing, and it ends cleanly."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run

SCRIPT = textwrap.dedent(
    """
    import multiprocessing, os
    import helm_sdk

    run = helm_sdk.init("forked")
    tuned = run.tunable("lr", 0.5)

    def work(own):
        run.log({"child": 1.0}, step=1)
        run.sync("after_step", step=1)
        with run.span("eval"):
            run.flush()
        run.finish()
        if own:
            joined = helm_sdk.init("forked", join=run.run_id, process="worker", role="data")
            joined.log({"mine": 2.0}, step=1)

    run.log({"parent": 1.0}, step=0)
    context = multiprocessing.get_context("fork")
    for own in (False, True):
        child = context.Process(target=work, args=(own,))
        child.start()
        child.join(30)
        assert child.exitcode == 0, child.exitcode
    pid = os.fork()
    if pid == 0:
        run.log({"child": 1.0}, step=2)
        raise SystemExit(7)  # through atexit, as a plain fork ends
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    run.log({"parent": 2.0}, step=1)
    run.finish()
    """
)


def names(reader: ProcessReader) -> list[str]:
    with reader:
        return [stream.name for stream in reader.streams()]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_that_a_forked_worker_is_a_no_op_unless_it_joins(tmp_path: Path) -> None:
    """D36"""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Assertion" not in done.stderr
    folder: RunFolder = find_run(None, "latest")
    found = {reader.record.process: names(reader) for reader in folder.readers()}
    assert found == {"rank-0": ["parent"], "worker": ["mine"]}
    assert folder.state_text().startswith("finished")
