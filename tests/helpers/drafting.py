"""A run with a planned rate and a control that takes keyframes, as a session has it, without a process."""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import numpy as np

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.updates import AboutUpdate, StatusUpdate
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import (
    Batch,
    Capability,
    Catalogue,
    Command,
    ControlState,
    Event,
    Plan,
    PlanCurve,
    PointGroup,
    RateOverride,
    RunRecord,
    StreamDef,
)
from helm_sdk.protocol.peer import RunState
from helm_sdk.protocol.updates import BatchUpdate
from helpers.updates import answer_update, batch_update

STREAM = "optim/lr/group0"
STEPS = 600
COSINE = 1.5e-3 * (1 + np.cos(np.pi * np.arange(STEPS) / STEPS))
LR = Capability(
    name="lr",
    input_schema=k.record_schema(
        k.field("lr", k.number(0, exclusive=["min"], scale="log"), optional=True),
        k.field("plan", k.schedule(0, axis="step"), optional=True),
        k.field("mode", k.enum_of(["rescale", "hold"], ["follow the schedule", "hold"]), default="rescale"),
        one_of=["lr", "plan"],
    ),
    safe_points=("trainer.step",),
    starting={"lr": 3e-3},
    reads=STREAM,
)


GROUPS = ("group0", "group1")
LR_OF_GROUPS = msgspec.structs.replace(
    LR,
    input_schema=k.record_schema(
        k.field("lr", k.number(0, exclusive=["min"], scale="log"), optional=True),
        k.field("scale", k.number(0), optional=True),
        k.field("plan", k.schedule(0, axis="step"), optional=True),
        k.field("plan_tokens", k.schedule(0, axis="tokens"), optional=True),
        k.field("mode", k.enum_of(["rescale", "hold"], ["follow the schedule", "hold"]), default="rescale"),
        k.field("group", k.enum_of(list(GROUPS)), optional=True),
        one_of=["lr", "scale", "plan", "plan_tokens"],
    ),
)


def _catalogue(kind: str, body: Any) -> BatchUpdate:
    entry = Catalogue(kind=kind, revision=1, body=msgspec.to_builtins(body))
    return batch_update(Batch(process="rank-0", attempt=1, seq=900, catalogues=(entry,)))


def went_on(session: Session, until: int, *, tokens: float = 0.0) -> None:
    """The run is at this step; each took in so many tokens."""
    begin = (session.progress.step if session.progress.step is not None else -1) + 1
    steps = range(begin, until + 1)
    values: list[Any] = [COSINE[begin : until + 1], COSINE[begin : until + 1] / 4]
    names = [StreamDef(id=1, name=STREAM), StreamDef(id=2, name="optim/lr/group1")]
    if tokens:
        values.append((np.arange(begin, until + 1) + 1) * tokens)
        names.append(StreamDef(id=3, name="tokens", kind="axis"))
    group = PointGroup(
        streams=tuple(stream.id for stream in names),
        steps=struct.pack(f"<{len(steps)}q", *steps),
        times=struct.pack(f"<{len(steps)}d", *[1000 + step / 10 for step in steps]),
        values=np.concatenate(values).astype("<f8").tobytes(),
    )
    streams = tuple(names) if begin == 0 else ()
    session.apply(
        [batch_update(Batch(process="rank-0", attempt=1, seq=until + 1, streams=streams, groups=(group,)))]
    )


def planned(session: Session, *, control: Capability = LR) -> None:
    """The run says its plan and its control."""
    steps = range(STEPS)
    curves = (
        PlanCurve(stream=STREAM, steps=tuple(steps), values=tuple(COSINE.tolist())),
        PlanCurve(stream="optim/lr/group1", steps=tuple(steps), values=tuple((COSINE / 4).tolist())),
    )
    session.apply(
        [
            _catalogue("capabilities", (ControlState(capability=control),)),
            _catalogue("plan", Plan(step=STEPS, curves=curves)),
        ]
    )


def ended(session: Session) -> None:
    """The run is over."""
    session.apply([StatusUpdate(RunState.FINISHED)])


def led(session: Session, *courses: RateOverride) -> None:
    """The run says how its rates follow from their schedules."""
    session.apply([_catalogue("rate_overrides", courses)])


def answered(session: Session, command: Command, *states: str, message: str = "", event: int = 1) -> None:
    """The run says what became of a command."""
    session.controls.on_sent(command)
    for number, state in enumerate(states):
        body = {"command_id": command.id, "capability": command.capability, "state": state}
        body |= {"message": message} if state == states[-1] else {}
        body |= {"input": command.input} if number == 0 else {}
        told = Event(id=event + number, kind="command", time=2000.0 + event + number, step=230, body=body)
        session.apply([answer_update(told)])
    session.controls.flush()


def drafting(at: int = 212, *, tokens: float = 0.0, control: Capability = LR) -> Session:
    """A live run of 600 steps that stands at this one."""
    session = Session("folder")
    record = RunRecord(run_id="id", project="quickstart", name="first", created=1000.0)
    session.apply([AboutUpdate(record, "first", "folder", ())])
    went_on(session, at, tokens=tokens)
    planned(session, control=control)
    return session
