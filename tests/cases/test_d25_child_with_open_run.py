"""A child process that opens a run and never finishes it ends by itself, and its run is finished."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from helm_sdk.protocol.peer import RunState
from helm_sdk.record.runs import list_runs

SCRIPT = textwrap.dedent(
    """
    import multiprocessing, sys
    import helm_sdk

    def work(fails):
        run = helm_sdk.init("child")
        for step in range(10):
            run.log({"a": 1.0}, step=step)
        if fails:
            raise ValueError("no")

    if __name__ == "__main__":
        context = multiprocessing.get_context(sys.argv[1])
        for fails in (False, True):
            process = context.Process(target=work, args=(fails,))
            process.start()
            process.join(30)
            assert process.exitcode == int(fails), process.exitcode
    """
)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_that_a_child_with_an_open_run_exits(tmp_path: Path, method: str) -> None:
    """D25"""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script), method], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    runs = {run.state: run for run in list_runs(project="child")}
    assert set(runs) == {RunState.FINISHED, RunState.FAILED}
    assert all(run.step == 9 for run in runs.values())
    assert "ValueError: no" in runs[RunState.FAILED].state_text
