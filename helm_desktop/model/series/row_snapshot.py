"""The rows of a segment at one moment, without a copy of them: rows are only ever appended to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from helm_desktop.model.series.number_column import CHUNK, Array
from helm_desktop.model.series.segment import Rows, Segment


@dataclass(frozen=True)
class RowSnapshot:
    """The rows of one series that one process logged in one attempt, in the order in which it logged them.

    Another thread may read them while the segment grows: new rows are appended after them.
    """

    label: str
    process: str
    attempt: int
    count: int
    steps: tuple[Array, ...]  # the chunks of the column, all full except the last
    times: tuple[Array, ...]
    values: tuple[Array, ...]

    @classmethod
    def of(cls, label: str, segment: Segment) -> RowSnapshot:
        """Return a snapshot of the rows that a segment has now."""
        return cls(label, segment.process, segment.attempt, *segment.chunks())

    def blocks(self, rows: int) -> Iterator[Rows]:
        """Yield the rows in blocks of at most `rows` rows, as views."""
        for at in range(len(self.steps)):
            used = min(CHUNK, self.count - at * CHUNK)
            for start in range(0, used, rows):
                part = slice(start, min(used, start + rows))
                yield self.steps[at][part], self.times[at][part], self.values[at][part]
