"""A batch and what is in it: streams, points, events, catalogues."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.protocol.message import Message


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
    body: dict[str, Any] = msgspec.field(default_factory=dict)


class Span(Message, frozen=True, kw_only=True):
    """The body of an event of kind "span": where the time went."""

    name: str
    seconds: float
    start: float = 0.0  # unix seconds
    count: int = 1  # how many it sums up


class Catalogue(Message, frozen=True, kw_only=True):
    """A replaceable snapshot: the newest revision of a kind is the whole truth."""

    kind: str  # "capabilities", "tensors", "plan", "rate_overrides", "facts", "summary", "streams"
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
