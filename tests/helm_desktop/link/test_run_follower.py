"""The run client of the open run: where it goes on, and what it says when it cannot send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_desktop.link import run_follower
from helm_desktop.link.run_follower import NOT_OPEN, RunFollower
from helm_sdk.client import RunClient
from helm_sdk.keys import Keys, KeysError
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import BatchUpdate, Update
from helm_sdk.record.runs import find_run

COMMAND = Command(id="a", capability="lr", input=1.0)


def no_keys() -> Keys:
    raise KeysError("others can read the key")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A run that logged some steps and ended."""
    with helm_sdk.init("p", home=tmp_path) as run:
        for step in range(20):
            run.log({"train/loss": 1.0}, step=step)
    return str(find_run(tmp_path, "latest").path)


def read(follower: RunFollower) -> list[Update]:
    assert follower.client is not None
    found: list[Update] = []
    while not follower.client.over:
        found.extend(follower.poll(follower.client))
    return found


def rows(updates: list[Update]) -> int:
    return sum(group.rows for own in updates if isinstance(own, BatchUpdate) for group in own.batch.groups)


def test_that_what_was_read_is_not_read_again_before_a_restart(folder: str) -> None:
    follower = RunFollower(no_keys)
    for expected in (20, 0):
        follower.follow(folder)
        assert rows(read(follower)) == expected
        follower.close()
    follower.restart()
    follower.follow(folder)
    assert rows(read(follower)) == 20
    follower.close()
    assert follower.run is None


def test_that_without_keys_nothing_is_sent_and_the_reason_is_said(folder: str) -> None:
    follower = RunFollower(no_keys)
    assert follower.send(COMMAND, "") == NOT_OPEN
    assert follower.decide(RunClient.cancel, "a") == NOT_OPEN
    follower.follow(folder)
    assert follower.send(COMMAND, "") == "others can read the key"
    follower.close()


def test_that_keys_are_looked_for_now_and_then(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usable: list[Any] = []

    def keys() -> Keys:
        if not usable:
            raise KeysError("others can read the key")
        loaded: Keys = usable[0]
        return loaded

    follower = RunFollower(keys)
    follower.follow(folder)
    assert not follower.keys_came(), "it was looked just now"
    monkeypatch.setattr(run_follower, "KEYS_SECONDS", -1.0)
    assert not follower.keys_came()
    usable.append(object())
    assert follower.keys_came()
    follower.close()
