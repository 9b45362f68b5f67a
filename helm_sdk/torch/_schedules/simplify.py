"""A curve with fewer points: exact where it fits, else within a bound and with its kinks kept."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def simplified(values: Values, limit: int, tolerance: float = 1e-5) -> NDArray[np.int64]:
    """Indices to keep, ends included, so that lines between them give the curve back.

    Up to `limit` points are all kept, save inside constant stretches. A longer curve is split where it is
    farthest from its chord until it is nowhere off by more than `tolerance` of its largest value.
    """
    count = len(values)
    if count <= 2:
        return np.arange(count)
    inner = np.flatnonzero((values[1:-1] != values[:-2]) | (values[1:-1] != values[2:])) + 1
    exact = np.concatenate(([0], inner, [count - 1]))
    if len(exact) <= limit:
        return exact
    return _split(values, limit, tolerance * float(np.max(np.abs(values), initial=0.0)))


def _split(values: Values, limit: int, bound: float) -> NDArray[np.int64]:
    last = len(values) - 1
    kept = {0, last}
    waiting: list[tuple[float, int, int, int]] = []
    _push(waiting, values, 0, last)
    while waiting and len(kept) < limit:
        off, start, split, end = heapq.heappop(waiting)
        if -off <= bound:
            break
        kept.add(split)
        _push(waiting, values, start, split)
        _push(waiting, values, split, end)
    return np.array(sorted(kept))


def _push(waiting: list[tuple[float, int, int, int]], values: Values, start: int, end: int) -> None:
    """Queue a stretch with the place where it is farthest from its chord, the worst first."""
    if end - start < 2:
        return
    chord = np.linspace(values[start], values[end], end - start + 1)
    off = np.abs(values[start : end + 1] - chord)
    split = int(np.argmax(off))
    heapq.heappush(waiting, (-float(off[split]), start, start + split, end))
