"""pause, resume and stop: whether the loop goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.torch._controls.base import capability


class PauseGate:
    """Whether the loop is held, and whether it was asked to end."""

    def __init__(self) -> None:
        self.paused = False
        self.should_stop = False


class SwitchControl:
    """A control without input that turns one thing of the gate."""

    unavailable = ""

    def __init__(self, name: str, button: str, help: str, turn: Callable[[], None]) -> None:
        self.capability: Capability = capability(name, button=button, help=help)
        self._turn = turn

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Turn it."""
        self._turn()
        return Applied()


def pause(gate: PauseGate) -> SwitchControl:
    """Hold the loop at the end of this step."""

    def turn() -> None:
        gate.paused = True

    text = "Holds the loop inside tr.step; the trainer's controls are still served."
    return SwitchControl("pause", "Pause", text, turn)


def resume(gate: PauseGate) -> SwitchControl:
    """Let the loop go on."""

    def turn() -> None:
        gate.paused = False

    return SwitchControl("resume", "Resume", "Lets a paused loop go on.", turn)


def stop(gate: PauseGate) -> SwitchControl:
    """Ask the loop to end: it reads `tr.should_stop`."""

    def turn() -> None:
        gate.should_stop = True
        gate.paused = False

    return SwitchControl("stop", "Stop", "Asks the loop to end: it reads tr.should_stop.", turn)
