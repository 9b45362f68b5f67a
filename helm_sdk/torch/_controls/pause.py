"""pause, resume and stop: whether the loop goes on."""

from __future__ import annotations

from typing import Any, ClassVar

from helm_sdk.models import Applied, CommandContext
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability


class GateControl(TrainerControl):
    """A control without input that turns the loop's gate. A checkpoint does not keep how it stood."""

    in_checkpoints = False
    name: ClassVar[str]
    button: ClassVar[str]
    help: ClassVar[str]

    def __init__(self, parts: ControlParts) -> None:
        self._gate = parts.gate

    def declare(self) -> Declaration:
        """Return a capability without input."""
        return Declaration(capability(self.name, button=self.button, help=self.help))

    def state(self) -> Any:
        """Return whether the loop is paused and whether it was asked to stop."""
        return {"paused": self._gate.paused, "should_stop": self._gate.should_stop}

    def restore(self, state: Any) -> None:
        """How the gate stood."""
        self._gate.paused, self._gate.should_stop = state["paused"], state["should_stop"]


class PauseControl(GateControl):
    """Hold the loop at the end of this step."""

    name, button = "pause", "Pause"
    help = "Holds the loop inside tr.step; the trainer's controls are still served."

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Hold it."""
        self._gate.paused = True
        return Applied()


class ResumeControl(GateControl):
    """Let the loop go on."""

    usable_while_held = True
    name, button = "resume", "Resume"
    help = "Lets a paused loop go on."

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Let it go on."""
        self._gate.paused = False
        return Applied()


class StopControl(GateControl):
    """Ask the loop to end: it reads `tr.should_stop`."""

    by_default = False
    name, button = "stop", "Stop"
    help = "Asks the loop to end: it reads tr.should_stop."

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Ask it to end, and hold it no longer."""
        self._gate.should_stop, self._gate.paused = True, False
        return Applied()
