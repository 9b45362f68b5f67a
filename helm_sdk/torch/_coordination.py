"""What the trainer asks of whoever decides which command is applied at a step: one process, or all ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from helm_sdk._controls.registry import Handler
from helm_sdk.protocol.messages import Capability
from helm_sdk.torch._controls.base import WatchedControls

REDUCTIONS = ("mean", "sum", "max", "min")


class Coordination(Protocol):
    """What the trainer asks at its safe point. With several ranks every call here is collective."""

    @property
    def rank(self) -> int:
        """Which of the ranks this is."""
        ...

    @property
    def world(self) -> int:
        """How many ranks the job has."""
        ...

    def know(self) -> None:
        """Wait, within the timeout, until this process knows its run."""
        ...

    def watch(self, watched: WatchedControls) -> None:
        """Take note of the loop whose controls are declared next."""
        ...

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare a control that changes every rank."""
        ...

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say why such a control cannot be used; an empty reason makes it usable again."""
        ...

    def apply_next(self, step: int) -> None:
        """Apply at most one waiting command, at the same step on every rank."""
        ...

    def wait(self, timeout: float) -> None:
        """While paused: wait until a command comes, at most `timeout` seconds."""
        ...

    def reduce(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """Log values reduced over the ranks."""
        ...
