"""The moving mean: at each value, the mean of the last `count` values."""

from __future__ import annotations

import numpy as np

from helm_desktop.model.series.number_column import Array


def moving_mean(values: Array, count: int) -> Array:
    """Return the mean of the finite ones of the last `count` values at each value; nan where none is finite.

    At the beginning there are fewer than `count` values. No value is subtracted from a running sum: each
    window is the end of one block of `count` values and the beginning of the next, so that a very large
    value leaves no rounding error in later means.
    """
    good = np.isfinite(values)
    weight = count - 1
    if not len(values) or count == 1:
        return np.where(good, values, np.nan)
    scale = 2.0 ** -(weight.bit_length())  # sums of the largest floats stay finite; exact but for subnormals
    summed = np.where(good, values, 0.0)
    small = float(np.abs(summed).max()) < 1e290
    total = _moving_sum(summed if small else summed * scale, count)
    known = _moving_sum(good.astype(np.float64), count)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / known
    return mean if small else np.asarray(mean / scale)


def _moving_sum(values: Array, count: int) -> Array:
    blocks = -(-len(values) // count)
    padded = np.zeros(blocks * count)
    padded[: len(values)] = values
    table = padded.reshape(blocks, count)
    starts = np.cumsum(table, axis=1).ravel()  # sums from the beginning of the block up to each value
    ends = np.cumsum(table[:, ::-1], axis=1)[:, ::-1].ravel()  # sums from each value to the end of the block
    total = starts[: len(values)].copy()
    inside = np.arange(count, len(values))
    inside = inside[inside % count != count - 1]
    total[inside] += ends[inside - count + 1]
    return total
