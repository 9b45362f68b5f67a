"""Controls read from files: what they are now, what was asked of them, what the end of a run left open."""

from __future__ import annotations

from pathlib import Path

import msgspec

from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import Batch, Capability, Catalogue, CommandState, ControlState, Event
from helm_sdk.record.commands import controls_of, controls_of_run
from helm_sdk.record.run import create_run
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import process_record, run_record


def _state(event_id: int, command: str, state: str, **fields: object) -> Event:
    body = CommandState(command_id=command, capability="lr", state=state, **fields)  # type: ignore[arg-type]
    plain = msgspec.to_builtins(body)
    return Event(id=event_id, kind="command", time=float(event_id), step=event_id, body=plain)


def test_that_what_was_open_when_a_run_ended_has_failed(tmp_path: Path) -> None:
    run = create_run(tmp_path, run_record("20261129-120000-abcdef"))
    writer = ProcessWriter(run.path, process_record())
    control = ControlState(capability=Capability(name="lr", starting={"lr": 0.1}))
    catalogue = Catalogue(kind="capabilities", revision=1, body=[msgspec.to_builtins(control), {"no": 1}])
    events = (
        _state(1, "one", commands.RECEIVED, input={"lr": 0.2}),
        _state(2, "one", commands.WAITING),
        _state(3, "one", commands.APPLIED, old={"lr": 0.1}, new={"lr": 0.2}, revision=1),
        _state(4, "two", commands.RECEIVED, input={"lr": 0.3}),
    )
    writer.commit(
        [Batch(process="rank-0", attempt=1, seq=1, events=events, catalogues=(catalogue,))], durable=True
    )
    (live,) = controls_of(run.readers(), ended=False)
    assert (live.current, live.revision, live.processes) == ({"lr": 0.2}, 1, ["rank-0"])
    assert [change.state for change in live.changes] == [commands.APPLIED, commands.RECEIVED]
    writer.set_record(msgspec.structs.replace(writer.record, outcome="finished"))
    writer.close()
    (over,) = controls_of_run(run)
    assert [(change.state, change.message) for change in over.changes] == [
        (commands.APPLIED, ""),
        (commands.FAILED, commands.RUN_ENDED),
    ]
