"""What every control of the trainer has in common."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from helm_sdk._shared.scalars import PendingScalar, number
from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT

PROVIDER = "trainer"
Confirm = Callable[[str, int, float | None], None]  # (command id, step, value that ran)


class TrainerControl(Protocol):
    """One control: a capability, a reason why it cannot be used now, and a handler."""

    @property
    def capability(self) -> Capability:
        """What the run declares."""
        ...

    @property
    def unavailable(self) -> str:
        """Why it cannot be used now; empty when it can."""
        ...

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Do it, at the trainer's safe point."""
        ...


def capability(name: str, **more: Any) -> Capability:
    """A capability of the trainer, applied at its own safe point."""
    return Capability(name=name, provider=PROVIDER, safe_points=(TRAINER_SAFE_POINT,), **more)


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

    def look(self, step: int, confirm: Confirm) -> None:
        """After a step: confirm what was seen."""
        for _ in range(len(self._open)):
            sighting = self._open.popleft()
            if not self._seen(sighting, step, confirm):
                self._open.append(sighting)

    @staticmethod
    def _seen(sighting: _Sighting, step: int, confirm: Confirm) -> bool:
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
