"""What a process has to record: points, streams, events and catalogues on their way to the journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from helm_sdk import _batches
from helm_sdk._buffer import Buffer
from helm_sdk._columns import Columns, Definition
from helm_sdk._journal import Journal
from helm_sdk.protocol.messages import Catalogue, Event, StreamDef

_SCALARS_AT_ONCE = 20_000


class Ledger:
    """Numbers events, revises catalogues, groups points. Owned by the recorder's thread."""

    def __init__(self, journal: Journal, buffer: Buffer, clock: Callable[[float], float]) -> None:
        self._journal = journal
        self._buffer = buffer
        self._clock = clock
        self._columns = Columns(clock, buffer.notices)
        self._catalogues: dict[str, Catalogue] = {}
        self._events = 0

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
        event = Event(id=self._events + 1, kind=kind, time=self._clock(at), step=step, body=body)
        if not _batches.sendable(event):
            event = msgspec.structs.replace(event, body={"left_out": "the body could not be sent"})
        self._events += 1
        self._journal.add([event], durable=durable)
        return event

    def add_catalogue(self, kind: str, body: Any) -> None:
        """Replace a catalogue in the next commit."""
        old = self._catalogues.get(kind)
        catalogue = Catalogue(kind=kind, revision=old.revision + 1 if old else 1, body=body)
        if not _batches.sendable(catalogue):
            self._buffer.notices.once(f"catalogue {kind}", f"the {kind} could not be sent: left out")
            return
        self._catalogues[kind] = catalogue
        self._journal.add([catalogue])

    def define(self, name: str, definition: Definition) -> None:
        """Unit and direction of a stream, before or after its first point."""
        self._columns.define(name, definition)
        self._add_streams()

    def drain(self) -> bool:
        """Put points that wait into the next commit, a bounded number at once; whether there were any."""
        rows = self._buffer.take(_SCALARS_AT_ONCE)
        if not rows:
            return False
        self._buffer.learn_width(max(len(row[0]) for row in rows))
        try:
            groups = self._columns.group(rows)
        except Exception:
            self._buffer.lost += sum(len(row[0]) for row in rows)
            raise
        self._add_streams()
        self._journal.add(groups)
        return True

    def _add_streams(self) -> None:
        self._journal.add(self._columns.fresh)
        self._columns.fresh = []
