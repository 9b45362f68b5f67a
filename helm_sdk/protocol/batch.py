"""A batch and its content: stream definitions, point groups, events, catalogues."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.protocol.message import Message


class StreamDef(Message, frozen=True, kw_only=True):
    """The definition of a stream, with its number in one process file; it comes before its first point."""

    id: int
    name: str
    kind: str = "scalar"  # or "axis": a further x value, no chart of its own
    unit: str = ""
    better: str = ""  # "lower", "higher" or unknown


class PointGroup(Message, frozen=True, kw_only=True):
    """Rows of k streams that were logged together: n steps, n times and k*n values, stream by stream."""

    streams: tuple[int, ...]
    steps: bytes  # int64[n], little-endian
    times: bytes  # float64[n], little-endian, unix seconds by the monotonic clock
    values: bytes  # float64[k*n], little-endian; values[i*n:(i+1)*n] belongs to streams[i]

    @property
    def rows(self) -> int:
        """The number of rows, n."""
        return len(self.steps) // 8


class Event(Message, frozen=True, kw_only=True):
    """Something that happened at a step: a command's change of state, a checkpoint, a warning."""

    id: int  # 1, 2, 3, … within the process file
    kind: str
    time: float
    step: int | None = None
    body: dict[str, Any] = msgspec.field(default_factory=dict)


class Span(Message, frozen=True, kw_only=True):
    """The body of an event of kind "span": a stretch of time with a name."""

    name: str
    seconds: float
    start: float = 0.0  # unix seconds
    count: int = 1  # how many spans it sums up


class Catalogue(Message, frozen=True, kw_only=True):
    """A list that is replaced whole: only the newest revision of a kind counts."""

    kind: str  # "capabilities", "tensors", "plan", "rate_overrides", "facts", "summary", "streams"
    revision: int
    body: Any


class Batch(Message, frozen=True, kw_only=True):
    """What one process commits as a unit. In history it may cover several sequence numbers, first to seq."""

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
