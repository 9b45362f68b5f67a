"""Every message of the wire and every record of the run folder, defined once."""

from __future__ import annotations

from typing import Any

import msgspec

PROTOCOL_VERSION = 1
TRAINER_SAFE_POINT = "trainer.step"


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A struct that ignores unknown fields and gives every new field a default."""


# What is inside a batch ------------------------------------------------------------------------


class StreamDef(Message, frozen=True, kw_only=True):
    """A stream's small number in one process file, before its first point."""

    id: int
    name: str
    kind: str = "scalar"  # or "axis": a further x value, no chart of its own
    unit: str = ""
    better: str = ""  # "lower", "higher" or unknown


class PointGroup(Message, frozen=True, kw_only=True):
    """Rows of streams that were logged together: n steps and times, k*n values, stream after stream."""

    streams: tuple[int, ...]
    steps: bytes  # int64[n], little-endian
    times: bytes  # float64[n], unix seconds by the monotonic clock
    values: bytes  # float64[k*n], little-endian; values[i*n:(i+1)*n] belongs to streams[i]

    @property
    def rows(self) -> int:
        """How many steps the group holds."""
        return len(self.steps) // 8


class Event(Message, frozen=True, kw_only=True):
    """Something that happened at a step: a command's change of state, a checkpoint, a warning."""

    id: int  # counts within the process file
    kind: str
    time: float
    step: int | None = None
    body: dict[str, Any] = {}


class Span(Message, frozen=True, kw_only=True):
    """The body of an event of kind "span": where the time went."""

    name: str
    seconds: float
    start: float = 0.0  # unix seconds
    count: int = 1  # how many it sums up


class Catalogue(Message, frozen=True, kw_only=True):
    """A replaceable snapshot: the newest revision of a kind is the whole truth."""

    kind: str  # "capabilities", "tensors", "plan", "courses", "facts", "summary", "streams"
    revision: int
    body: Any


class Batch(Message, frozen=True, kw_only=True):
    """One commit of one process. Covers the sequence numbers first..seq (merged history holds several)."""

    process: str
    attempt: int
    seq: int
    first: int = 0  # 0: the same as seq
    streams: tuple[StreamDef, ...] = ()
    groups: tuple[PointGroup, ...] = ()
    events: tuple[Event, ...] = ()
    catalogues: tuple[Catalogue, ...] = ()

    @property
    def start(self) -> int:
        """The first sequence number that the batch covers."""
        return self.first or self.seq


# What a script declares ------------------------------------------------------------------------


class Capability(Message, frozen=True, kw_only=True):
    """A control that a run offers: its name, its typed input, and where in the loop it is applied."""

    name: str
    provider: str = "script"
    version: str = "1.0.0"
    input_schema: dict[str, Any] = {}
    output_schema: dict[str, Any] = {}
    safe_points: tuple[str, ...] = ()
    starting: Any = None
    help: str = ""
    button: str = ""  # the word on the button of a control without input, such as "Save now"
    reads: str = ""  # the stream that shows what the run really used ("Ran at")
    requires_approval: bool = False


class ControlState(Message, frozen=True, kw_only=True):
    """One entry of the "capabilities" catalogue."""

    capability: Capability
    unavailable: str = ""  # why this control cannot be used now


class TensorInfo(Message, frozen=True, kw_only=True):
    """One parameter or buffer of a model: an entry of the "tensors" catalogue."""

    path: str
    module: str  # the module's type
    shape: tuple[int, ...]
    dtype: str
    device: str
    bytes: int
    kind: str = "parameter"  # or "buffer"
    tied_to: str = ""
    topology: str = ""  # shard topology; empty: whole on each rank


class PlanCurve(Message, frozen=True, kw_only=True):
    """The planned values of one stream, linear between its knots."""

    stream: str
    steps: tuple[int, ...]
    values: tuple[float, ...]


