"""What every control of the trainer has in common: declare, check, apply, state, restore."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import torch

from helm_sdk._shared.scalars import PendingScalar, number
from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT
from helm_sdk.torch._schedules.rates import UsedRates
from helm_sdk.torch._steps.clipping import Clipping

PROVIDER = "trainer"
Confirm = Callable[[str, int, float | None], None]  # (command id, step, value that ran)
Save = Callable[[str, bool, int | None], dict[str, Any]]  # (name, pin, step) -> what was saved


class Declaration(NamedTuple):
    """What the run shows of a control: its capability, and why it cannot be used now (empty: it can)."""

    capability: Capability
    unavailable: str = ""


class TrainerControl(ABC):
    """One control of the trainer.

    A control is made for each `tr.watch` from the parts of that loop (`ControlParts`). With several ranks
    every rank calls `check` and `apply` at the same step; where one of them fails, each rank puts back what
    `state` returned before, so a control needs no code for ranks. A checkpoint keeps `state` too.
    """

    by_default: ClassVar[bool] = True  # declared where `watch` names no controls
    in_checkpoints: ClassVar[bool] = True  # whether a checkpoint keeps its state
    reversible: ClassVar[bool] = (
        True  # False: `restore` cannot undo it, so every rank checks before one applies
    )
    usable_while_held: ClassVar[bool] = False  # also while a rank is away, if the loop is paused

    @abstractmethod
    def __init__(self, parts: ControlParts) -> None:
        """Take what the control needs from the watched loop."""

    @abstractmethod
    def declare(self) -> Declaration:
        """Return what the run shows of this control."""

    def check(self, value: Any, context: CommandContext) -> None:
        """Raise what hinders `apply` on this rank; change nothing."""
        return

    @abstractmethod
    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Make the change, at the trainer's safe point."""

    def state(self) -> Any:
        """Return everything that `apply` changes, as plain JSON; None where nothing is to be put back."""
        return None

    def restore(self, state: Any) -> None:
        """Put back what `state` returned: after a failed change, or from a checkpoint."""
        return

    def handle(self, value: Any, context: CommandContext) -> Applied:
        """Check and apply; what the run calls."""
        self.check(value, context)
        return self.apply(value, context)


class WatchedControls(Protocol):
    """What the ranks need to know of a watched loop."""

    @property
    def paused(self) -> bool:
        """Whether the loop is held."""
        ...

    @property
    def controls(self) -> Mapping[str, TrainerControl]:
        """The controls that were declared, by name."""
        ...

    def forget(self, command_id: str) -> None:
        """Do not wait for the effect of a change any more: it was undone."""
        ...


def capability(name: str, **more: Any) -> Capability:
    """Return a capability of the trainer, applied at its own safe point."""
    return Capability(name=name, provider=PROVIDER, safe_points=(TRAINER_SAFE_POINT,), **more)


@dataclass
class PauseGate:
    """Whether the loop is held, and whether it was asked to end."""

    paused: bool = False
    should_stop: bool = False


@dataclass
class ControlParts:
    """What controls may use of the watched loop."""

    model: torch.nn.Module
    rates: UsedRates
    clipping: Clipping
    gate: PauseGate
    read_back: ReadBack
    next_step: Callable[[], int]
    next_raws: Callable[[], list[float]]  # the schedule's rate of each group at the next step
    save: Save
    check_room: Callable[[int | None], None]  # at this step; raises where a checkpoint has no room
    eval_fn: Callable[[], Any] | None
    log: Callable[[Mapping[str, float], int | None], None]
    outside: Callable[[str], AbstractContextManager[None]]  # a span that is no part of a step's time


@dataclass
class _Sighting:
    command_id: str
    read: Callable[[], Any]  # what the step used
    step: int | None = None
    value: PendingScalar | None = None


class ReadBack:
    """Applied changes whose effect has not been seen yet; a value on a device is never waited for."""

    def __init__(self) -> None:
        self._open: deque[_Sighting] = deque()

    def __bool__(self) -> bool:
        return bool(self._open)

    def expect(self, command_id: str, read: Callable[[], Any]) -> None:
        """Confirm this command with what `read` gives after the next step."""
        self._open.append(_Sighting(command_id, read))

    def forget(self, command_id: str) -> None:
        """Confirm this command no more."""
        self._open = deque(one for one in self._open if one.command_id != command_id)

    def check(self, step: int, confirm: Confirm) -> None:
        """After a step: confirm what was seen."""
        for _ in range(len(self._open)):
            sighting = self._open.popleft()
            if not self._is_visible(sighting, step, confirm):
                self._open.append(sighting)

    @staticmethod
    def _is_visible(sighting: _Sighting, step: int, confirm: Confirm) -> bool:
        if sighting.value is None:
            used = sighting.read()
            got = None if used is None else number(used)
            sighting.step = step
            if not isinstance(got, PendingScalar):
                confirm(sighting.command_id, step, got)
                return True
            sighting.value = got
        if not sighting.value.ready():
            return False
        confirm(sighting.command_id, step if sighting.step is None else sighting.step, sighting.value.read())
        return True
