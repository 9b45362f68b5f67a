"""The stages of the newest command to a control, whether or not the run has recorded it."""

from __future__ import annotations

from helm_desktop.model.controls.control import Control
from helm_desktop.model.controls.labels import CommandStage, stations
from helm_desktop.model.controls.safe_point_rate import SafePointRates
from helm_desktop.model.controls.sent_commands import SentCommand

TRAINER = "trainer"  # the provider whose controls see their effect in the streams and say so


def command_track(control: Control, rates: SafePointRates, *, paused: bool = False) -> list[CommandStage]:
    """Return the stages; none while nobody asked for anything."""
    if control.sent is not None:
        return _sent_track(control.sent)
    if control.latest is None:
        return []
    waits = rates.text(control.latest, paused=paused)
    confirms = bool(control.capability.reads) and control.capability.provider == TRAINER
    return stations(control.latest, paused=paused, reads=confirms, waits=waits)


def _sent_track(sent: SentCommand) -> list[CommandStage]:
    if sent.refused:
        return [CommandStage("requested", "done"), CommandStage(f"not sent: {sent.refused}", "bad")]
    return [CommandStage("requested", "now"), CommandStage("applied", "ahead")]
