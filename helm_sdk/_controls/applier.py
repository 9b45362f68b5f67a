"""What happens at a safe point: the command is judged once more, its handler runs, its outcome is told."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from helm_sdk._controls.registry import ControlRegistry, DeclaredControl
from helm_sdk._controls.safe_points import Applied, CommandContext, Pending, SafePoints
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.commands import APPLIED, EXPIRED, FAILED, REJECTED
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.messages import Command, CommandState

_FRAMES = 5
Emit = Callable[[CommandState, int | None], None]


def problem_of(control: DeclaredControl | None, command: Command, process: str) -> str:
    """Return why a command cannot be taken, in one sentence; empty when it can."""
    if control is None:
        return f"{process} has no control named {command.capability}"
    name = control.capability.name
    if command.version and command.version != control.capability.version:
        return f"{name} is version {control.capability.version} here, the request is for {command.version}"
    if control.unavailable:
        return f"{name} is unavailable: {control.unavailable}"
    if command.expect_revision is not None and command.expect_revision != control.revision:
        return f"{name} is at revision {control.revision}, the request expects {command.expect_revision}"
    try:
        control.check(command.input)
    except InvalidValue as error:
        return error.sentence
    except Exception as error:  # a check that fails is no reason to run the handler
        return f"the input of {name} could not be checked: {error}"
    return ""


class Applier:
    """Takes commands at safe points and runs their handlers, on the thread that calls `sync`."""

    def __init__(self, controls: ControlRegistry, points: SafePoints, emit: Emit, process: str) -> None:
        self._controls = controls
        self._points = points
        self._emit = emit
        self._process = process
        self._taken: tuple[int, Pending] | None = None  # the thread, and the command whose handler runs on it

    def current(self) -> Pending | None:
        """Return the command whose handler runs on the calling thread now."""
        taken = self._taken
        return taken[1] if taken is not None and taken[0] == threading.get_ident() else None

    def next_command(self, safe_point: str, step: int | None) -> Pending | None:
        """The next command that may still be applied here; those that may not are told and passed over."""
        while (pending := self._points.pop_command(safe_point)) is not None:
            if self._admits(pending, step):
                return pending
        return None

    def claim(self, pending: Pending, safe_point: str, step: int | None) -> bool:
        """Take this one command; False where it waits no more, or may not be applied, which is told."""
        if not self._points.withdraw(pending):
            return False
        pending.safe_point = safe_point
        return self._admits(pending, step)

    def fail(self, pending: Pending, message: str, step: int | None, frames: tuple[str, ...] = ()) -> None:
        """Tell that a taken command has failed."""
        self._taken = None
        self._end(pending, FAILED, message, step, frames)

    def run(self, pending: Pending, step: int | None, effective_step: int | None = None) -> None:
        """Run the handler of a taken command and tell what came of it."""
        control = self._controls.get(pending.command.capability)
        if control is None:
            return
        try:
            outcome: Any = control.handler(control.filled(pending.command.input), self.context(pending, step))
        except Exception as error:
            outcome = error
        except BaseException as error:  # Ctrl-C inside a handler is the user's, not ours to keep
            self.finish(pending, error, step)
            raise
        self.finish(pending, outcome, step if effective_step is None else effective_step)

    def context(self, pending: Pending, step: int | None) -> CommandContext:
        """Return what the handler is told beside the value."""
        control = self._controls.get(pending.command.capability)
        return CommandContext(
            id=pending.command.id,
            reason=pending.command.reason,
            sender=pending.state.sender,
            approver=pending.state.approver,
            step=step,
            safe_point=pending.safe_point,
            before=None if control is None else control.value,
        )

    def finish(self, pending: Pending, outcome: Any, step: int | None) -> None:
        """Tell the outcome of a taken command: what its handler returned, or the exception it raised."""
        self._taken = None
        control = self._controls.get(pending.command.capability)
        if isinstance(outcome, InvalidValue):  # what only the handler can judge, such as a rate that is 0 now
            self._end(pending, REJECTED, outcome.sentence, step)
            return
        if isinstance(outcome, BaseException):
            message = f"{type(outcome).__name__}: {outcome}" if str(outcome) else type(outcome).__name__
            self._end(pending, FAILED, message, step, frames_of(outcome))
            return
        applied = outcome if isinstance(outcome, Applied) else Applied(result=outcome)
        old = control.value if applied.old is None and control is not None else applied.old
        new = pending.command.input if applied.new is None else applied.new
        revision = 0
        if control is not None:
            control.revision += 1
            control.value = to_json(new)
            revision = control.revision
        state = msgspec.structs.replace(
            pending.state,
            state=APPLIED,
            safe_point=pending.safe_point,
            revision=revision,
            old=to_json(old),
            new=to_json(new),
            result=to_json(applied.result),
            ranks=to_json(applied.ranks),
        )
        self._emit(state, step if applied.step is None else applied.step)

    def _admits(self, pending: Pending, step: int | None) -> bool:
        command = pending.command
        if pending.deadline is not None and time.monotonic() > pending.deadline:
            self._end(pending, EXPIRED, "its time had passed", step)
        elif command.expires_step is not None and step is not None and step > command.expires_step:
            self._end(pending, EXPIRED, f"step {command.expires_step} had passed", step)
        elif problem := problem_of(self._controls.get(command.capability), command, self._process):
            self._end(pending, REJECTED, problem, step)
        else:
            self._taken = (threading.get_ident(), pending)
            return True
        return False

    def _end(
        self, pending: Pending, state: str, message: str, step: int | None, frames: tuple[str, ...] = ()
    ) -> None:
        self._emit(
            msgspec.structs.replace(
                pending.state, state=state, message=message, frames=frames, safe_point=pending.safe_point
            ),
            step,
        )


def frames_of(error: BaseException) -> tuple[str, ...]:
    """Return the last frames of an exception, one line each."""
    try:
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        return tuple(
            f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line or ''}" for frame in frames
        )
    except Exception:
        return ()
