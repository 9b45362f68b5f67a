"""One run followed in a thread, told in batches that wait for the window."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.link.link_thread import LinkThread
from helm_desktop.model.run.updates import CaughtUpUpdate, FollowUpdate, RunUpdate
from helm_sdk.client import RunClient, Update
from helm_sdk.keys import load_keys
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import BatchUpdate, LinkUpdate, RefusalUpdate
from helpers.scripts import Script, start

SCRIPT = """
import helm_sdk, time
run = helm_sdk.init("p", name="followed")
step = 0
while True:
    run.log({"train/loss": float(step)}, step=step)
    step += 1
    time.sleep(0.002)
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """A run that logs 500 times a second."""
    started = start(SCRIPT, home=tmp_path)
    started.wait_for_line("helm: run")
    yield started
    started.kill()


@pytest.fixture
def link(qapp: object) -> Iterator[LinkThread]:
    """A thread that follows nothing yet."""
    made = LinkThread(load_keys)
    made.begin()
    yield made
    made.stop()


def folder_of(home: Path) -> str:
    """The one run's folder."""
    (folder,) = (home / "runs" / "p").iterdir()
    return str(folder)


def rows(updates: list[RunUpdate]) -> int:
    """How many points are in these updates."""
    return sum(group.rows for item in updates if isinstance(item, BatchUpdate) for group in item.batch.groups)


def test_that_no_batch_comes_before_the_last_was_taken(
    link: LinkThread, qtbot: QtBot, script: Script, tmp_path: Path
) -> None:
    came: list[list[RunUpdate]] = []
    link.arrived.connect(lambda folder, updates: came.append(updates))
    link.open(folder_of(tmp_path))
    qtbot.waitUntil(lambda: len(came) == 1)
    qtbot.wait(300)  # the run goes on, the window is busy
    assert len(came) == 1
    link.acknowledge()
    qtbot.waitUntil(lambda: len(came) == 2)
    assert rows(came[1]) > 20


def test_that_history_and_live_points_join(
    link: LinkThread, qtbot: QtBot, script: Script, tmp_path: Path
) -> None:
    came: list[RunUpdate] = []

    def take(folder: str, updates: list[RunUpdate]) -> None:
        came.extend(updates)
        link.acknowledge()

    link.arrived.connect(take)
    link.open(folder_of(tmp_path))
    qtbot.waitUntil(lambda: any(isinstance(item, CaughtUpUpdate) for item in came))
    before = rows(came)
    qtbot.waitUntil(lambda: rows(came) > before + 100)
    seqs = [item.batch for item in came if isinstance(item, BatchUpdate)]
    assert all(b.start == a.seq + 1 for a, b in pairwise(seqs))


def test_that_a_folder_without_a_run_is_said_in_a_sentence(
    link: LinkThread, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(link.failed) as said:
        link.open(str(tmp_path))
    assert said.args == [str(tmp_path), said.args[1]]
    assert "cannot be opened" in said.args[1]


def test_that_a_command_for_a_run_that_is_not_open_is_refused(
    link: LinkThread, qtbot: QtBot, script: Script, tmp_path: Path
) -> None:
    came: list[RunUpdate] = []
    link.arrived.connect(lambda folder, updates: came.extend(updates))
    link.arrived.connect(link.acknowledge)
    link.open(folder_of(tmp_path))
    link.send("another", Command(id="c", capability="lr"))
    qtbot.waitUntil(lambda: any(isinstance(item, RefusalUpdate) for item in came))
    (refusal,) = [item for item in came if isinstance(item, RefusalUpdate)]
    assert refusal.command_id == "c"
    assert "no longer open" in refusal.message


def test_that_following_goes_on_by_itself_after_it_broke_off(
    link: LinkThread, qtbot: QtBot, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[RunUpdate] = []

    def take(folder: str, updates: list[RunUpdate]) -> None:
        came.extend(updates)
        link.acknowledge()

    poll, broken = RunClient.poll, threading.Event()

    def once_odd(self: RunClient, timeout_s: float = 0.0) -> list[Update]:
        if rows(came) > 50 and not broken.is_set():
            broken.set()
            raise RuntimeError("odd")
        return poll(self, timeout_s)

    monkeypatch.setattr(RunClient, "poll", once_odd)
    link.arrived.connect(take)
    link.open(folder_of(tmp_path))
    qtbot.waitUntil(broken.is_set)
    before = rows(came)
    qtbot.waitUntil(lambda: rows(came) > before + 200)
    said = [item for item in came if isinstance(item, FollowUpdate)]
    assert [bool(item.problem) for item in said] == [False, True, False]
    assert "trying again" in said[1].problem
    seqs = [item.batch for item in came if isinstance(item, BatchUpdate)]
    assert all(b.start == a.seq + 1 for a, b in pairwise(seqs))


def test_that_a_key_that_others_can_read_leaves_the_files_to_follow(
    link: LinkThread, qtbot: QtBot, script: Script, tmp_path: Path
) -> None:
    secret = load_keys().folder / "helm.key_secret"
    secret.chmod(0o644)
    came: list[RunUpdate] = []

    def take(folder: str, updates: list[RunUpdate]) -> None:
        came.extend(updates)
        link.acknowledge()

    link.arrived.connect(take)
    folder = folder_of(tmp_path)
    link.open(folder)
    qtbot.waitUntil(lambda: any(isinstance(item, LinkUpdate) and item.state == "file only" for item in came))
    (said,) = [item for item in came if isinstance(item, LinkUpdate) and item.state == "file only"]
    assert "by its file" in said.text
    assert "chmod 600" in said.text
    before = rows(came)
    qtbot.waitUntil(lambda: rows(came) > before + 100)
    link.send(folder, Command(id="c", capability="lr"))
    qtbot.waitUntil(lambda: any(isinstance(item, RefusalUpdate) for item in came))
    secret.chmod(0o600)
    qtbot.waitUntil(lambda: any(isinstance(item, LinkUpdate) and item.state == "attached" for item in came))
    seqs = [item.batch for item in came if isinstance(item, BatchUpdate)]
    assert all(b.start == a.seq + 1 for a, b in pairwise(seqs))
