"""The controls and safe points of a process, and how commands are applied there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helm_sdk._controls.applier import Applier
from helm_sdk._controls.registry import ControlRegistry, Handler
from helm_sdk._controls.safe_points import Pending, SafePoint, SafePoints
from helm_sdk._run.recording import Recording
from helm_sdk._shared.notice import print_notice
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability


class Steering:
    """Controls and safe points, used on the thread of the loop; the recorder's thread adds commands.

    share: declares a control for all ranks; None in a job of one process.
    """

    def __init__(self, recording: Recording, controls: ControlRegistry, points: SafePoints) -> None:
        self._recording = recording
        self.controls, self.points = controls, points
        self.applier = Applier(controls, points, recording.command_state, recording.process)
        self.share: Callable[[Capability, Handler], None] | None = None

    def declare(self, capability: Capability, handler: Handler, *, unavailable: str = "") -> None:
        """Declare a control; `unavailable`: why it cannot be used now, empty when it can."""
        if self._recording.off:
            return
        control = self.controls.declare(capability, handler, unavailable)
        if control.unavailable and not unavailable:
            print_notice(f"The control {capability.name} cannot be used: {control.unavailable}")
        if TRAINER_SAFE_POINT in capability.safe_points:
            self.first_visit(TRAINER_SAFE_POINT)
        elif not capability.safe_points and self.points.default:
            self.controls.bind(self.points.default)

    def first_visit(self, name: str) -> SafePoint:
        """Return the safe point of this name, made if needed; the first of all is the default one."""
        if self.points.make_default(name):
            self.controls.bind(name)
        return self.points.visit(name)

    def apply_one(self, name: str, step: int | None, effective_step: int | None) -> None:
        """Apply at most one command that waits at a safe point."""
        pending = self.applier.next_command(name, step)
        if pending is not None:
            self.applier.run(pending, step, effective_step)

    def wait(self, name: str, timeout: float) -> bool:
        """Wait up to `timeout` seconds for a command, without applying it; return whether one waits."""
        return not self._recording.off and self.points.wait(name, timeout)

    def wait_and_apply(self, name: str, timeout: float, step: int | None = None) -> bool:
        """Wait up to `timeout` seconds for a command and apply it; return whether one came."""
        if not self.wait(name, timeout):
            return False
        self.apply_one(name, step if step is not None else self._recording.step, None)
        return True

    def resolve(self, pending: Pending, outcome: Any, step: int | None) -> None:
        """Record the outcome of a command that was taken: a result, an `Applied`, or an exception."""
        self.applier.finish(pending, outcome, step)

    def close(self) -> None:
        """Record the command whose handler is running as applied: the handler has ended the run."""
        pending = self.applier.current()
        if pending is not None:
            self.resolve(pending, None, self._recording.step)
