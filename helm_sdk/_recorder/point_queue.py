"""What a process has to record: points, streams, events and catalogues on their way to the journal."""

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
from helm_sdk.protocol import packing
from helm_sdk.protocol.messages import Catalogue, Event, PointGroup, StreamDef
from helm_sdk.record.errors import RecordError
from helm_sdk.record.spill import CATALOGUE

_SCALARS_AT_ONCE = 20_000
_PATIENCE = 0.05  # that a call has with the recorder where memory is full


class PointQueue:
    """Numbers events, revises catalogues, groups points. The recorder's thread owns all but `pack_oldest`."""

    def __init__(self, journal: Journal, buffer: Buffer, spill_queue: SpillQueue, anchor: float) -> None:
        self._journal = journal
        self._spill_queue = spill_queue
        self._buffer = buffer
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self._columns = PointColumns(anchor, buffer.notices)
        self._catalogues: dict[str, Catalogue] = {}
        self._events = 0
        self._seen_gone = -1

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
        """The first step that was logged."""
        return self._columns.first_step

    def add_event(
        self, kind: str, step: int | None, body: dict[str, Any], at: float, *, durable: bool = False
    ) -> Event:
        """Put an event of a monotonic time into the next commit."""
        if step is not None and not -(1 << 63) <= step < 1 << 63:
            step = None
        event = Event(id=self._events + 1, kind=kind, time=self._anchor + at, step=step, body=body)
        if not packing.sendable(event):
            event = msgspec.structs.replace(event, body={"left_out": "the body could not be sent"})
        self._events += 1
        self._journal.add([event], durable=durable)
        return event

    def add_catalogue(self, kind: str, body: Any) -> None:
        """Replace a catalogue in the next commit."""
        old = self._catalogues.get(kind)
        catalogue = Catalogue(kind=kind, revision=old.revision + 1 if old else 1, body=body)
        if not packing.sendable(catalogue):
            self._buffer.notices.once(f"catalogue {kind}", f"the {kind} could not be sent: left out")
            return
        self._catalogues[kind] = catalogue
        self._journal.add([catalogue])

    def define(self, name: str, definition: Definition) -> None:
        """Unit and direction of a stream, before or after its first point."""
        with self._buffer.taking:
            self._columns.define(name, definition)
            fresh = self._columns.pop_new_definitions()
        self._journal.add(fresh)

    def drain(self) -> int:
        """Put points that wait into the next commit, a bounded number at once; how many they were."""
        if self._spill_queue.in_file and self._journal.failing:
            return 0  # there it is safe, and takes no memory
        streams: Sequence[StreamDef]
        groups: Sequence[PointGroup]
        with self._buffer.taking:
            block = self._spill_queue.pop()
            if block is None:
                streams, groups = self._pack()
        if block is not None:
            streams, groups = self._chunk_points(block)
        self._journal.add(streams)
        self._journal.add(groups)
        if block is not None and block.place is not None:
            self._commits_with(block.place.number)
        return sum(len(group.values) // 8 for group in groups)

    @property
    def has_pending(self) -> bool:
        """Whether points wait."""
        return bool(self._buffer.rows) or len(self._spill_queue) > 0

    def next_chunk(self, most: int) -> int:
        """Drain until `most` points are in the next commit or little is left; how many they are."""
        points = 0
        while points < most:
            drained = self.drain()
            points += drained
            if not drained or (drained < _SCALARS_AT_ONCE // 2 and not self._spill_queue):
                break
        return points

    @property
    def packed_bytes(self) -> int:
        """About how many bytes wait packed in memory."""
        return self._journal.pending_bytes + self._spill_queue.memory_bytes

    def pack_oldest(self) -> bool:
        """Pack the oldest rows for the recorder, on a thread that logs; whether there is room now.

        Where memory is full and the recorder gets on, it is waited for a moment: nothing need be lost then.
        """
        if self._makes_room():
            return True
        gone = self._spill_queue.gone
        if self._journal.failing or gone == self._seen_gone:
            return False
        self._seen_gone = gone
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            time.sleep(0.001)
            if self._makes_room():
                return True
        return False

    def _makes_room(self) -> bool:
        buffer = self._buffer
        with buffer.taking:
            buffer.reserve(self.packed_bytes)
            while len(buffer.rows) >= buffer.max_rows:
                streams, groups = self._pack()
                if not groups:
                    return False
                self._spill_queue.put(streams, groups)
                buffer.reserve(self.packed_bytes)
            return True

    def spill_all(self) -> int:
        """Write everything that waits to the file beside the run; how many points lie there then."""
        with self._buffer.taking:
            while (packed := self._pack())[1]:
                self._spill_queue.put(*packed)
        self._spill_queue.spill(keep=0)
        return self._spill_queue.points_in_file

    def _pack(self) -> tuple[list[StreamDef], list[PointGroup]]:
        """Return the oldest rows, packed as one chunk; call it under the buffer's lock."""
        rows = self._buffer.pop(_SCALARS_AT_ONCE)
        if not rows:
            return [], []
        try:
            groups = self._columns.group(rows)
        except Exception:
            self._buffer.lost += sum(len(row[0]) for row in rows)
            raise
        return self._columns.pop_new_definitions(), groups

    def _chunk_points(self, block: PackedChunk) -> tuple[Sequence[StreamDef], Sequence[PointGroup]]:
        streams, groups = block.streams, block.groups
        if block.place is not None:
            try:
                batch = self._spill_queue.read(block.place)
            except RecordError as error:
                print_notice(f"{error}: {block.points:,} points are lost")
                self._buffer.lost += block.points
                return self._columns.streams, ()
            streams, groups = batch.streams, batch.groups
        # What `define` said since it was packed is newer.
        return [self._columns.stream(stream.id) for stream in streams], groups

    def _commits_with(self, number: int) -> None:
        """Note in the same commit that this chunk is in, so that nothing is taken in twice."""
        self.add_catalogue(CATALOGUE, {"number": number})
        self._journal.later(lambda: self._spill_queue.release(number))
