"""The stages of the newest command to a control, also of one that the run has not recorded yet."""

from __future__ import annotations

from helm_desktop.model.controls.control import Control
from helm_desktop.model.controls.labels import CommandStage, command_stages
from helm_desktop.model.controls.safe_point_rate import SafePointRates
from helm_desktop.model.controls.sent_commands import SentCommand

TRAINER = "trainer"  # the provider whose controls confirm their effect in the streams


def command_track(control: Control, rates: SafePointRates, *, paused: bool = False) -> list[CommandStage]:
    """Return the stages of the newest command to a control; empty without one."""
    if control.sent is not None:
        return _sent_track(control.sent)
    if control.latest is None:
        return []
    wait = rates.text(control.latest, paused=paused)
    confirms = bool(control.capability.reads) and control.capability.provider == TRAINER
    return command_stages(control.latest, paused=paused, confirms=confirms, wait=wait)


def _sent_track(sent: SentCommand) -> list[CommandStage]:
    if sent.refused:
        return [CommandStage("requested", "done"), CommandStage(f"not sent: {sent.refused}", "bad")]
    return [CommandStage("requested", "now"), CommandStage("applied", "ahead")]
