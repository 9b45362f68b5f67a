"""The spill queue: packed points that wait for the recorder, in memory and above a bound in a file."""

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
    """Stream definitions and point groups; in the file, `location` is set and both are empty."""

    streams: tuple[StreamDef, ...]
    groups: tuple[PointGroup, ...]
    points: int
    size: int
    location: SpillLocation | None = None


class SpillQueue:
    """A queue of chunks, oldest first; those in the file are older than those in memory.

    A thread that logs may call `put` with the buffer's `pop_lock` locked; all else is done on the recorder's
    thread.
    """

    def __init__(self, spill: SpillFile, most: int, process: str, attempt: int, notices: Notices) -> None:
        self._spill = spill
        self._most = most  # bytes in memory above which chunks go to the file
        self._process = process
        self._attempt = attempt
        self._notices = notices
        self._chunks: deque[PackedChunk] = deque()
        self._retry_at = 0.0
        self._put_bytes = 0  # it and the next have one writing thread each, so that neither needs a lock
        self._popped_bytes = 0  # that have left memory, by `pop` or into the file
        self.spilled_points = 0  # points written to the file so far

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def memory_bytes(self) -> int:
        """How many bytes wait in memory."""
        return self._put_bytes - self._popped_bytes

    @property
    def popped_bytes(self) -> int:
        """How many bytes have left memory so far."""
        return self._popped_bytes

    @property
    def points_in_file(self) -> int:
        """How many points wait in the file."""
        return sum(chunk.points for chunk in list(self._chunks) if chunk.location is not None)

    def put(self, streams: Sequence[StreamDef], groups: Sequence[PointGroup]) -> None:
        """Add a chunk in memory."""
        points = sum(len(group.values) // 8 for group in groups)
        size = sum(map(packing.size_of, streams)) + sum(map(packing.size_of, groups))
        self._chunks.append(PackedChunk(tuple(streams), tuple(groups), points, size))
        self._put_bytes += size

    def pop(self) -> PackedChunk | None:
        """Remove and return the oldest chunk, None when empty; read one that is in the file with `read`."""
        if not self._chunks:
            return None
        chunk = self._chunks.popleft()
        if chunk.location is None:
            self._popped_bytes += chunk.size
        return chunk

    @property
    def in_file(self) -> bool:
        """Whether the oldest chunk is in the file."""
        return bool(self._chunks) and self._chunks[0].location is not None

    def read(self, location: SpillLocation) -> Batch:
        """Return the content of a chunk in the file. Raises RecordError when it can no longer be read."""
        return self._spill.read(location)

    def release(self, number: int) -> None:
        """Delete what the file holds up to this number, which is committed now."""
        self._spill.release(number)

    @property
    def over(self) -> bool:
        """Whether memory holds more than its bound, and no write to the file has failed just before."""
        return self.memory_bytes > self._most and time.monotonic() >= self._retry_at

    def spill(self, keep: int | None = None) -> bool:
        """Write the oldest chunks in memory to the file until at most `keep` bytes stay there.

        None: half the bound. Return False when the disk failed; then they stay in memory.
        """
        keep = self._most // 2 if keep is None else keep
        in_memory = [chunk for chunk in list(self._chunks) if chunk.location is None]
        while in_memory and self.memory_bytes > keep:
            part = _up_to(in_memory, min(_WRITE_AT_ONCE, self.memory_bytes - keep))
            del in_memory[: len(part)]
            try:
                locations = self._spill.append([self._batch(chunk) for chunk in part])
            except RecordError as error:
                self._retry_at = time.monotonic() + _RETRY_SECONDS
                self._notices.once("spill", f"Points wait in memory as long as there is room: {error}")
                return False
            for chunk, location in zip(part, locations, strict=True):
                chunk.location, chunk.streams, chunk.groups = location, (), ()
                self._popped_bytes += chunk.size
                self.spilled_points += chunk.points
        return True

    def close(self) -> None:
        """Close the file; what waits in it stays there."""
        self._spill.close()

    def _batch(self, chunk: PackedChunk) -> Batch:
        return Batch(
            process=self._process, attempt=self._attempt, seq=0, streams=chunk.streams, groups=chunk.groups
        )


def _up_to(chunks: Sequence[PackedChunk], size: int) -> list[PackedChunk]:
    """Return the first chunks, until they have `size` bytes."""
    part: list[PackedChunk] = []
    for chunk in chunks:
        part.append(chunk)
        size -= chunk.size
        if size <= 0:
            break
    return part
