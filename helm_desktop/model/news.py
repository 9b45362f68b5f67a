"""What the link tells the models: one list of these arrives at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from helm_sdk.protocol.messages import Batch, Event, Finished, Heartbeat, RunRecord
from helm_sdk.protocol.peer import RunState


@dataclass(frozen=True)
class BatchNews:
    """A commit of one process, in sequence."""

    batch: Batch
    history: bool = False


@dataclass(frozen=True)
class HeartbeatNews:
    """A process lives."""

    heartbeat: Heartbeat


@dataclass(frozen=True)
class FinishedNews:
    """A process said its last word."""

    finished: Finished


@dataclass(frozen=True)
class LinkNews:
    """How the connection to one process stands."""

    process: str
    state: str
    text: str = ""


@dataclass(frozen=True)
class LossNews:
    """What was missed on the way from one process, and what of it came another way."""

    process: str
    gaps: int
    repaired: int


@dataclass(frozen=True)
class AnswerNews:
    """What the run recorded of a command that was sent from here."""

    request: str
    event: Event


@dataclass(frozen=True)
class RefusalNews:
    """A request could not be served."""

    request: str
    message: str


@dataclass(frozen=True)
class StandingNews:
    """How the whole run stands, derived from its files and signs."""

    state: RunState
    outcome: str = ""  # what it wrote itself, or nothing
    message: str = ""
    exit_status: int | None = None
    ended: float | None = None


@dataclass(frozen=True)
class ProcessFacts:
    """One process of a run as its file tells."""

    process: str
    role: str
    attempt: int
    host: str
    pid: int
    started: float
    opened: float
    ended: float | None = None
    outcome: str = ""


@dataclass(frozen=True)
class AboutNews:
    """Who the run is: its record, the name people gave it, its processes."""

    record: RunRecord
    name: str
    folder: str
    processes: tuple[ProcessFacts, ...] = ()


@dataclass(frozen=True)
class CaughtUpNews:
    """Everything that was on disk when the run was opened has been told."""


News = (
    BatchNews
    | HeartbeatNews
    | FinishedNews
    | LinkNews
    | LossNews
    | AnswerNews
    | RefusalNews
    | StandingNews
    | AboutNews
    | CaughtUpNews
)


@dataclass(frozen=True)
class RunRow:
    """One run as the runs panel lists it."""

    run_id: str
    folder: str
    project: str
    name: str
    state: RunState
    created: float
    step: int | None = None
    plan_step: int | None = None
    seconds: float | None = None  # how long it ran
    exit_status: int | None = None
    config: Mapping[str, object] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)  # the last value of each stream
