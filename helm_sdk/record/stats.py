"""Figures of a stream that are kept beside its points: the count, the last point, values not finite."""

from __future__ import annotations

import math
import struct
from array import array
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter, lt

from helm_sdk.protocol.messages import PointGroup, StreamDef
from helm_sdk.record.packed_columns import floats, integers

_RECENT_ROWS = 1024
_NUMBER = struct.Struct("<d")


@dataclass(frozen=True)
class StreamSummary:
    """The figures of one stream of one process file, as a list shows them."""

    stream: StreamDef
    count: int
    first_step: int
    last_step: int
    last_value: float
    last_time: float
    non_finite: int
    repeats: int


@dataclass(slots=True)
class StreamStats:
    """The figures of one stream in one process file, updated by each group of rows."""

    count: int = 0
    first_step: int = 0
    last_step: int = 0
    top_step: int = 0
    last_value: float = math.nan
    last_time: float = 0.0
    non_finite: int = 0
    # Points at a step that had one already: exact for the last 1,024 rows; an older step always counts.
    repeats: int = 0
    _recent: deque[bytes] = field(default_factory=deque)
    _recent_rows: int = 0

    def row(self) -> tuple[object, ...]:
        """Return the figures as a row of the table, without the stream's id."""
        return (
            self.count,
            self.first_step,
            self.last_step,
            self.top_step,
            _NUMBER.pack(self.last_value),
            self.last_time,
            self.non_finite,
            self.repeats,
        )

    @classmethod
    def from_row(cls, row: tuple[int, int, int, int, bytes, float, int, int]) -> StreamStats:
        """Return the figures from a row of the table."""
        count, first, last, top, value, time, non_finite, repeats = row
        return cls(count, first, last, top, _NUMBER.unpack(value)[0], time, non_finite, repeats)

    def summary(self, stream: StreamDef) -> StreamSummary:
        """Return the figures together with the stream's definition."""
        return StreamSummary(
            stream,
            self.count,
            self.first_step,
            self.last_step,
            self.last_value,
            self.last_time,
            self.non_finite,
            self.repeats,
        )

    def remember(self, steps: bytes, rows: int) -> None:
        """Remember the newest steps, to recognise a repeated one."""
        self._recent.append(steps)
        self._recent_rows += rows
        while self._recent_rows - len(self._recent[0]) // 8 > _RECENT_ROWS:
            self._recent_rows -= len(self._recent.popleft()) // 8

    def count_repeats(self, steps: Iterable[int]) -> None:
        """Count the steps among these that repeat an earlier one."""
        seen = {step for column in self._recent for step in integers(column)}
        oldest = min(seen, default=None)
        for step in steps:
            too_old = step <= self.top_step and self.count > 0 and (oldest is None or step < oldest)
            if step in seen or too_old:
                self.repeats += 1
            seen.add(step)


def _is_rising(steps: array[int]) -> bool:
    first, last = steps[0], steps[-1]
    if last - first == len(steps) - 1:
        return steps == array("q", range(first, last + 1)) if len(steps) > 1 else True
    return all(map(lt, steps, steps[1:]))


def add_groups(table: dict[int, StreamStats], groups: Iterable[PointGroup]) -> None:
    """Add rows to the figures of their streams, consecutive groups of the same streams at once."""
    for streams, following in groupby(groups, attrgetter("streams")):
        filled = [group for group in following if group.rows]
        if filled:
            _add_run(table, streams, filled)


def _add_run(table: dict[int, StreamStats], streams: tuple[int, ...], groups: list[PointGroup]) -> None:
    raw_steps = groups[0].steps if len(groups) == 1 else b"".join([group.steps for group in groups])
    steps = integers(raw_steps)
    rows, first, last, top = len(steps), steps[0], steps[-1], max(steps)
    rising = _is_rising(steps)
    values, size = groups[-1].values, groups[-1].rows * 8
    (time,) = _NUMBER.unpack_from(groups[-1].times, size - 8)
    for index, stream in enumerate(streams):
        stats = table.get(stream)
        if stats is None:
            stats = table[stream] = StreamStats(first_step=first, top_step=first)
        if not (rising and (stats.count == 0 or first > stats.top_step)):
            stats.count_repeats(steps)
        stats.remember(raw_steps, rows)
        stats.top_step = max(stats.top_step, top)
        stats.count += rows
        stats.last_step = last
        stats.last_time = time
        (stats.last_value,) = _NUMBER.unpack_from(values, (index + 1) * size - 8)
    for group in groups:
        _count_non_finite(table, group)


def _count_non_finite(table: dict[int, StreamStats], group: PointGroup) -> None:
    # The last byte of NaN and of the infinities is one of these two; hardly any other number has it.
    tops = group.values[7::8]
    if 0x7F not in tops and 0xFF not in tops:
        return
    size = group.rows * 8
    for index, stream in enumerate(group.streams):
        column = floats(group.values[index * size : (index + 1) * size])
        table[stream].non_finite += group.rows - sum(map(math.isfinite, column))
