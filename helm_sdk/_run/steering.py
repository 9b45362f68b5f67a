"""What can be changed in a process: its controls, its safe points, and the applying of commands."""

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
    """Belongs to the thread of the loop; the recorder puts commands in.

    share: with several ranks, what declares a control for all of them.
    """

    def __init__(self, recording: Recording, controls: ControlRegistry, points: SafePoints) -> None:
        self._recording = recording
        self.controls, self.points = controls, points
        self.applier = Applier(controls, points, recording.command_state, recording.process)
        self.share: Callable[[Capability, Handler], None] | None = None

    def declare(self, capability: Capability, handler: Handler, *, unavailable: str = "") -> None:
        """Declare a control; `unavailable`: why it cannot be used now."""
        if self._recording.off:
            return
        control = self.controls.declare(capability, handler, unavailable)
        if control.unavailable and not unavailable:
            print_notice(f"{capability.name} cannot be used: {control.unavailable}")
        if TRAINER_SAFE_POINT in capability.safe_points:
            self.first_visit(TRAINER_SAFE_POINT)
        elif not capability.safe_points and self.points.default:
            self.controls.bind(self.points.default)

    def first_visit(self, name: str) -> SafePoint:
        """Return a safe point that is there from now on; the first of all serves controls that name none."""
        if self.points.make_default(name):
            self.controls.bind(name)
        return self.points.visit(name)

    def apply_one(self, name: str, step: int | None, effective_step: int | None) -> None:
        """Apply at most one waiting command."""
        pending = self.applier.next_command(name, step)
        if pending is not None:
            self.applier.run(pending, step, effective_step)

    def wait(self, name: str, timeout: float) -> bool:
        """Wait for a command without taking it; return whether one waits."""
        return not self._recording.off and self.points.wait(name, timeout)

    def wait_and_apply(self, name: str, timeout: float, step: int | None = None) -> bool:
        """Wait for a command and apply it; return whether one came."""
        if not self.wait(name, timeout):
            return False
        self.apply_one(name, step if step is not None else self._recording.step, None)
        return True

    def resolve(self, pending: Pending, outcome: Any, step: int | None) -> None:
        """Record what came of a taken command: a result, an `Applied`, or the exception."""
        self.applier.finish(pending, outcome, step)

    def close(self) -> None:
        """Settle the command whose handler ends the run: that is what came of it."""
        taken = self.applier.current()
        if taken is not None:
            self.resolve(taken, None, self._recording.step)
