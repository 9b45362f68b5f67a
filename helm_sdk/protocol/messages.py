"""Every message, by name: those of the sockets are here, what they carry is gathered from beside."""

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
    "SafePointPace",
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
    """type "attach": asks for a snapshot."""

    request: str
    process: str
    via: str = ""
    version: int = PROTOCOL_VERSION


class Snapshot(Message, frozen=True, kw_only=True):
    """type "snapshot": the state as of last_seq; what comes after it follows as batches."""

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
    """type "backfill": asks for a page of history after one number up to another."""

    request: str
    process: str
    attempt: int
    after_seq: int
    upto_seq: int
    limit_bytes: int = 1 << 20


class Page(Message, frozen=True, kw_only=True):
    """type "page": history in order; ask again after `last` until it reaches what was asked for."""

    request: str
    process: str
    attempt: int
    last: int  # the sequence number that this page reaches
    batches: tuple[Batch, ...] = ()


class SendCommand(Message, frozen=True, kw_only=True):
    """type "command": asks for a change; answered once its first state is on disk."""

    request: str
    process: str
    command: Command
    via: str = ""


class CancelCommand(Message, frozen=True, kw_only=True):
    """type "cancel": withdraws a command that has not been applied."""

    request: str
    process: str
    command_id: str
    reason: str = ""


class ApproveCommand(Message, frozen=True, kw_only=True):
    """type "approve": approves or refuses a command that waits for it."""

    request: str
    process: str
    command_id: str
    approve: bool
    reason: str = ""


class Answer(Message, frozen=True, kw_only=True):
    """type "answer": the recorded state of a command."""

    request: str
    process: str
    event: Event  # kind "command"


class Fetch(Message, frozen=True, kw_only=True):
    """type "fetch": asks for a part of a file inside the run folder."""

    request: str
    process: str
    path: str
    offset: int = 0
    limit_bytes: int = 1 << 20


class FilePart(Message, frozen=True, kw_only=True):
    """type "file": a part of a file."""

    request: str
    path: str
    offset: int
    size: int  # of the whole file
    data: bytes


class Refusal(Message, frozen=True, kw_only=True):
    """type "error": a request that could not be served, in one sentence."""

    request: str
    message: str


# Liveness --------------------------------------------------------------------------------------


class SafePointPace(Message, frozen=True, kw_only=True):
    """How often a safe point comes by."""

    name: str
    calls: int = 0
    step: int | None = None
    seconds: float | None = None  # between the last calls, smoothed


class Heartbeat(Message, frozen=True, kw_only=True):
    """type "heartbeat", each second: says that the process lives and what its last number is."""

    process: str
    attempt: int
    last_seq: int
    time: float
    step: int | None = None
    paused: bool = False
    doing: str = ""  # "eval", "checkpoint" while in such a span
    safe_points: tuple[SafePointPace, ...] = ()
    lost_points: int = 0  # counted as lost because the disk was full or too slow
    spilled_points: int = 0  # that went through a file beside the run before they came into it


class Finished(Message, frozen=True, kw_only=True):
    """type "finished": the last word of a process."""

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
