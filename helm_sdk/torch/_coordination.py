"""Who decides which command the trainer applies at a step: here one process, alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from helm_sdk._controls.registry import Handler
from helm_sdk._run.run import Run
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability
from helm_sdk.torch._ranks import rank
from helm_sdk.torch._ranks.distributed import DistributedProcess
from helm_sdk.torch._ranks.entry import RankArguments

if TYPE_CHECKING:
    from helm_sdk.torch._watched_loop import WatchedLoop

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

    def settle(self) -> Coordination:
        """Whoever agrees from `watch` on: by then the job's processes know of each other."""
        ...

    def know(self) -> None:
        """Wait, within the timeout, until this process knows its run."""
        ...

    def watch(self, watched: WatchedLoop) -> None:
        """Take note of what the controls change, before they are declared."""
        ...

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare a control that changes every rank."""
        ...

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say why such a control cannot be used; an empty reason makes it usable again."""
        ...

    def serve(self, step: int) -> None:
        """Apply at most one waiting command, at the same step on every rank."""
        ...

    def wait(self, timeout: float) -> None:
        """While paused: wait until a command comes, at most `timeout` seconds."""
        ...

    def reduce(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """Log values reduced over the ranks."""
        ...


class SingleProcess:
    """One process agrees with itself: the run's own queue decides."""

    rank = 0
    world = 1

    def __init__(self, run: Run) -> None:
        self._run = run

    def settle(self) -> Coordination:
        """Nobody else is there, unless a group was made after `init`."""
        place = rank.of_group()
        if place is None or place.world == 1 or self._run.disabled:
            return self
        return DistributedProcess(self._run, place, RankArguments())

    def know(self) -> None:
        """It does."""

    def watch(self, watched: WatchedLoop) -> None:
        """What one process applies needs no way back."""

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare it in the run."""
        self._run._declare(capability, handler, unavailable=unavailable)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say it in the run."""
        self._run._set_unavailable(name, reason)

    def serve(self, step: int) -> None:
        """Apply what waits, in the order received."""
        self._run.sync(TRAINER_SAFE_POINT, step)

    def wait(self, timeout: float) -> None:
        """Sleep until the recorder has queued a command."""
        self._run._serve(TRAINER_SAFE_POINT, timeout)

    def reduce(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """One process is its own mean, sum, maximum and minimum."""
        self._run.log(values, step=step)
