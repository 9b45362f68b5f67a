"""Every message by name: the socket messages are defined here, their parts in the modules beside."""

from __future__ import annotations

import msgspec

from helm_sdk.protocol.batch import Batch, Catalogue, Event, PointGroup, Span, StreamDef
from helm_sdk.protocol.commands import Command, CommandState
from helm_sdk.protocol.declared import Capability, ControlState, Plan, PlanCurve, RateOverride, TensorInfo
from helm_sdk.protocol.folder import GitState, LiveEntry, ProcessRecord, RunRecord, UserRecord
from helm_sdk.protocol.message import Message

__all__ = [
    "PROTOCOL_VERSION",
    "PUBLISHED",
    "REPLIES",
    "REQUESTS",
    "TRAINER_SAFE_POINT",
    "TYPE_NAMES",
    "Answer",
    "ApproveCommand",
    "Attach",
    "Backfill",
    "Batch",
    "CancelCommand",
    "Capability",
    "Catalogue",
    "Command",
    "CommandState",
    "ControlState",
    "Event",
    "Fetch",
    "FilePart",
    "Finished",
    "GitState",
    "Heartbeat",
    "LiveEntry",
    "Message",
    "Page",
    "Plan",
    "PlanCurve",
    "PointGroup",
    "ProcessRecord",
    "RateOverride",
    "Refusal",
    "RunRecord",
    "SafePointRate",
    "SendCommand",
    "Snapshot",
    "Span",
    "StreamDef",
    "TensorInfo",
    "UserRecord",
]

PROTOCOL_VERSION = 1
TRAINER_SAFE_POINT = "trainer.step"


# Requests and replies on ROUTER ----------------------------------------------------------------


class Attach(Message, frozen=True, kw_only=True):
    """Type "attach": requests a snapshot."""

    request: str
    process: str
    via: str = ""
    version: int = PROTOCOL_VERSION


class Snapshot(Message, frozen=True, kw_only=True):
    """Type "snapshot": the state as of last_seq; later changes follow as batches."""

    request: str
    process: str
    attempt: int
    last_seq: int
    attempts: dict[int, int] = msgspec.field(
        default_factory=dict
    )  # last sequence number of each attempt of this process
    heartbeat: Heartbeat | None = None
    streams: tuple[StreamDef, ...] = ()
    catalogues: tuple[Catalogue, ...] = ()
    open_commands: tuple[Event, ...] = ()
    run: RunRecord | None = None
    version: int = PROTOCOL_VERSION


class Backfill(Message, frozen=True, kw_only=True):
    """Type "backfill": requests a page of history, the batches after_seq < seq <= upto_seq."""

    request: str
    process: str
    attempt: int
    after_seq: int
    upto_seq: int
    limit_bytes: int = 1 << 20


class Page(Message, frozen=True, kw_only=True):
    """Type "page": batches in order; a client requests the next page after `last`."""

    request: str
    process: str
    attempt: int
    last: int  # the sequence number that this page reaches
    batches: tuple[Batch, ...] = ()


class SendCommand(Message, frozen=True, kw_only=True):
    """Type "command": requests a change; answered when its first state is on disk."""

    request: str
    process: str
    command: Command
    via: str = ""


class CancelCommand(Message, frozen=True, kw_only=True):
    """Type "cancel": withdraws a command that has not been applied."""

    request: str
    process: str
    command_id: str
    reason: str = ""


class ApproveCommand(Message, frozen=True, kw_only=True):
    """Type "approve": approves or refuses a command that awaits approval."""

    request: str
    process: str
    command_id: str
    approve: bool
    reason: str = ""


class Answer(Message, frozen=True, kw_only=True):
    """Type "answer": the recorded state of a command."""

    request: str
    process: str
    event: Event  # kind "command"


class Fetch(Message, frozen=True, kw_only=True):
    """Type "fetch": requests a part of a file in the run folder."""

    request: str
    process: str
    path: str
    offset: int = 0
    limit_bytes: int = 1 << 20


class FilePart(Message, frozen=True, kw_only=True):
    """Type "file": a part of a file."""

    request: str
    path: str
    offset: int
    size: int  # of the whole file
    data: bytes


class Refusal(Message, frozen=True, kw_only=True):
    """Type "error": why a request failed, in one sentence."""

    request: str
    message: str


# Liveness --------------------------------------------------------------------------------------


class SafePointRate(Message, frozen=True, kw_only=True):
    """How often the loop visits a safe point."""

    name: str
    calls: int = 0
    step: int | None = None
    seconds: float | None = None  # between calls, smoothed over the last ones


class Heartbeat(Message, frozen=True, kw_only=True):
    """Type "heartbeat", each second: the process lives, and its last sequence number."""

    process: str
    attempt: int
    last_seq: int
    time: float
    step: int | None = None
    paused: bool = False
    doing: str = ""  # the open span, such as "eval" or "checkpoint"
    safe_points: tuple[SafePointRate, ...] = ()
    lost_points: int = 0  # counted as lost because the disk was full or too slow
    spilled_points: int = 0  # that waited in a file beside the process file before they were stored


class Finished(Message, frozen=True, kw_only=True):
    """Type "finished": the last message of a process, and how it ended."""

    process: str
    attempt: int
    last_seq: int
    time: float
    outcome: str = "finished"  # or "interrupted", "failed"
    message: str = ""
    exit_status: int | None = None


PUBLISHED: dict[str, type[Message]] = {"batch": Batch, "heartbeat": Heartbeat, "finished": Finished}
REQUESTS: dict[str, type[Message]] = {
    "attach": Attach,
    "backfill": Backfill,
    "command": SendCommand,
    "cancel": CancelCommand,
    "approve": ApproveCommand,
    "fetch": Fetch,
}
REPLIES: dict[str, type[Message]] = {
    "snapshot": Snapshot,
    "page": Page,
    "answer": Answer,
    "file": FilePart,
    "error": Refusal,
}
TYPE_NAMES: dict[type[Message], str] = {
    message: name for table in (PUBLISHED, REQUESTS, REPLIES) for name, message in table.items()
}
