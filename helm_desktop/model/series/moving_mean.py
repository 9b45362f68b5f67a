"""The mean of the last so many finite values, at each value."""

from __future__ import annotations

import numpy as np

from helm_desktop.model.series.number_column import Array


def moving_mean(values: Array, count: int) -> Array:
    """Fewer at the beginning; nan where none of them is finite. No value is ever taken off again:
    a window is the end of one block and the beginning of the next, so a spike leaves nothing behind."""
    good = np.isfinite(values)
    weight = count - 1
    if not len(values) or count == 1:
        return np.where(good, values, np.nan)
    scale = 2.0 ** -(weight.bit_length())  # sums of the largest floats stay finite; exact but for subnormals
    kept = np.where(good, values, 0.0)
    small = float(np.abs(kept).max()) < 1e290
    total = _moving_sum(kept if small else kept * scale, count)
    known = _moving_sum(good.astype(np.float64), count)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / known
    return mean if small else np.asarray(mean / scale)


def _moving_sum(values: Array, count: int) -> Array:
    blocks = -(-len(values) // count)
    padded = np.zeros(blocks * count)
    padded[: len(values)] = values
    table = padded.reshape(blocks, count)
    starts = np.cumsum(table, axis=1).ravel()  # from the block's beginning up to here
    ends = np.cumsum(table[:, ::-1], axis=1)[:, ::-1].ravel()  # from here to the block's end
    total = starts[: len(values)].copy()
    inside = np.arange(count, len(values))
    inside = inside[inside % count != count - 1]
    total[inside] += ends[inside - count + 1]
    return total
