"""An append-only column of numbers in fixed chunks: growing never copies what is already there."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

CHUNK_BITS = 14
CHUNK = 1 << CHUNK_BITS
_MASK = CHUNK - 1
_SMALL = 16
_LARGEST = int(np.iinfo(np.int32).max)
_INT64_MAX = 2.0**62
_alike: WeakValueDictionary[tuple[object, ...], Array] = (
    WeakValueDictionary()
)  # full chunks, by a few of their numbers


def shared(chunk: Array) -> Array:
    """Return this full chunk or an equal one that exists already. It must not be written to from then on.

    Series that are logged together have the same steps and times: about half of their memory is shared.
    """
    key = (chunk.dtype.char, *chunk[:: len(chunk) // 4].tolist())
    known = _alike.get(key)
    if known is not None and bytes(known.data) == bytes(chunk.data):
        return known
    chunk.flags.writeable = False
    _alike[key] = chunk
    return chunk


def bytes_held(columns: Iterable[NumberColumn]) -> int:
    """Return the bytes of several columns with their unused capacity; shared chunks count once."""
    return sum({id(chunk): chunk.nbytes for column in columns for chunk in column.chunks}.values())


class NumberColumn:
    """Numbers of one type. An int32 column becomes int64 when a number needs it.

    alike: other columns are likely to have the same numbers, so full chunks are shared with them.
    """

    __slots__ = ("_alike", "_chunks", "_dtype", "_size")

    def __init__(self, dtype: type[np.generic], *, alike: bool = False) -> None:
        self._alike = alike
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        self._chunks: list[Array] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def chunks(self) -> list[Array]:
        """The chunks with their unused capacity. They must not be written to."""
        return self._chunks

    def append(self, values: Array, *, rising: bool = False) -> None:
        """Append a copy of the values. `rising` says that they are in order, which makes this faster."""
        if self._dtype == np.int32 and values.size and values.dtype != np.int32:
            ends = (int(values[0]), int(values[-1])) if rising else (int(values.min()), int(values.max()))
            self._widen_for(*ends)
        start, end = 0, len(values)
        while start < end:
            used = self._size & _MASK
            count = min(end - start, CHUNK - used)
            chunk = self._grow(used, count)
            chunk[used : used + count] = values[start : start + count]
            start += count
            self._size += count
            if self._alike and used + count == CHUNK:
                self._chunks[-1] = shared(chunk)

    def _widen_for(self, low: int, high: int) -> None:
        if high > _LARGEST or low < -_LARGEST:
            self._dtype = np.dtype(np.int64)
            self._chunks = [chunk.astype(np.int64) for chunk in self._chunks]

    def _grow(self, used: int, more: int) -> Array:
        index = self._size >> CHUNK_BITS
        if index == len(self._chunks):
            self._chunks.append(np.empty(min(CHUNK, max(_SMALL, more)), self._dtype))
        chunk = self._chunks[index]
        if used + more > len(chunk) or not chunk.flags.writeable:
            grown = np.empty(min(CHUNK, max(used + more, len(chunk) * 2)), self._dtype)
            grown[:used] = chunk[:used]
            self._chunks[index] = chunk = grown
        return chunk

    def truncate(self, size: int) -> None:
        """Remove every number from the index `size` on."""
        self._size = min(self._size, size)
        del self._chunks[(self._size + _MASK) >> CHUNK_BITS :]

    def at(self, index: int) -> Any:
        """Return the number at an index."""
        return self._chunks[index >> CHUNK_BITS][index & _MASK]

    def slice(self, start: int, end: int) -> Array:
        """Return the numbers [start, end), a view where they are in one chunk. It must not be written to."""
        if start >= end:
            return np.empty(0, self._dtype)
        first, last = start >> CHUNK_BITS, (end - 1) >> CHUNK_BITS
        if first == last:
            return self._chunks[first][start & _MASK : ((end - 1) & _MASK) + 1]
        parts = [self._chunks[first][start & _MASK :], *self._chunks[first + 1 : last]]
        parts.append(self._chunks[last][: ((end - 1) & _MASK) + 1])
        return np.concatenate(parts)

    def take(self, indices: Array) -> Array:
        """Return the numbers at these indices, which must be in rising order."""
        if not len(indices):
            return np.empty(0, self._dtype)
        owners = indices >> CHUNK_BITS
        if owners[0] == owners[-1]:
            return np.asarray(self._chunks[int(owners[0])][indices & _MASK])
        cuts = np.flatnonzero(np.diff(owners)) + 1
        parts = zip(np.split(indices & _MASK, cuts), owners[np.append(0, cuts)].tolist(), strict=True)
        return np.concatenate([self._chunks[owner][inside] for inside, owner in parts])

    def search(self, value: float, side: str = "left") -> int:
        """Return the index at which a number would be inserted; the column must be in rising order."""
        if self._dtype.kind == "i":
            if not math.isfinite(value) or abs(value) > _INT64_MAX:
                return self._size if value > 0 else 0
            value, side = (math.ceil(value) if side == "left" else math.floor(value) + 1), "left"
            limits = np.iinfo(self._dtype)
            if not limits.min <= value <= limits.max:
                return self._size if value > 0 else 0
        low, high = 0, len(self._chunks)
        while low < high:  # find the first chunk whose last number is not before the value
            middle = (low + high) // 2
            last = self._chunks[middle][self._used(middle) - 1]
            before = last < value if side == "left" else last <= value
            low, high = (middle + 1, high) if before else (low, middle)
        if low == len(self._chunks):
            return self._size
        filled = self._chunks[low][: self._used(low)]
        key = self._dtype.type(value)  # of the same type: otherwise the whole chunk is converted
        found = (
            np.searchsorted(filled, key, "left") if side == "left" else np.searchsorted(filled, key, "right")
        )
        return (low << CHUNK_BITS) + int(found)

    def search_many(self, values: Array) -> Array:
        """Return the left index of each of some rising integers; the column must be in rising order."""
        lasts = np.array([chunk[self._used(at) - 1] for at, chunk in enumerate(self._chunks)], self._dtype)
        values = values.astype(self._dtype)
        owners = np.searchsorted(lasts, values)
        found = np.full(len(values), self._size, np.int64)
        for owner in np.unique(owners[owners < len(lasts)]).tolist():
            here = owners == owner
            filled = self._chunks[owner][: self._used(owner)]
            found[here] = (owner << CHUNK_BITS) + np.searchsorted(filled, values[here])
        return found

    def _used(self, chunk: int) -> int:
        return min(CHUNK, self._size - (chunk << CHUNK_BITS))
