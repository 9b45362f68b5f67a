"""Drives a client and a fake run in one thread until something has happened."""

from __future__ import annotations

import time
from collections.abc import Callable

from helm_sdk.client import BatchUpdate, RunClient, Update
from helpers.fake_run import FakeRun


def follow(
    client: RunClient,
    until: Callable[[list[Update]], bool],
    *runs: FakeRun,
    seconds: float = 20.0,
    seen: list[Update] | None = None,
) -> list[Update]:
    """Everything that the client tells until `until` holds of it; fails after `seconds`."""
    told: list[Update] = [] if seen is None else seen
    deadline = time.monotonic() + seconds
    while not until(told):
        if time.monotonic() > deadline:
            raise AssertionError(f"it has not happened after {seconds} s: {told[-20:]}")
        for run in runs:
            run.serve()
        told.extend(client.poll(0.005 if runs else 0.1))
    return told


def numbers(updates: list[Update], attempt: int = 1, process: str = "rank-0") -> list[tuple[int, int]]:
    """(first, last) of each batch that was delivered, in order."""
    return [
        (update.batch.start, update.batch.seq)
        for update in updates
        if isinstance(update, BatchUpdate) and (update.process, update.attempt) == (process, attempt)
    ]


def reach(updates: list[Update], attempt: int = 1, process: str = "rank-0") -> int:
    """The last number delivered; fails when one was delivered twice or left out."""
    have = 0
    for first, last in numbers(updates, attempt, process):
        assert first == have + 1, f"after {have} came {first}"
        have = last
    return have
