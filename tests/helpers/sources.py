"""A run made by hand whose sources are known: who writes what, how often, and what was lost."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from helm_desktop.model.run.updates import AboutUpdate, CaughtUpUpdate, ProcessFacts, RunUpdate
from helm_sdk.protocol.messages import (
    Batch,
    Capability,
    Catalogue,
    ControlState,
    Event,
    Heartbeat,
    PointGroup,
    RunRecord,
    StreamDef,
)
from helm_sdk.protocol.updates import BatchUpdate, LinkUpdate
from helpers.updates import batch_update, heartbeat_update

START = 1_700_000_000.0
EVERY_TEN = "health/layer0/update_ratio"


def logged(
    name: str,
    steps: Sequence[int],
    *,
    process: str = "rank-0",
    attempt: int = 1,
    number: int = 1,
    kind: str = "scalar",
) -> BatchUpdate:
    """Points of one name, a tenth of a second a step."""
    count = len(steps)
    group = PointGroup(
        streams=(number,),
        steps=struct.pack(f"<{count}q", *steps),
        times=struct.pack(f"<{count}d", *[START + step / 10 for step in steps]),
        values=struct.pack(f"<{count}d", *map(float, steps)),
    )
    streams = (StreamDef(id=number, name=name, kind=kind),)
    groups = (group,) if count else ()
    return batch_update(Batch(process=process, attempt=attempt, seq=number, streams=streams, groups=groups))


def about(**states: str) -> AboutUpdate:
    """Who the run is: the processes, by name with "-" for "_", and how each stands."""
    record = RunRecord(run_id="id", project="quickstart", name="by hand", created=START)
    facts = [
        ProcessFacts(name.replace("_", "-"), "trainer", 1, "box", 70 + at, START, START, state=state)
        for at, (name, state) in enumerate(states.items())
    ]
    return AboutUpdate(record, "by hand", "folder", tuple(facts))


def declared(*states: ControlState, process: str = "rank-0") -> BatchUpdate:
    """What a process lets be changed."""
    body = [
        {"capability": {"name": one.capability.name, **_more(one.capability)}, "unavailable": one.unavailable}
        for one in states
    ]
    catalogue = Catalogue(kind="capabilities", revision=1, body=body)
    return batch_update(Batch(process=process, attempt=1, seq=500, catalogues=(catalogue,)))


def _more(capability: Capability) -> dict[str, object]:
    return {"provider": capability.provider, "safe_points": capability.safe_points}


def applied(control: str, value: object, step: int) -> BatchUpdate:
    """A change of a control that took effect."""
    body = {"command_id": f"c{step}", "capability": control, "state": "applied", "input": value}
    event = Event(id=step, kind="command", time=START + step / 10, step=step, body=body)
    return batch_update(Batch(process="rank-0", attempt=1, seq=600 + step, events=(event,)))


def lost_points(count: int, process: str = "rank-0") -> BatchUpdate:
    """The run's own warning."""
    body = {"what": "lost points", "count": count}
    event = Event(id=1, kind="warning", time=START, step=1, body=body)
    return batch_update(Batch(process=process, attempt=1, seq=900, events=(event,)))


def by_hand() -> list[RunUpdate]:
    """Two ranks at step 100; every step, every ten, once and never; two controls; all of it known."""
    alive = [
        heartbeat_update(Heartbeat(process=process, attempt=1, last_seq=9, time=START + 14.0, step=100))
        for process in ("rank-0", "rank-1")
    ]
    return [
        about(rank_0="live", rank_1="quiet"),
        LinkUpdate("rank-0", "attached", "attached to rank-0"),
        logged("train/loss", range(101)),
        logged(EVERY_TEN, range(0, 101, 10), number=2),
        logged("eval/score", [50], number=3),
        logged("eval/later", [], number=4),
        logged("train/loss", range(0, 100, 5), process="rank-1"),
        declared(
            ControlState(capability=Capability(name="lr", provider="trainer", safe_points=("trainer.step",))),
            ControlState(
                capability=Capability(name="set_mixture", safe_points=("after_step",)),
                unavailable="no loader is attached",
            ),
        ),
        applied("lr", 0.25, 90),
        *alive,
        CaughtUpUpdate(),
    ]
