"""The controls that change every rank: on rank 0 the run's own, elsewhere kept beside and never published."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from helm_sdk._controls.applier import problem_of
from helm_sdk._controls.registry import ControlRegistry, DeclaredControl, Handler
from helm_sdk._controls.safe_points import Applied, CommandContext
from helm_sdk._run.run import Run
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, Command
from helm_sdk.torch._ranks import undo

if TYPE_CHECKING:
    from helm_sdk.torch._watched_loop import WatchedLoop

GO_ON = "resume"  # the one control that a held loop has, also without a rank that is away
ACTS = frozenset({"checkpoint", "eval", "rollback"})  # what is done together and cannot be taken back


class SharedControls:
    """The shared controls of one rank."""

    def __init__(self, run: Run, rank: int) -> None:
        self._run = run
        self._rank = rank
        self._controls = run._controls if rank == 0 else ControlRegistry()
        self._own: dict[str, str] = {}  # why each cannot be used, apart from the ranks
        self._over = ""
        self._watched: WatchedLoop | None = None

    def watch(self, watched: WatchedLoop) -> None:
        """Take note of what the controls change."""
        self._watched = watched

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare a control; rank 0 alone shows it."""
        if not capability.safe_points:
            capability = msgspec.structs.replace(capability, safe_points=(TRAINER_SAFE_POINT,))
        self._own[capability.name] = unavailable
        if self._rank == 0:
            self._run._declare(capability, handler, unavailable=self._over or unavailable)
        else:
            self._controls.declare(capability, handler, unavailable)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say why one control cannot be used."""
        self._own[name] = reason
        self._controls.set_unavailable(name, (self._over if self._rank == 0 else "") or reason)

    def overlay(self, reason: str) -> None:
        """Say why none can be used now, the ranks being what they are; empty when they can again."""
        self._over = reason
        for name, own in list(self._own.items()):
            spared = name == GO_ON and self.paused
            self._controls.set_unavailable(name, own if spared else reason or own)

    def __contains__(self, name: object) -> bool:
        return name in self._own

    def problem(self, command: Command) -> str:
        """Why this rank cannot apply a command; empty when it can."""
        control = self._controls.get(command.capability) if command.capability in self else None
        return problem_of(control, command, f"rank-{self._rank}")

    @property
    def paused(self) -> bool:
        """Whether this rank holds its loop."""
        return self._watched is not None and self._watched.gate.paused

    def remember(self, name: str) -> Callable[[], None]:
        """A way back to before a change."""
        control = self._controls.get(name)
        return undo.remember(self._watched, control.handler if control else None)

    def run(self, command: Command, context: CommandContext) -> Applied:
        """Run a control's handler; raises what it raises. `old` and `new` are always filled."""
        control = self._control(command)
        outcome = control.handler(control.filled(command.input), context)
        applied = outcome if isinstance(outcome, Applied) else Applied(result=outcome)
        return Applied(
            old=control.value if applied.old is None else applied.old,
            new=command.input if applied.new is None else applied.new,
            result=applied.result,
            step=applied.step,
        )

    def prepare(self, command: Command, context: CommandContext) -> None:
        """Before something is done together: raise what would hinder this rank."""
        control = self._control(command)
        look = getattr(getattr(control.handler, "__self__", None), "prepare", None)
        if look is not None:
            look(control.filled(command.input), context)

    def context(self, command: Command, sender: str, approver: str, step: int) -> CommandContext:
        """What the handler is told beside the value."""
        return CommandContext(
            id=command.id,
            reason=command.reason,
            sender=sender,
            approver=approver,
            step=step,
            safe_point=TRAINER_SAFE_POINT,
            before=self._control(command).value,
        )

    def commit(self, command: Command, applied: Applied) -> None:
        """Count a change that every rank has made; on rank 0 the run counts it."""
        if self._rank != 0:
            control = self._control(command)
            control.revision += 1
            control.value = to_json(applied.new)

    def _control(self, command: Command) -> DeclaredControl:
        control = self._controls.get(command.capability)
        assert control is not None
        return control
