"""One process alone: the run's own queue decides which command is applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helm_sdk._controls.registry import Handler
from helm_sdk._run.run import Run
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability
from helm_sdk.torch._controls.base import WatchedControls


class SingleProcess:
    """One process agrees with itself: the run's own queue decides."""

    rank = 0
    world = 1

    def __init__(self, run: Run) -> None:
        self.run = run

    def know(self) -> None:
        """It does."""

    def watch(self, watched: WatchedControls) -> None:
        """What one process applies needs no way back."""

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare it in the run."""
        self.run.trainer_port.declare(capability, handler, unavailable=unavailable)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say it in the run."""
        self.run.trainer_port.set_unavailable(name, reason)

    def apply_next(self, step: int) -> None:
        """Apply what waits, in the order received."""
        self.run.sync(TRAINER_SAFE_POINT, step)

    def wait(self, timeout: float) -> None:
        """Sleep until the recorder has queued a command."""
        self.run.trainer_port.wait_and_apply(TRAINER_SAFE_POINT, timeout)

    def reduce(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """One process is its own mean, sum, maximum and minimum."""
        self.run.log(values, step=step)
