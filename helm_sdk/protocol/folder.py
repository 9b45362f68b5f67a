"""The records in the JSON files and process files of a run folder."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.protocol.message import Message


class GitState(Message, frozen=True, kw_only=True):
    """The git state of the script's source when the run began."""

    commit: str = ""
    branch: str = ""
    dirty: bool = False


class RunRecord(Message, frozen=True, kw_only=True):
    """The content of run.json, which only the training process writes."""

    run_id: str
    project: str
    name: str
    created: float
    config: dict[str, Any] = msgspec.field(default_factory=dict)
    tags: tuple[str, ...] = ()
    notes: str = ""
    command: tuple[str, ...] = ()
    git: GitState | None = None
    versions: dict[str, str] = msgspec.field(default_factory=dict)
    host: str = ""
    fork_from: str = ""
    fork_step: int | None = None
    job: dict[str, str] = msgspec.field(
        default_factory=dict
    )  # ids of a job scheduler: job, array, task, restart
    format: int = 1


class UserRecord(Message, frozen=True, kw_only=True):
    """The content of user.json: what people change in the app and the shell."""

    name: str = ""  # empty: unchanged
    tags: tuple[str, ...] | None = None  # None: unchanged
    notes: str | None = None  # None: unchanged
    pinned: bool = False
    archived: bool = False
    step_notes: dict[str, str] = msgspec.field(default_factory=dict)  # by step


class LiveEntry(Message, frozen=True, kw_only=True):
    """The content of one file of the index of live processes."""

    run_id: str
    project: str
    process: str
    role: str
    attempt: int
    folder: str
    pid: int
    started: float  # the process's own start time, unix seconds
    start_ticks: int = 0  # the same in clock ticks since boot, which no clock jump moves; 0: unknown
    host: str
    boot_id: str = ""
    pid_namespace: str = ""
    publish: str = ""  # endpoint of PUB; empty: no sockets
    request: str = ""  # endpoint of ROUTER
    public_key: str = ""
    heartbeat: float = 0.0  # unix seconds


class ProcessRecord(Message, frozen=True, kw_only=True):
    """The process that writes a process file; stored in the file itself."""

    run_id: str
    process: str
    role: str
    attempt: int
    pid: int
    started: float
    opened: float
    host: str
    boot_id: str = ""
    start_ticks: int = 0
    pid_namespace: str = ""
    start_step: int | None = None
    outcome: str = ""  # empty until the end, then "finished", "interrupted" or "failed"
    message: str = ""
    exit_status: int | None = None
    ended: float | None = None
