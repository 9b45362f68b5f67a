"""The y range of the values of a chart without outliers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_window import column_of

_SAMPLE = 4_096  # rows that are read of each segment, evenly spaced
_MARGIN = 0.75  # on each side of the middle 90 % of the values, as a part of their range

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
    """Return the y range outside of which values in [x0, x1] are outliers; None without finite values."""
    column = column_of(axis)
    parts = []
    for one in series:
        for segment in one.segments.values():
            pyramid = segment.pyramid(column)
            x = pyramid.axis(column)
            if not len(pyramid):
                continue
            start, end = x.search(x0 + origin), x.search(x1 + origin, "right")
            if end - start > _SAMPLE:
                parts.append(pyramid.value.take(np.linspace(start, end - 1, _SAMPLE).astype(np.int64)))
            elif end > start:
                parts.append(pyramid.value.slice(start, end))
    values = np.concatenate(parts) if parts else np.empty(0)
    values = values[np.isfinite(values)]
    if log:
        values = np.log10(values[values > 0])
    if not len(values):
        return None
    low, high = (float(end) for end in np.quantile(values, (0.05, 0.95)))
    margin = _MARGIN * (high - low)
    low, high = low - margin, high + margin
    if log:
        return 10.0 ** max(low, -300.0), 10.0 ** min(high, 308.0)
    return (low, high) if math.isfinite(high - low) else None
