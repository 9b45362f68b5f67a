"""The updates that `RunClient.poll` returns: one frozen dataclass for each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from helm_sdk.protocol.messages import Batch, Event, FilePart, Finished, Heartbeat, Snapshot

CONNECTING: Final = "connecting"
ATTACHED: Final = "attached"
KEY_REFUSED: Final = "key refused"
LOST: Final = "lost"
ENDED: Final = "ended"
FILE_ONLY: Final = "file only"


@dataclass(frozen=True)
class BatchUpdate:
    """The next batch of one attempt of one process: each sequence number exactly once, in order.

    Attributes:
        process: The process that wrote it.
        attempt: The attempt of that process.
        batch: The batch.
        history: Whether it was read from the file or in pages, and not received live.
    """

    process: str
    attempt: int
    batch: Batch
    history: bool = False


@dataclass(frozen=True)
class HeartbeatUpdate:
    """A heartbeat of a process, about once a second."""

    process: str
    attempt: int
    heartbeat: Heartbeat


@dataclass(frozen=True)
class FinishedUpdate:
    """A process has ended; all its batches were delivered before this."""

    process: str
    attempt: int
    finished: Finished


@dataclass(frozen=True)
class LinkUpdate:
    """The state of the connection to a process has changed.

    Attributes:
        process: The process.
        state: "connecting", "attached" (with the snapshot), "key refused", "lost" (no heartbeat for 15 s),
            "file only" (it lives, but only its file can be followed from here: it opened no sockets, or runs
            on another host) or "ended" (the process does not live: the run has ended, or was killed).
        text: One sentence for people.
        snapshot: The snapshot, with "attached"; else None.
    """

    process: str
    state: str
    text: str = ""
    snapshot: Snapshot | None = None


@dataclass(frozen=True)
class AnswerUpdate:
    """The answer to a command, a cancel or an approve: the command's recorded state."""

    process: str
    attempt: int
    request: str
    command_id: str
    event: Event


@dataclass(frozen=True)
class RefusalUpdate:
    """A request that failed, with the reason in one sentence."""

    process: str
    request: str
    command_id: str
    message: str


@dataclass(frozen=True)
class FileUpdate:
    """A part of a file of the run folder, requested with `RunClient.fetch`."""

    process: str
    request: str
    part: FilePart


@dataclass(frozen=True)
class ProcessesUpdate:
    """A new process of the run, or a new attempt of a process."""

    process: str
    attempt: int
    role: str = ""
    live: bool = False


Update: TypeAlias = (
    BatchUpdate
    | HeartbeatUpdate
    | FinishedUpdate
    | LinkUpdate
    | AnswerUpdate
    | RefusalUpdate
    | FileUpdate
    | ProcessesUpdate
)
