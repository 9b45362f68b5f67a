"""The queue of what a process records: points, streams, events and catalogues on their way to the journal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.journal import Journal
from helm_sdk._recorder.point_columns import Definition, PointColumns
from helm_sdk._recorder.spill_queue import PackedChunk, SpillQueue
from helm_sdk._shared.notice import print_notice
from helm_sdk._shared.signals import deferred
from helm_sdk.protocol import packing
from helm_sdk.protocol.messages import Catalogue, Event, PointGroup, StreamDef
from helm_sdk.record.errors import RecordError
from helm_sdk.record.spill import CATALOGUE

_SCALARS_AT_ONCE = 20_000
_MAX_WAIT = 0.05  # seconds that a call of the loop waits for the recorder when memory is full


class PointQueue:
    """Numbers events and catalogues, and groups points.

    It is used on the recorder's thread, except for `pack_oldest`, which a thread that logs calls.
    """

    def __init__(self, journal: Journal, buffer: Buffer, spill_queue: SpillQueue, anchor: float) -> None:
        self._journal = journal
        self._spill_queue = spill_queue
        self._buffer = buffer
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self._columns = PointColumns(anchor, buffer.notices)
        self._catalogues: dict[str, Catalogue] = {}
        self._events = 0
        self._popped_before = -1

    @property
    def streams(self) -> list[StreamDef]:
        """Every stream so far."""
        return self._columns.streams

    @property
    def catalogues(self) -> list[Catalogue]:
        """The newest catalogue of each kind."""
        return list(self._catalogues.values())

    @property
    def first_step(self) -> int | None:
        """The first step that was logged; None before it."""
        return self._columns.first_step

    def add_event(
        self, kind: str, step: int | None, body: dict[str, Any], at: float, *, durable: bool = False
    ) -> Event:
        """Put an event into the next commit and return it; `at` is a monotonic time."""
        if step is not None and not -(1 << 63) <= step < 1 << 63:
            step = None
        event = Event(id=self._events + 1, kind=kind, time=self._anchor + at, step=step, body=body)
        if not packing.sendable(event):
            event = msgspec.structs.replace(event, body={"left_out": "the body could not be sent"})
        self._events += 1
        self._journal.add([event], durable=durable)
        return event

    def add_catalogue(self, kind: str, body: Any) -> None:
        """Put a catalogue into the next commit; it replaces the earlier one of its kind."""
        old = self._catalogues.get(kind)
        catalogue = Catalogue(kind=kind, revision=old.revision + 1 if old else 1, body=body)
        if not packing.sendable(catalogue):
            self._buffer.notices.once(
                f"catalogue {kind}", f"The catalogue {kind} could not be sent: it is left out"
            )
            return
        self._catalogues[kind] = catalogue
        self._journal.add([catalogue])

    def define(self, name: str, definition: Definition) -> None:
        """Set the unit and direction of a stream, before or after its first point."""
        with self._buffer.pop_lock:
            self._columns.define(name, definition)
            new = self._columns.pop_new_definitions()
        self._journal.add(new)

    def drain(self) -> int:
        """Put one chunk of waiting points into the next commit; return how many points."""
        if self._spill_queue.in_file and self._journal.failing:
            return 0  # it is safe in the file, and takes no memory there
        streams: Sequence[StreamDef]
        groups: Sequence[PointGroup]
        with self._buffer.pop_lock:
            chunk = self._spill_queue.pop()
            if chunk is None:
                streams, groups = self._pack()
        if chunk is not None:
            streams, groups = self._chunk_points(chunk)
        self._journal.add(streams)
        self._journal.add(groups)
        if chunk is not None and chunk.location is not None:
            self._record_release(chunk.location.number)
        return sum(len(group.values) // 8 for group in groups)

    @property
    def has_pending(self) -> bool:
        """Whether points wait for a commit."""
        return bool(self._buffer.rows) or len(self._spill_queue) > 0

    def next_chunk(self, most: int) -> int:
        """Drain until about `most` points are in the next commit or few are left; return how many."""
        points = 0
        while points < most:
            drained = self.drain()
            points += drained
            if not drained or (drained < _SCALARS_AT_ONCE // 2 and not self._spill_queue):
                break
        return points

    @property
    def packed_bytes(self) -> int:
        """About how many bytes of packed points wait in memory."""
        return self._journal.pending_bytes + self._spill_queue.memory_bytes

    def pack_oldest(self) -> bool:
        """Pack the oldest rows, on a thread that logs; return True when the buffer has room now.

        When memory is full but the recorder makes progress, wait for it up to `_MAX_WAIT`, so that nothing
        is lost.
        """
        if self._make_room():
            return True
        popped = self._spill_queue.popped_bytes
        if self._journal.failing or popped == self._popped_before:
            return False
        self._popped_before = popped
        until = time.monotonic() + _MAX_WAIT
        while time.monotonic() < until:
            time.sleep(0.001)
            if self._make_room():
                return True
        return False

    def _make_room(self) -> bool:
        buffer = self._buffer
        with deferred(), buffer.pop_lock:
            buffer.reserve(self.packed_bytes)
            while len(buffer.rows) >= buffer.max_rows:
                streams, groups = self._pack()
                if not groups:
                    return False
                self._spill_queue.put(streams, groups)
                buffer.reserve(self.packed_bytes)
            return True

    def spill_all(self) -> int:
        """Write all waiting points to the file beside the run; return how many wait there."""
        with self._buffer.pop_lock:
            while (packed := self._pack())[1]:
                self._spill_queue.put(*packed)
        self._spill_queue.spill(keep=0)
        return self._spill_queue.points_in_file

    def _pack(self) -> tuple[list[StreamDef], list[PointGroup]]:
        """Return the oldest rows as one chunk; call it with the buffer's `pop_lock` locked."""
        rows = self._buffer.pop(_SCALARS_AT_ONCE)
        if not rows:
            return [], []
        try:
            groups = self._columns.group(rows)
        except Exception:
            self._buffer.lost += sum(len(row[0]) for row in rows)
            raise
        return self._columns.pop_new_definitions(), groups

    def _chunk_points(self, chunk: PackedChunk) -> tuple[Sequence[StreamDef], Sequence[PointGroup]]:
        streams, groups = chunk.streams, chunk.groups
        if chunk.location is not None:
            try:
                batch = self._spill_queue.read(chunk.location)
            except RecordError as error:
                print_notice(f"Lost {chunk.points:,} points that waited in a file: {error}")
                self._buffer.lost += chunk.points
                return self._columns.streams, ()
            streams, groups = batch.streams, batch.groups
        # A call of `define` since it was packed is newer.
        return [self._columns.stream(stream.id) for stream in streams], groups

    def _record_release(self, number: int) -> None:
        """Record in the same commit that this chunk is stored, so that a recovery does not store it again."""
        self.add_catalogue(CATALOGUE, {"number": number})
        self._journal.later(lambda: self._spill_queue.release(number))
