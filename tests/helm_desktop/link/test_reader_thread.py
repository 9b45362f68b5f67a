"""The list of runs, from real folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.link.reader_thread import ReaderThread
from helm_desktop.model.run.updates import RunRow
from helm_sdk.protocol.peer import RunState
from helpers.scripts import Script, start

SCRIPT = """
import helm_sdk, time
run = helm_sdk.init("p", name="listed", config={"lr": 0.1})
run.plan(step=50)
for step in range(20):
    run.log({"train/loss": 1.0 + step}, step=step)
run.flush()
print("logged", flush=True)
while True:
    time.sleep(0.05)
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """A run that has logged 20 steps and goes on."""
    started = start(SCRIPT, home=tmp_path)
    started.wait_for_line("logged")
    yield started
    started.kill()


@pytest.fixture
def reader(tmp_path: Path, qapp: object) -> Iterator[ReaderThread]:
    """A reader of the test's home."""
    made = ReaderThread(tmp_path)
    yield made
    made.stop()


def listed(reader: ReaderThread) -> list[list[RunRow]]:
    """Every list that it tells from now on."""
    lists: list[list[RunRow]] = []
    reader.listed.connect(lists.append)
    reader.begin()
    return lists


def test_that_an_empty_home_is_told_as_an_empty_list(reader: ReaderThread, qtbot: QtBot) -> None:
    lists = listed(reader)
    qtbot.waitUntil(lambda: lists == [[]])


def test_that_a_live_run_is_listed_with_its_step_and_plan(
    reader: ReaderThread, qtbot: QtBot, script: Script
) -> None:
    lists = listed(reader)
    qtbot.waitUntil(lambda: bool(lists and lists[-1] and lists[-1][0].step == 19))
    (row,) = lists[-1]
    assert (row.name, row.state, row.plan_step, row.metric, row.value) == (
        "listed",
        RunState.LIVE,
        50,
        "train/loss",
        20.0,
    )


def test_that_a_killed_run_is_told_and_then_left_alone(
    reader: ReaderThread, qtbot: QtBot, script: Script
) -> None:
    lists = listed(reader)
    qtbot.waitUntil(lambda: bool(lists and lists[-1]))
    script.kill()
    reader.wake()
    qtbot.waitUntil(lambda: lists[-1][0].state is RunState.KILLED)
    count = len(lists)
    reader.wake()
    qtbot.wait(300)  # nothing changed, so nothing may be told
    assert len(lists) == count
