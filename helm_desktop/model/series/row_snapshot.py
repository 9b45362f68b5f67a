"""Rows of a segment as they were at one moment, without a copy of them: its columns only ever grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from helm_desktop.model.series.number_column import CHUNK, Array
from helm_desktop.model.series.segment import Rows, Segment


@dataclass(frozen=True)
class RowSnapshot:
    """The rows that one process logged of one series in one attempt, in the order they were logged.

    Another thread may read them while the segment grows: what is appended goes behind them.
    """

    label: str
    process: str
    attempt: int
    count: int
    steps: tuple[Array, ...]  # the columns' chunks, each full but for the last
    times: tuple[Array, ...]
    values: tuple[Array, ...]

    @classmethod
    def of(cls, label: str, segment: Segment) -> RowSnapshot:
        """Return the rows that a segment has now."""
        return cls(label, segment.process, segment.attempt, *segment.chunks())

    def blocks(self, rows: int) -> Iterator[Rows]:
        """Yield the rows in blocks of at most so many, as views."""
        for at in range(len(self.steps)):
            used = min(CHUNK, self.count - at * CHUNK)
            for start in range(0, used, rows):
                part = slice(start, min(used, start + rows))
                yield self.steps[at][part], self.times[at][part], self.values[at][part]
