"""Collect the points of several batches into chunks: one for each set of streams while it is small."""

from __future__ import annotations

from collections.abc import Sequence

from helm_sdk.protocol.messages import Batch, PointGroup
from helm_sdk.record.chunks import Chunk, ChunkPart, join_rows
from helm_sdk.record.errors import RecordError
from helm_sdk.record.merge import FULL_BYTES


def chunks_of(batches: Sequence[Batch]) -> list[tuple[tuple[int, ...], Chunk]]:
    """Return (set of streams, chunk) pairs; rows keep the order of the batches."""
    chunks: list[tuple[tuple[int, ...], Chunk]] = []
    gathered: dict[tuple[int, ...], _Gathered] = {}
    for batch in batches:
        for index, group in enumerate(batch.groups):
            if group.rows:
                _check_shape(group)
                gathered.setdefault(group.streams, _Gathered()).add(
                    ChunkPart(batch.seq, index, group.rows), group
                )
        # Close chunks only between batches: those of one set must not share a sequence number.
        full = [streams for streams, rows in gathered.items() if rows.size >= FULL_BYTES]
        chunks += [(streams, gathered.pop(streams).chunk()) for streams in full]
    return chunks + [(streams, rows.chunk()) for streams, rows in gathered.items()]


class _Gathered:
    """Rows of one set of streams that become a chunk."""

    def __init__(self) -> None:
        self._parts: list[ChunkPart] = []
        self._groups: list[PointGroup] = []
        self.size = 0

    def add(self, part: ChunkPart, group: PointGroup) -> None:
        self._parts.append(part)
        self._groups.append(group)
        self.size += len(group.values) + 2 * len(group.steps)

    def chunk(self) -> Chunk:
        return Chunk(tuple(self._parts), join_rows(self._groups))


def _check_shape(group: PointGroup) -> None:
    size = group.rows * 8
    fits = len(group.steps) == len(group.times) == size and len(group.values) == size * len(group.streams)
    if not fits or not group.streams:
        raise RecordError("a group's columns are not of one length")
