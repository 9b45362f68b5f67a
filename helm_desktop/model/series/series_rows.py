"""Rows of one series in memory as arrays; derived, joined and aggregated series are computed from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment

Source = tuple[str, int]  # process, attempt


@dataclass(frozen=True, slots=True)
class SeriesRows:
    """Rows with steps in rising order, each step once, and their times and values."""

    steps: Array
    times: Array
    values: Array

    def __len__(self) -> int:
        return len(self.steps)

    def select(self, index: Array | slice) -> SeriesRows:
        """Return the rows at an index or a slice."""
        return SeriesRows(self.steps[index], self.times[index], self.values[index])

    def valued(self, values: Array) -> SeriesRows:
        """Return the same rows with other values."""
        return SeriesRows(self.steps, self.times, values)


NO_ROWS = SeriesRows(np.empty(0, np.int64), np.empty(0), np.empty(0))


def rows_of(segment: Segment, first: int = 0, upto_step: float = float("inf")) -> SeriesRows:
    """Return the rows of a segment from an index on, up to a step and with it."""
    pyramid = segment.pyramid("step")
    end = len(pyramid) if upto_step == float("inf") else pyramid.step.search(upto_step, "right")
    return SeriesRows(
        pyramid.step.slice(first, end).astype(np.int64),
        pyramid.wall.slice(first, end),
        pyramid.value.slice(first, end),
    )


def shared_steps(a: SeriesRows, b: SeriesRows) -> tuple[Array, Array]:
    """Return the indices in `a` and in `b` of the steps that both have."""
    if len(a) == len(b) and (a.steps == b.steps).all():
        every = np.arange(len(a))
        return every, every
    at = np.searchsorted(b.steps, a.steps)
    inside = at < len(b)
    both = np.zeros(len(a), np.bool_)
    both[inside] = b.steps[at[inside]] == a.steps[inside]
    return np.flatnonzero(both), at[both]
