"""The updates of an open run: those of its processes, and those that the app makes itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from helm_sdk.protocol.messages import RunRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.protocol.updates import Update


@dataclass(frozen=True)
class FollowUpdate:
    """Why the run cannot be followed, in one sentence; empty when it can be."""

    problem: str


@dataclass(frozen=True)
class LossUpdate:
    """The number of batches that did not come live, and of those that came from the file or by pages."""

    missing: int
    repaired: int
    malformed: int = 0
    by_process: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # missing and repaired of each


@dataclass(frozen=True)
class DiskSpaceUpdate:
    """The free bytes of the disk that the run is written to, at a time (unix seconds)."""

    time: float
    free: float


@dataclass(frozen=True)
class StatusUpdate:
    """The status of the whole run, derived from its files and heartbeats."""

    state: RunState
    text: str = ""  # the state with its reason, as a text
    exit_status: int | None = None
    ended: float | None = None


@dataclass(frozen=True)
class ProcessFacts:
    """The facts of one process of a run, from its file."""

    process: str
    role: str
    attempt: int
    host: str
    pid: int
    started: float
    opened: float
    ended: float | None = None
    outcome: str = ""
    state: str = ""  # derived from its file and heartbeats


@dataclass(frozen=True)
class AboutUpdate:
    """The record of the run, the name and the notes that users gave it, and its processes."""

    record: RunRecord
    name: str
    folder: str
    processes: tuple[ProcessFacts, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)  # by step


@dataclass(frozen=True)
class OpenedUpdate:
    """The first update after a run was opened; each opening has its own number."""

    number: int


@dataclass(frozen=True)
class CaughtUpUpdate:
    """Everything that was on disk when the run was opened has been delivered."""


RunUpdate: TypeAlias = (
    Update
    | FollowUpdate
    | LossUpdate
    | DiskSpaceUpdate
    | StatusUpdate
    | AboutUpdate
    | OpenedUpdate
    | CaughtUpUpdate
)


@dataclass(frozen=True)
class RunRow:
    """One run in the list of runs."""

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
    metric: str = ""  # the metric whose last value is `value`
    value: float | None = None