class Plan(Message, frozen=True, kw_only=True):
    """The "plan" catalogue: how far the run goes, and the rates the scheduler will set."""

    step: int | None = None  # the last step, exclusive: a run of 600 steps says 600
    tokens: int | None = None
    made_at: int = 0
    curves: tuple[PlanCurve, ...] = ()


class RateCourse(Message, frozen=True, kw_only=True):
    """How the rate of one stream follows from its schedule now: an entry of the "courses" catalogue.

    Scaled by `factor`, or held; with keyframes that is so before the first of them, then linear between them.
    """

    stream: str
    schedule: str = ""  # "cosine"; empty: nothing sets the rate but people
    factor: float = 1.0
    held: float | None = None
    points: tuple[tuple[float, float], ...] = ()  # keyframes (at, value), passed ones too
    axis: str = "step"  # of the keyframes, or "tokens"
    then_hold: bool = False  # after the last keyframe: held there, else along the schedule, scaled


# A command's life ------------------------------------------------------------------------------


class Command(Message, frozen=True, kw_only=True):
    """A change that somebody asks for."""

    id: str
    capability: str
    input: Any = None
    version: str = ""  # empty: whatever the run declares
    process: str = ""  # empty: the one that declares it; "all": each that does
    reason: str = ""
    expires_step: int | None = None
    expires_in: float | None = None  # seconds from receipt
    expect_revision: int | None = None
    supersedes: str = ""


class CommandState(Message, frozen=True, kw_only=True):
    """The body of an event of kind "command"."""

    command_id: str
    capability: str
    state: str  # one of commands.STATES
    sender: str = ""  # the name that the allow-list gives the sender's key
    sender_key: str = ""
    via: str = ""  # the program that sent it, in its own words
    approval: str = ""  # from "awaiting approval" on: "sender" (who may give it too) or "another key"
    approver: str = ""
    input: Any = None  # on "received"
    reason: str = ""
    message: str = ""  # why it was rejected, failed or has to be approved: one sentence
    frames: tuple[str, ...] = ()  # the last frames of a handler that raised
    safe_point: str = ""
    revision: int = 0  # the control's revision: applied changes so far, this one included
    expect_revision: int | None = None
    expires_step: int | None = None
    expires_at: float | None = None
    supersedes: str = ""
    old: Any = None
    new: Any = None
    result: Any = None
    ran_at: float | None = None  # on "confirmed"
    ranks: dict[str, Any] = {}  # on "applied" with several ranks: old and new of each, by process


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
    attempts: dict[int, int] = {}  # last sequence number of each attempt of this process
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


# Files of the run folder -----------------------------------------------------------------------


class GitState(Message, frozen=True, kw_only=True):
    """Where the script's source stood."""

    commit: str = ""
    branch: str = ""
    dirty: bool = False


class RunRecord(Message, frozen=True, kw_only=True):
    """run.json: written by training only."""

    run_id: str
    project: str
    name: str
    created: float
    config: dict[str, Any] = {}
    tags: tuple[str, ...] = ()
    notes: str = ""
    command: tuple[str, ...] = ()
    git: GitState | None = None
    versions: dict[str, str] = {}
    host: str = ""
    fork_from: str = ""
    fork_step: int | None = None
    format: int = 1


class UserRecord(Message, frozen=True, kw_only=True):
    """user.json: what people change, written by app and shell."""

    name: str = ""
    tags: tuple[str, ...] | None = None
    notes: str | None = None
    pinned: bool = False
    archived: bool = False
    step_notes: dict[str, str] = {}


class LiveEntry(Message, frozen=True, kw_only=True):
    """One file of the index of live processes."""

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
    heartbeat: float = 0.0


class ProcessRecord(Message, frozen=True, kw_only=True):
    """Who wrote a process file: kept in the file itself."""

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
    outcome: str = ""  # empty until finished
    message: str = ""
    exit_status: int | None = None
    ended: float | None = None


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
