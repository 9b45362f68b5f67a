"""The controls that change every rank: on rank 0 the run's own, elsewhere kept beside and never published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import msgspec

from helm_sdk._controls.applier import problem_of
from helm_sdk._controls.registry import ControlRegistry, DeclaredControl, Handler
from helm_sdk._controls.safe_points import Applied, CommandContext
from helm_sdk._run.run import Run
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, Command
from helm_sdk.torch._controls.base import TrainerControl, WatchedControls


@runtime_checkable
class Restorable(Protocol):
    """What a handler belongs to, where a change can be undone: a control of the trainer, or a tunable."""

    def state(self) -> Any:
        """Return what a change would change."""
        ...

    def restore(self, state: Any) -> None:
        """Put it back."""
        ...


class SharedControls:
    """The shared controls of one rank."""

    def __init__(self, run: Run, rank: int) -> None:
        self._run = run
        self._rank = rank
        self._controls = run.trainer_port.controls if rank == 0 else ControlRegistry()
        self._own: dict[str, str] = {}  # why each cannot be used, apart from the ranks
        self._over = ""
        self._watched: WatchedControls | None = None

    def watch(self, watched: WatchedControls) -> None:
        """Take note of the loop whose controls these are."""
        self._watched = watched

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare a control; rank 0 alone shows it."""
        if not capability.safe_points:
            capability = msgspec.structs.replace(capability, safe_points=(TRAINER_SAFE_POINT,))
        self._own[capability.name] = unavailable
        if self._rank == 0:
            self._run.trainer_port.declare(capability, handler, unavailable=self._over or unavailable)
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
            spared = self.usable_while_held(name) and self.paused
            self._controls.set_unavailable(name, own if spared else reason or own)

    def __contains__(self, name: object) -> bool:
        return name in self._own

    def problem(self, command: Command) -> str:
        """Return why this rank cannot apply a command; empty when it can."""
        control = self._controls.get(command.capability) if command.capability in self else None
        return problem_of(control, command, f"rank-{self._rank}")

    @property
    def paused(self) -> bool:
        """Whether this rank holds its loop."""
        return self._watched is not None and self._watched.paused

    def usable_while_held(self, name: str) -> bool:
        """Return True when a held loop has this control also without a rank that is away."""
        owner = self._owner(name)
        return isinstance(owner, TrainerControl) and owner.usable_while_held

    def reversible(self, name: str) -> bool:
        """Return True when a change can be undone; if not, every rank checks before one applies it."""
        owner = self._owner(name)
        return not isinstance(owner, TrainerControl) or owner.reversible

    def undo_of(self, command: Command) -> Callable[[], None]:
        """Note the state of every control before a change; the function returned puts all of it back.

        All of them, since the handler of a script may change what a control of the trainer stands for.
        """
        watched, owner = self._watched, self._owner(command.capability)
        owners: list[Restorable] = [] if watched is None else list(watched.controls.values())
        if isinstance(owner, Restorable) and owner not in owners:
            owners.append(owner)
        states = [(one, one.state()) for one in owners]

        def undo() -> None:
            for one, state in states:
                one.restore(state)
            if watched is not None:
                watched.forget(command.id)

        return undo

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

    def check(self, command: Command, context: CommandContext) -> None:
        """Raise what would hinder this rank from a change that cannot be undone."""
        owner = self._owner(command.capability)
        if isinstance(owner, TrainerControl):
            owner.check(self._control(command).filled(command.input), context)

    def context(self, command: Command, sender: str, approver: str, step: int) -> CommandContext:
        """Return what the handler is told beside the value."""
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

    def _owner(self, name: str) -> object:
        """Whose method the handler is; None for a plain function."""
        control = self._controls.get(name)
        return getattr(control.handler, "__self__", None) if control is not None else None

    def _control(self, command: Command) -> DeclaredControl:
        control = self._controls.get(command.capability)
        assert control is not None
        return control
