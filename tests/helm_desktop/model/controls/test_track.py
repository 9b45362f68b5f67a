"""The stages of the newest command to a control."""

from __future__ import annotations

from helm_desktop.model.controls.control import Control, node_of
from helm_desktop.model.controls.labels import CommandStage
from helm_desktop.model.controls.safe_point_rate import SafePointRates
from helm_desktop.model.controls.sent_commands import SentCommand
from helm_desktop.model.controls.track import command_track
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import Capability, Command, Event

LR = Capability(name="lr", reads="optim/lr/group0", provider="trainer")
COMMAND = Command(id="a", capability="lr", input=1.0)


def applied() -> CommandRecord:
    body = {"command_id": "a", "capability": "lr", "state": "applied"}
    record = CommandHistory().add(Event(id=1, kind="command", time=1.0, step=7, body=body), "rank-0")
    assert record is not None
    return record


def control(capability: Capability = LR) -> Control:
    return Control(capability.name, capability, node_of(capability), ("rank-0",))


def test_that_nothing_is_shown_before_anybody_asked() -> None:
    assert command_track(control(), SafePointRates()) == []


def test_that_what_is_on_its_way_goes_before_what_was_recorded() -> None:
    own = control()
    own.latest, own.sent = applied(), SentCommand(COMMAND)
    stages = command_track(own, SafePointRates())
    assert stages == [CommandStage("requested", "now"), CommandStage("applied", "ahead")]
    own.sent = SentCommand(COMMAND, "the run does not live")
    assert command_track(own, SafePointRates())[-1] == CommandStage("not sent: the run does not live", "bad")


def test_that_only_a_trainers_control_that_shows_a_stream_is_confirmed() -> None:
    own = control()
    own.latest = applied()
    assert command_track(own, SafePointRates())[-1] == CommandStage("confirmed", "ahead")
    other = control(Capability(name="lr", reads="optim/lr/group0"))
    other.latest = applied()
    assert command_track(other, SafePointRates())[-1] == CommandStage("applied at 7", "done")
