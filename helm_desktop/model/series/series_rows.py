"""Rows of one series at a time: what derived, joined and aggregated series are computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.segment import Segment

Source = tuple[str, int]  # process, attempt


@dataclass(frozen=True, slots=True)
class SeriesRows:
    """Steps in rising order, each once; the times and values there."""

    steps: Array
    times: Array
    values: Array

    def __len__(self) -> int:
        return len(self.steps)

    def select(self, index: Array | slice) -> SeriesRows:
        """Return some of the rows."""
        return SeriesRows(self.steps[index], self.times[index], self.values[index])

    def valued(self, values: Array) -> SeriesRows:
        """Return the same rows with other values."""
        return SeriesRows(self.steps, self.times, values)


NO_ROWS = SeriesRows(np.empty(0, np.int64), np.empty(0), np.empty(0))


def rows_of(segment: Segment, first: int = 0, upto_step: float = float("inf")) -> SeriesRows:
    """Return the rows from an index on up to a step, that included."""
    track = segment.track("step")
    end = len(track) if upto_step == float("inf") else track.step.search(upto_step, "right")
    return SeriesRows(
        track.step.slice(first, end).astype(np.int64),
        track.wall.slice(first, end),
        track.value.slice(first, end),
    )


def shared_steps(a: SeriesRows, b: SeriesRows) -> tuple[Array, Array]:
    """Return where the steps that both have stand in each."""
    if len(a) == len(b) and (a.steps == b.steps).all():
        every = np.arange(len(a))
        return every, every
    at = np.searchsorted(b.steps, a.steps)
    inside = at < len(b)
    both = np.zeros(len(a), np.bool_)
    both[inside] = b.steps[at[inside]] == a.steps[inside]
    return np.flatnonzero(both), at[both]
