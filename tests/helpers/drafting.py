"""A run with a planned rate and a control that takes keyframes, as a session has it, without a process."""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import numpy as np

from helm_desktop.model.news import AboutNews, BatchNews, StandingNews
from helm_desktop.model.session import Session
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import (
    Batch,
    Capability,
    Catalogue,
    ControlState,
    Plan,
    PlanCurve,
    PointGroup,
    RunRecord,
    StreamDef,
)
from helm_sdk.protocol.peer import RunState

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


def _catalogue(kind: str, body: Any) -> BatchNews:
    entry = Catalogue(kind=kind, revision=1, body=msgspec.to_builtins(body))
    return BatchNews(Batch(process="rank-0", attempt=1, seq=900, catalogues=(entry,)))


def went_on(session: Session, until: int) -> None:
    """The run is at this step."""
    begin = (session.progress.step if session.progress.step is not None else -1) + 1
    steps = range(begin, until + 1)
    group = PointGroup(
        streams=(1,),
        steps=struct.pack(f"<{len(steps)}q", *steps),
        times=struct.pack(f"<{len(steps)}d", *[1000 + step / 10 for step in steps]),
        values=struct.pack(f"<{len(steps)}d", *COSINE[begin : until + 1]),
    )
    streams = (StreamDef(id=1, name=STREAM),) if begin == 0 else ()
    session.take(
        [BatchNews(Batch(process="rank-0", attempt=1, seq=until + 1, streams=streams, groups=(group,)))]
    )


def planned(session: Session, *, control: Capability = LR) -> None:
    """The run says its plan and its control."""
    steps = range(STEPS)
    curve = PlanCurve(stream=STREAM, steps=tuple(steps), values=tuple(COSINE.tolist()))
    session.take(
        [
            _catalogue("capabilities", (ControlState(capability=control),)),
            _catalogue("plan", Plan(step=STEPS, curves=(curve,))),
        ]
    )


def ended(session: Session) -> None:
    """The run is over."""
    session.take([StandingNews(RunState.FINISHED)])


def drafting(at: int = 212) -> Session:
    """A live run of 600 steps that stands at this one."""
    session = Session("folder")
    record = RunRecord(run_id="id", project="quickstart", name="first", created=1000.0)
    session.take([AboutNews(record, "first", "folder", ())])
    went_on(session, at)
    planned(session)
    return session
