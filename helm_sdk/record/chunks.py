"""Chunks: rows of one set of streams as a process file stores them; they can be cut at any number."""

from __future__ import annotations

import struct
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from helm_sdk.protocol.messages import PointGroup
from helm_sdk.record.errors import DamagedFile
from helm_sdk.record.packed_columns import compress_integers, expand_integers

_HEAD: Final = struct.Struct("<BBHIII")  # version, steps' and times' encoding, streams, rows, bytes of steps
_PLAIN_TIMES: Final = 1  # the version of a body with times as they are
_NARROW_TIMES: Final = 2  # the version of a body with times as differences
_NARROW_UPTO: Final = 16  # streams in a set, up to which compressing its times saves enough
_PLAIN, _DEFLATED = b"\0", b"\1"
_COMPRESS_PARTS_OVER: Final = 96


@dataclass(frozen=True, slots=True)
class ChunkPart:
    """Rows that one group of one batch brought."""

    seq: int
    group_index: int  # of the group within its batch
    rows: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows of one set of streams, in the order in which they were logged."""

    parts: tuple[ChunkPart, ...]
    group: PointGroup

    @property
    def first_seq(self) -> int:
        """The number of the first batch with rows in this chunk."""
        return self.parts[0].seq

    @property
    def last_seq(self) -> int:
        """The number of the last batch with rows in this chunk."""
        return self.parts[-1].seq

    def cut(self, after_seq: int, upto_seq: int) -> Chunk | None:
        """Return the rows of after_seq < seq <= upto_seq; None when there are none."""
        if after_seq < self.first_seq and self.last_seq <= upto_seq:
            return self
        seqs = [part.seq for part in self.parts]
        return self._slice(bisect_right(seqs, after_seq), bisect_right(seqs, upto_seq))

    def pieces(self) -> Iterable[Chunk]:
        """Yield a chunk for each part."""
        for index in range(len(self.parts)):
            piece = self._slice(index, index + 1)
            if piece is not None:
                yield piece

    def _slice(self, first_part: int, end_part: int) -> Chunk | None:
        if first_part >= end_part:
            return None
        ends = list(accumulate((part.rows for part in self.parts), initial=0))
        return Chunk(
            self.parts[first_part:end_part], slice_rows(self.group, ends[first_part], ends[end_part])
        )


def slice_rows(group: PointGroup, start: int, end: int) -> PointGroup:
    """Return the rows from `start` to `end` (exclusive) of a group."""
    rows = group.rows
    if (start, end) == (0, rows):
        return group
    values = memoryview(group.values)
    columns = range(0, len(values), rows * 8)
    return PointGroup(
        streams=group.streams,
        steps=group.steps[start * 8 : end * 8],
        times=group.times[start * 8 : end * 8],
        values=b"".join([values[at + start * 8 : at + end * 8] for at in columns]),
    )


def join_rows(groups: Sequence[PointGroup]) -> PointGroup:
    """Return the rows of several groups of one set of streams, one after another."""
    if len(groups) == 1:
        return groups[0]
    streams = groups[0].streams
    sources = [(memoryview(group.values), group.rows * 8) for group in groups]
    values = b"".join(
        [view[at * size : (at + 1) * size] for at in range(len(streams)) for view, size in sources]
    )
    return PointGroup(
        streams=streams,
        steps=b"".join([group.steps for group in groups]),
        times=b"".join([group.times for group in groups]),
        values=values,
    )


def join_chunks(chunks: Sequence[Chunk]) -> Chunk:
    """Return several chunks of one set of streams as one; they must be in order."""
    if len(chunks) == 1:
        return chunks[0]
    parts = tuple(part for chunk in chunks for part in chunk.parts)
    return Chunk(parts, join_rows([chunk.group for chunk in chunks]))


def pack_body(group: PointGroup) -> bytes:
    """Return steps, times and values as one blob.

    Times are compressed without loss: consecutive ones, read as integers, have small differences, which are
    stored instead.
    """
    encoding, steps = compress_integers(group.steps)
    version, narrowed, times = _PLAIN_TIMES, 0, group.times
    if len(group.streams) <= _NARROW_UPTO:
        found, narrow = compress_integers(group.times)
        if len(narrow) < len(times):
            version, narrowed, times = _NARROW_TIMES, found, narrow
    head = _HEAD.pack(version, encoding, narrowed, len(group.streams), group.rows, len(steps))
    return b"".join([head, steps, times, group.values])


def unpack_body(body: bytes, streams: tuple[int, ...]) -> PointGroup:
    """Return the rows that `pack_body` packed."""
    try:
        version, encoding, narrowed, width, rows, size = _HEAD.unpack_from(body)
        if version not in (_PLAIN_TIMES, _NARROW_TIMES) or width != len(streams):
            raise DamagedFile("a chunk is of another shape than its set of streams")
        times_at, values_at = _HEAD.size + size, len(body) - width * rows * 8
        if values_at < times_at:
            raise DamagedFile("a chunk is shorter than it says")
        steps = expand_integers(encoding, body[_HEAD.size : times_at], rows)
        times = body[times_at:values_at]
        if version == _NARROW_TIMES:
            times = expand_integers(narrowed, times, rows)
        if not len(steps) == len(times) == rows * 8:
            raise DamagedFile("a chunk is shorter or longer than it says")
    except (struct.error, KeyError, ValueError, OverflowError) as error:
        raise DamagedFile(f"a chunk cannot be read: {error}") from None
    return PointGroup(streams=streams, steps=steps, times=times, values=body[values_at:])


def pack_parts(parts: Sequence[ChunkPart], first_seq: int) -> bytes:
    """Return the parts as a blob: for each three little-endian uint32; deflated when there are many.

    The three are the sequence number minus that of the part before, the group's index, and the rows.
    """
    flat = array("I")
    before = first_seq
    for part in parts:
        flat.extend((part.seq - before, part.group_index, part.rows))
        before = part.seq
    raw = struct.pack(f"<{len(flat)}I", *flat)
    if len(raw) > _COMPRESS_PARTS_OVER:
        deflated = zlib.compress(raw, 1)
        if len(deflated) < len(raw):
            return _DEFLATED + deflated
    return _PLAIN + raw


def unpack_parts(blob: bytes, first_seq: int) -> tuple[ChunkPart, ...]:
    """Return the parts that `pack_parts` packed."""
    try:
        raw = zlib.decompress(blob[1:]) if blob[:1] == _DEFLATED else blob[1:]
        seq = first_seq
        parts = []
        for step, group_index, rows in struct.iter_unpack("<3I", raw):
            seq += step
            parts.append(ChunkPart(seq, group_index, rows))
    except (struct.error, zlib.error) as error:
        raise DamagedFile(f"the parts of a chunk cannot be read: {error}") from None
    return tuple(parts)


def checksum(*blobs: bytes) -> int:
    """Return the CRC32 of blobs, one after another."""
    crc = 0
    for blob in blobs:
        crc = zlib.crc32(blob, crc)
    return crc


def in_order(parts: Sequence[ChunkPart]) -> bool:
    """Return True when parts are in the order in which they were logged."""
    return all((a.seq, a.group_index) < (b.seq, b.group_index) for a, b in pairwise(parts))
