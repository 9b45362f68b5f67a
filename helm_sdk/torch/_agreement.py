"""Who decides which command the trainer applies at a step: here one process, alone."""

from __future__ import annotations

from typing import Protocol

from helm_sdk._run import Run
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT


class Agreement(Protocol):
    """What the trainer asks at its safe point. With several ranks every call here is collective."""

    rank: int
    world: int

    def serve(self, step: int) -> None:
        """Apply at most one waiting command, at the same step on every rank."""
        ...

    def wait(self, timeout: float) -> None:
        """While paused: wait until a command comes, at most `timeout` seconds."""
        ...


class Alone:
    """One process agrees with itself: the run's own queue decides."""

    rank = 0
    world = 1

    def __init__(self, run: Run) -> None:
        self._run = run

    def serve(self, step: int) -> None:
        """Apply what waits, in the order received."""
        self._run.sync(TRAINER_SAFE_POINT, step)

    def wait(self, timeout: float) -> None:
        """Sleep until the recorder has queued a command."""
        self._run._serve(TRAINER_SAFE_POINT, timeout)
