"""Spill files: batches that wait beside a process file until they are stored in it.

A record of a spill file is a head (bytes of the body, checksum, number) and the batch as on the wire. The
process file's catalogue "spilled" has the number of the last batch that was stored, so that a recovery after
a crash stores each batch once. A spill file is removed when all of its batches are stored.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from helm_sdk.protocol import wire
from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import Batch
from helm_sdk.record import layout, private
from helm_sdk.record.errors import DamagedFile, from_os

CATALOGUE: Final = "spilled"  # its body has the number up to which batches are in the process file
SEGMENT_BYTES: Final = 64 << 20
_HEAD: Final = struct.Struct("<IIQ")  # bytes of the body, CRC of number and body, number


@dataclass(frozen=True, slots=True)
class SpillLocation:
    """The position of a batch in a spill file."""

    path: Path
    offset: int
    number: int


class SpillFile:
    """Appends batches, reads them, and removes files whose batches are stored; for one thread at a time."""

    def __init__(self, process_file: Path, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._process_file = process_file
        self._segment_bytes = segment_bytes
        self._number = 0
        self._segments: deque[tuple[Path, int]] = deque()  # (file, number of its last batch)
        self._file: BinaryIO | None = None
        self._size = 0

    def append(self, batches: Sequence[Batch]) -> list[SpillLocation]:
        """Write batches at once. Raises DiskFull, ReadOnly or DiskError; then none of them is written."""
        if self._file is None or self._size >= self._segment_bytes:
            self._next_segment()
        file, (path, _) = self._file, self._segments[-1]
        assert file is not None
        found, parts, offset = [], [], self._size
        for number, batch in enumerate(batches, self._number + 1):
            body = wire.encode(batch)
            parts += [_HEAD.pack(len(body), _checksum(number, body), number), body]
            found.append(SpillLocation(path, offset, number))
            offset += _HEAD.size + len(body)
        try:
            _write_all(file, b"".join(parts))
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(file.fileno(), self._size)
                file.seek(self._size)
            raise from_os(error, path) from None
        self._size = offset
        self._number += len(batches)
        self._segments[-1] = (path, self._number)
        return found

    def read(self, location: SpillLocation) -> Batch:
        """Return a batch as it was written. Raises DamagedFile or DiskError."""
        try:
            with location.path.open("rb") as file:
                file.seek(location.offset)
                found = _read_one(file)
        except OSError as error:
            raise from_os(error, location.path) from None
        if found is None or found[0] != location.number:
            raise DamagedFile(f"{location.path} has changed since it was written")
        return found[1]

    def release(self, number: int) -> None:
        """Remove the files whose batches all have numbers up to this one: they are stored."""
        while self._segments and self._segments[0][1] <= number:
            path, _ = self._segments.popleft()
            if not self._segments:
                self._close()
            with suppress(OSError):
                path.unlink()

    def close(self) -> None:
        """Close the file; what waits in it stays there."""
        self._close()

    def _next_segment(self) -> None:
        self._close()
        path = layout.spill_file(self._process_file, self._number + 1)
        try:
            self._file = open(path, "wb", buffering=0, opener=private.opener)  # noqa: SIM115 - closed by `_close`
        except OSError as error:
            raise from_os(error, path) from None
        self._size = 0
        self._segments.append((path, self._number))

    def _close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None


def spilled_batches(process_file: Path, after: int = 0) -> Iterator[tuple[int, Batch]]:
    """Yield (number, batch) of what waits beside a process file, in order, up to a damaged record."""
    for _, path in spill_files(process_file):
        with path.open("rb") as file:
            while (found := _read_one(file)) is not None:
                if found[0] > after:
                    yield found


def spill_files(process_file: Path) -> list[tuple[int, Path]]:
    """Return (number of its first batch, path) of each spill file of a process file, oldest first."""
    found = []
    with suppress(OSError):
        for path in process_file.parent.iterdir():
            number = layout.parse_spill_file(path.name, process_file)
            if number is not None:
                found.append((number, path))
    return sorted(found)


def _read_one(file: BinaryIO) -> tuple[int, Batch] | None:
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    size, crc, number = _HEAD.unpack(head)
    body = file.read(size) if size <= wire.MAX_BODY_BYTES else b""
    if len(body) < size or _checksum(number, body) != crc:
        return None
    try:
        return number, wire.decode(body, Batch)
    except WireError:
        return None


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _checksum(number: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(number.to_bytes(8, "little")))
