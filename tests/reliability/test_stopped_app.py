"""An app that has stopped reading slows neither the loop nor the exit of the process that it watches."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path

from helpers.fleet import app, begin, tell

LOOP = Path(__file__).parent / "scripts" / "loop.py"
POINTS = 4_000
SLOWEST_CALL = 0.5
SLOWEST_EXIT = 2.0


def timed_loop(home: Path, out: Path, *, stopped_app: bool) -> tuple[float, float]:
    """(seconds of the slowest call, seconds of the end) of a loop that publishes some 12 MB."""
    with ExitStack() as stack:
        loop = begin(str(LOOP), str(POINTS), home=home, env={"WAIT": "1", "NOISE": "1"})
        stack.callback(loop.kill)
        folder = Path(loop.wait_for_line(r"^folder (.+)$")[1])
        if stopped_app:
            collector = stack.enter_context(app(home, folder, out))
            stack.callback(collector.script.process.send_signal, signal.SIGCONT)
            collector.says("^link rank-0 attached$")
            collector.script.process.send_signal(signal.SIGSTOP)
        tell(loop, "go")
        assert loop.finish() == 0
        slowest = float(loop.wait_for_line(r"^slowest (\S+)$")[1])
        finish = float(loop.wait_for_line(r"^finish (\S+)$")[1])
    return slowest, finish


def test_that_a_stopped_app_holds_up_neither_the_loop_nor_its_end(home: Path, tmp_path: Path) -> None:
    _, finish_alone = timed_loop(home, tmp_path / "none.npz", stopped_app=False)

    slowest, finish = timed_loop(home, tmp_path / "held.npz", stopped_app=True)

    assert slowest < SLOWEST_CALL
    assert finish < finish_alone + SLOWEST_EXIT
