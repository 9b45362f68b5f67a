"""Which y range holds the values but for outliers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_window import column_of

_SAMPLE = 4_096  # rows looked at of each segment, evenly
_REACH = 0.75  # beyond the middle nine tenths, in their own width

Ends = tuple[float, float]


def fence(
    series: Sequence[Series],
    x0: float,
    x1: float,
    axis: str = "step",
    *,
    origin: float = 0.0,
    log: bool = False,
) -> Ends | None:
    """The range beyond which values of a window are outliers; none when there is nothing to judge by."""
    column = column_of(axis)
    parts = []
    for one in series:
        for segment in one.segments.values():
            track = segment.track(column)
            x = track.axis(column)
            if not len(track):
                continue
            start, end = x.search(x0 + origin), x.search(x1 + origin, "right")
            if end - start > _SAMPLE:
                parts.append(track.value.take(np.linspace(start, end - 1, _SAMPLE).astype(np.int64)))
            elif end > start:
                parts.append(track.value.slice(start, end))
    values = np.concatenate(parts) if parts else np.empty(0)
    values = values[np.isfinite(values)]
    if log:
        values = np.log10(values[values > 0])
    if not len(values):
        return None
    low, high = (float(end) for end in np.quantile(values, (0.05, 0.95)))
    reach = _REACH * (high - low)
    low, high = low - reach, high + reach
    if log:
        return 10.0 ** max(low, -300.0), 10.0 ** min(high, 308.0)
    return (low, high) if math.isfinite(high - low) else None
