"""Convert columns of little-endian int64 and float64 numbers from and to bytes, without numpy."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable
from itertools import accumulate
from operator import sub
from typing import Any, Final

_BIG_ENDIAN: Final = sys.byteorder == "big"
_WIDTHS: Final = (("b", 7), ("h", 15), ("i", 31))
_ARITHMETIC: Final = 0
_RAW: Final = 1
_DELTAS: Final = {"b": 2, "h": 3, "i": 4}
_TYPES: Final = {number: code for code, number in _DELTAS.items()}
_START = struct.Struct("<qq")


def integers(raw: bytes | memoryview) -> array[int]:
    """Return the numbers of an int64 column."""
    return _read("q", raw)


def floats(raw: bytes | memoryview) -> array[float]:
    """Return the numbers of a float64 column."""
    column = array("d")
    column.frombytes(raw)
    if _BIG_ENDIAN:
        column.byteswap()
    return column


def pack_integers(numbers: Iterable[int]) -> bytes:
    """Return an int64 column."""
    return _write("q", numbers)


def pack_floats(numbers: Iterable[float]) -> bytes:
    """Return a float64 column."""
    column = array("d", numbers)
    if _BIG_ENDIAN:
        column.byteswap()
    return column.tobytes()


def compress_integers(raw: bytes) -> tuple[int, bytes]:
    """Return (encoding, bytes) of an int64 column, compressed without loss.

    Equally spaced numbers become their first one and the distance: 7, 8, 9 becomes (7, 1). Other numbers
    become differences of 1, 2 or 4 bytes each, if these fit.
    """
    count = len(raw) // 8
    if count == 0:
        return _RAW, b""
    column = integers(raw)
    first, last = column[0], column[-1]
    stride, rest = divmod(last - first, max(count - 1, 1))
    if rest == 0 and -(2**63) <= stride < 2**63 and _is_arithmetic(column, first, stride):
        return _ARITHMETIC, _START.pack(first, stride)
    deltas = list(map(sub, column[1:], column))
    low, high = min(deltas), max(deltas)
    for code, bits in _WIDTHS:
        if -(1 << bits) <= low and high < 1 << bits:
            return _DELTAS[code], raw[:8] + _write(code, deltas)
    return _RAW, raw


def expand_integers(encoding: int, packed: bytes | memoryview, count: int) -> bytes:
    """Return the int64 column of `count` numbers that `compress_integers` compressed."""
    if encoding == _RAW:
        return bytes(packed)
    numpy = sys.modules.get(
        "numpy"
    )  # much faster, but not needed: used where it is imported already, as in the app
    if count and hasattr(numpy, "cumsum"):  # hasattr: another thread may be importing it just now
        return _expand_with(numpy, encoding, packed, count)
    if encoding == _ARITHMETIC:
        first, stride = _START.unpack(packed)
        numbers: Iterable[int] = range(first, first + stride * count, stride) if stride else [first] * count
        return pack_integers(numbers)
    (number,) = struct.unpack_from("<q", packed)
    column = array("q", accumulate(_read(_TYPES[encoding], packed[8:]), initial=number))
    if _BIG_ENDIAN:
        column.byteswap()
    return column.tobytes()


def _expand_with(numpy: Any, encoding: int, packed: bytes | memoryview, count: int) -> bytes:
    numbers = numpy.empty(count, "<i8")
    if encoding == _ARITHMETIC:
        first, stride = _START.unpack(packed)
        numbers[:] = stride
    else:
        (first,) = struct.unpack_from("<q", packed)
        numbers[1:] = numpy.frombuffer(packed, f"<{_TYPES[encoding]}", offset=8)
    numbers[0] = first
    return bytes(numbers.cumsum(dtype="<i8").tobytes())


def _is_arithmetic(column: array[int], first: int, stride: int) -> bool:
    if stride == 0:
        return column.count(first) == len(column)
    return column == array("q", range(first, first + stride * len(column), stride))


def _read(code: str, raw: bytes | memoryview) -> array[int]:
    column: array[int] = array(code)
    column.frombytes(raw)
    if _BIG_ENDIAN:
        column.byteswap()
    return column


def _write(code: str, numbers: Iterable[int]) -> bytes:
    column: array[int] = array(code, numbers)
    if _BIG_ENDIAN:
        column.byteswap()
    return column.tobytes()
