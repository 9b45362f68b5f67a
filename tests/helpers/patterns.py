"""Doubles of known bits for each process and index: any bit pattern, and each special one now and then."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

_SPECIAL = np.array(
    [
        0x7FF0000000000000,  # inf
        0xFFF0000000000000,  # -inf
        0x7FF8000000000000,  # the usual NaN
        0x7FF8DEADBEEF0001,  # a NaN with a payload
        0xFFF0000000000123,  # a signalling one
        0x8000000000000000,  # -0.0
        0x0000000000000001,  # the smallest subnormal
        0x7FEFFFFFFFFFFFFF,  # the largest
    ],
    np.uint64,
)


def bits_of(process: str, first: int, end: int) -> np.ndarray[Any, Any]:
    """The bits of the values first..end (exclusive) of a process, as uint64."""
    index = np.arange(first, end, dtype=np.uint64)
    with np.errstate(over="ignore"):
        mixed = (index + np.uint64(zlib.crc32(process.encode()) << 20)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    special = index % np.uint64(97) == 0
    mixed[special] = _SPECIAL[(index[special] // np.uint64(97)) % np.uint64(len(_SPECIAL))]
    return mixed


def values_of(process: str, first: int, end: int) -> list[float]:
    """The same as floats."""
    values: list[float] = bits_of(process, first, end).view(np.float64).tolist()
    return values
