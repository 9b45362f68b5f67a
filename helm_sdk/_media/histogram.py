"""How values are spread: counts between edges, what is not finite apart."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from functools import partial
from itertools import pairwise
from typing import Any

from helm_sdk._media.dense import Dense, dense, numpy_or_none
from helm_sdk._media.prepared import Encoded, Prepared, Unfit

_MOST_BINS = 4096
_NEAR_THE_END = 1e300


def prepare_histogram(values: Any, *, bins: Any = 64) -> Prepared:
    """Return a copy of the values, or of ready counts and edges. Raises Unfit for anything else."""
    if isinstance(values, tuple) and len(values) == 2 and _are_rows(values):
        ready = _ready(*values)
        return Prepared(16 * len(ready["edges"]), partial(_encoded, ready))
    if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= _MOST_BINS:
        raise Unfit(f"bins is a whole number of 1 to {_MOST_BINS}, not {bins!r}")
    held = dense(values)
    if held.size == 0:
        raise Unfit("there is no value in it")
    return Prepared(held.size, lambda: _encoded(_count(held, bins)))


def _are_rows(values: tuple[Any, ...]) -> bool:
    return all(hasattr(part, "__len__") for part in values)


def _ready(counts: Any, edges: Any) -> dict[str, Any]:
    tally = [float(number) for number in dense(counts).numbers()]
    ends = [float(number) for number in dense(edges).numbers()]
    if len(ends) != len(tally) + 1:
        raise Unfit(f"there are {len(tally)} counts and {len(ends)} edges, edges are one more than counts")
    if not tally or len(tally) > _MOST_BINS:
        raise Unfit(f"there are {len(tally)} counts, a histogram has 1 to {_MOST_BINS}")
    if not all(0 <= number < math.inf for number in tally):
        raise Unfit("its counts are not all finite and 0 or more")
    rising = all(left <= right for left, right in pairwise(ends))
    if not rising or not all(map(math.isfinite, ends)):
        raise Unfit("its edges do not rise, or are not finite")
    return {"counts": [int(number) if number.is_integer() else number for number in tally], "edges": ends}


def _encoded(content: dict[str, Any]) -> Encoded:
    body = {"bins": len(content["counts"]), "count": sum(content["counts"])}
    odd = sum(content.get(name, 0) for name in ("nan", "above", "below"))
    return Encoded([("json", json.dumps(content).encode())], {**body, **({"non_finite": odd} if odd else {})})


def _count(held: Dense, bins: int) -> dict[str, Any]:
    numpy = numpy_or_none()
    values = held.numbers()
    if numpy is None:
        finite = [float(value) for value in values if math.isfinite(value)]
        odd = {
            "nan": sum(value != value for value in values),
            "above": sum(value == math.inf for value in values),
            "below": sum(value == -math.inf for value in values),
        }
        counts, edges = _plainly(finite, bins)
    else:
        values = values.astype("f8")
        finite = values[numpy.isfinite(values)]
        odd = {
            "nan": int(numpy.count_nonzero(numpy.isnan(values))),
            "above": int(numpy.count_nonzero(numpy.isposinf(values))),
            "below": int(numpy.count_nonzero(numpy.isneginf(values))),
        }
        counts, edges = _with_numpy(numpy, finite, bins)
    return {"counts": counts, "edges": edges, **odd}


def _with_numpy(numpy: Any, finite: Any, bins: int) -> tuple[list[int], list[float]]:
    if finite.size == 0:
        return [0], [0.0, 1.0]
    scale = _scale(float(finite.min()), float(finite.max()))
    try:
        counts, edges = numpy.histogram(finite * scale, bins)
    except ValueError:  # so near to each other that there is no room for the edges
        return [int(finite.size)], [float(finite.min()), float(finite.max())]
    return counts.tolist(), (edges / scale).tolist()


def _plainly(finite: list[float], bins: int) -> tuple[list[int], list[float]]:
    """Return the same as NumPy counts."""
    if not finite:
        return [0], [0.0, 1.0]
    low, high = min(finite), max(finite)
    scale = _scale(low, high)
    low, high = low * scale, high * scale
    if low == high:
        low, high = low - 0.5, high + 0.5
    width = (high - low) / bins
    edges = [low + place * width for place in range(bins)] + [high]
    if any(left >= right for left, right in pairwise(edges)):
        return [len(finite)], [low / scale, high / scale]
    counts = [0] * bins
    for value in finite:
        counts[min(bisect_right(edges, value * scale) - 1, bins - 1)] += 1
    return counts, [edge / scale for edge in edges]


def _scale(low: float, high: float) -> float:
    """Return what keeps the distance between the ends, and the sums on the way, finite."""
    return 0.25 if max(abs(low), abs(high)) > _NEAR_THE_END else 1.0
