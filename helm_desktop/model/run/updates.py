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
    """How the connection to one process stands; process "" is the whole run. No state: it is well again."""

    process: str
    state: str
    text: str = ""


@dataclass(frozen=True)
class LossNews:
    """Batches that did not come live, and how many of them came another way."""

    missing: int
    repaired: int
    malformed: int = 0
    by_process: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # missing and repaired of each


@dataclass(frozen=True)
class DiskSpaceNews:
    """How much was free where the run is written."""

    time: float
    free: float


@dataclass(frozen=True)
class AnswerNews:
    """What the run recorded of a command that was sent from here."""

    process: str
    attempt: int
    event: Event


@dataclass(frozen=True)
class RefusalNews:
    """A command could not even be received."""

    command_id: str
    message: str


@dataclass(frozen=True)
class StatusNews:
    """How the whole run stands, derived from its files and signs."""

    state: RunState
    text: str = ""  # the state with its reason, in words
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
    state: str = ""  # how it stands, by its file and signs of life


@dataclass(frozen=True)
class AboutNews:
    """Who the run is: its record, the name people gave it, its processes."""

    record: RunRecord
    name: str
    folder: str
    processes: tuple[ProcessFacts, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)  # that people put on steps


@dataclass(frozen=True)
class ProcessNews:
    """A process, or a new attempt of one, that was not heard of before."""

    process: str
    attempt: int


@dataclass(frozen=True)
class OpenedNews:
    """The first that is told of a run that was opened; an earlier opening had another number."""

    number: int


@dataclass(frozen=True)
class CaughtUpNews:
    """Everything that was on disk when the run was opened has been told."""


News = (
    BatchNews
    | HeartbeatNews
    | FinishedNews
    | LinkNews
    | LossNews
    | DiskSpaceNews
    | AnswerNews
    | RefusalNews
    | StatusNews
    | AboutNews
    | ProcessNews
    | OpenedNews
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
    metric: str = ""  # whose last value is `value`
    value: float | None = None
