"""Points packed before the recorder came to them: in memory, and over a part of the bound in a file."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from helm_sdk._shared.notice import Notices
from helm_sdk.protocol import packing
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.record.errors import RecordError
from helm_sdk.record.spill import SpillFile, SpillLocation

_RETRY_SECONDS = 1.0
_WRITE_AT_ONCE = 4 << 20


@dataclass(slots=True)
class PackedChunk:
    """Streams and groups as one chunk; `place` once it is in the file and no longer here."""

    streams: tuple[StreamDef, ...]
    groups: tuple[PointGroup, ...]
    points: int
    size: int
    place: SpillLocation | None = None


class SpillQueue:
    """First in, first out, the file before memory.

    Whoever logs may `put`, under the buffer's lock; all else is the recorder's.
    """

    def __init__(self, spill: SpillFile, most: int, process: str, attempt: int, notices: Notices) -> None:
        self._spill = spill
        self._most = most  # bytes in memory over which blocks go to the file
        self._process = process
        self._attempt = attempt
        self._notices = notices
        self._blocks: deque[PackedChunk] = deque()
        self._retry_at = 0.0
        self._put = 0  # bytes; each figure has one writer at a time, so that neither needs another lock
        self._gone = 0
        self.spilled_points = 0  # that went through the file, all in all

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def memory_bytes(self) -> int:
        """Bytes in memory."""
        return self._put - self._gone

    @property
    def gone(self) -> int:
        """Bytes that have left memory, all in all."""
        return self._gone

    @property
    def points_in_file(self) -> int:
        """How many points wait in the file now."""
        return sum(block.points for block in list(self._blocks) if block.place is not None)

    def put(self, streams: Sequence[StreamDef], groups: Sequence[PointGroup]) -> None:
        """Take a chunk that the recorder has not come to."""
        points = sum(len(group.values) // 8 for group in groups)
        size = sum(map(packing.size_of, streams)) + sum(map(packing.size_of, groups))
        self._blocks.append(PackedChunk(tuple(streams), tuple(groups), points, size))
        self._put += size

    def pop(self) -> PackedChunk | None:
        """Return the oldest chunk; one that is in the file has to be read with `read`."""
        if not self._blocks:
            return None
        block = self._blocks.popleft()
        if block.place is None:
            self._gone += block.size
        return block

    @property
    def in_file(self) -> bool:
        """Whether the oldest chunk is in the file."""
        return bool(self._blocks) and self._blocks[0].place is not None

    def read(self, place: SpillLocation) -> Batch:
        """Return what a chunk in the file holds. Raises RecordError when it cannot be read any more."""
        return self._spill.read(place)

    def release(self, number: int) -> None:
        """The chunks of the file up to this number are committed."""
        self._spill.release(number)

    @property
    def over(self) -> bool:
        """Whether memory holds more than its part, and the file is worth a try."""
        return self.memory_bytes > self._most and time.monotonic() >= self._retry_at

    def spill(self, keep: int | None = None) -> bool:
        """Write the oldest of what memory holds to the file until at most `keep` bytes stay.

        False when the disk did not take it: then it stays in memory.
        """
        keep = self._most // 2 if keep is None else keep
        loose = [block for block in list(self._blocks) if block.place is None]
        while loose and self.memory_bytes > keep:
            part = _up_to(loose, min(_WRITE_AT_ONCE, self.memory_bytes - keep))
            del loose[: len(part)]
            try:
                places = self._spill.append([self._batch(block) for block in part])
            except RecordError as error:
                self._retry_at = time.monotonic() + _RETRY_SECONDS
                self._notices.once("spill", f"{error}; what waits is kept in memory while there is room")
                return False
            for block, place in zip(part, places, strict=True):
                block.place, block.streams, block.groups = place, (), ()
                self._gone += block.size
                self.spilled_points += block.points
        return True

    def close(self) -> None:
        """Let go of the file."""
        self._spill.close()

    def _batch(self, block: PackedChunk) -> Batch:
        return Batch(
            process=self._process, attempt=self._attempt, seq=0, streams=block.streams, groups=block.groups
        )


def _up_to(blocks: Sequence[PackedChunk], size: int) -> list[PackedChunk]:
    """Return the first of them, until they have `size` bytes."""
    part: list[PackedChunk] = []
    for block in blocks:
        part.append(block)
        size -= block.size
        if size <= 0:
            break
    return part
