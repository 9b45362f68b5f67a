"""The rows of one series that one process logged in one attempt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helm_desktop.model.series.number_column import Array, NumberColumn
from helm_desktop.model.series.pyramid import Pyramid

Rows = tuple[Array, Array, Array]  # steps, times, values
_MOST_PENDING = 16


class Segment:
    """Every row in the order of the log, and a sorted copy for each axis that is not in rising order."""

    def __init__(self, process: str, attempt: int) -> None:
        self.process = process
        self.attempt = attempt
        self.last_step = 0
        self.last_time = 0.0
        self.last_value = float("nan")
        self.count = 0
        self._pyramid = Pyramid()
        self._pending: list[Rows] = []
        self._rising = {"step": True, "wall": True}
        self._sorted: dict[str, _SortedRows] = {}
        self.smoothed: dict[tuple[str, float], Pyramid] = {}
        self._checked = 0
        self._non_positive = 0

    def append(self, steps: Array, times: Array, values: Array) -> None:
        """Append rows. They are added to the pyramid together when they are read or when many are pending."""
        if not len(steps):
            return
        self._pending.append((steps, times, values))
        self.count += len(steps)
        self.last_step, self.last_time = int(steps[-1]), float(times[-1])
        self.last_value = float(values[-1])
        if len(self._pending) >= _MOST_PENDING:
            self._append_pending()

    def _append_pending(self) -> Pyramid:
        if self._pending:
            steps, times, values = join(self._pending)
            self._pending.clear()
            size = len(self._pyramid)
            if self._rising["step"]:
                after = not size or steps[0] > self._pyramid.step.at(size - 1)
                self._rising["step"] = bool(after and (steps[1:] > steps[:-1]).all())
            if self._rising["wall"]:
                after = not size or times[0] >= self._pyramid.wall.at(size - 1)
                self._rising["wall"] = bool(after and (times[1:] >= times[:-1]).all())
            self._pyramid.append(steps, times, values, rising=self._rising["step"])
        return self._pyramid

    def pyramid(self, axis: str) -> Pyramid:
        """Return the rows in rising order of an axis; of a step that was logged twice only the later row."""
        pyramid = self._append_pending()
        if self._rising[axis]:
            return pyramid
        rows = self._sorted.setdefault(axis, _SortedRows(axis))
        rows.follow(pyramid)
        return rows.pyramid

    @property
    def non_finite(self) -> int:
        """Rows whose value is NaN or infinite."""
        return len(self._append_pending().non_finite_rows)

    @property
    def non_positive(self) -> int:
        """Finite rows at or below zero. Each row is checked once, when this is first read."""
        pyramid = self._append_pending()
        if self._checked < len(pyramid):
            values = pyramid.value.slice(self._checked, len(pyramid))
            self._non_positive += int(((values <= 0) & np.isfinite(values)).sum())
            self._checked = len(pyramid)
        return self._non_positive

    @property
    def repeats(self) -> int:
        """Rows whose step was logged again later."""
        return self.count - len(self.pyramid("step"))

    def all_columns(self) -> list[NumberColumn]:
        """Return the columns of the rows, of their sorted copies and of their smoothed values."""
        pyramids = [
            self._append_pending(),
            *(rows.pyramid for rows in self._sorted.values()),
            *self.smoothed.values(),
        ]
        return [column for pyramid in pyramids for column in pyramid.all_columns()]

    def chunks(self) -> tuple[int, tuple[Array, ...], tuple[Array, ...], tuple[Array, ...]]:
        """Return the number of rows, and the chunks of their steps, times and values.

        All chunks are full except the last. Nothing is copied: later rows do not change these.
        """
        pyramid = self._append_pending()
        columns = pyramid.step, pyramid.wall, pyramid.value
        steps, times, values = (tuple(column.chunks) for column in columns)
        return len(pyramid), steps, times, values

    def tail(self, rows: int) -> Rows:
        """Return the last rows in the order of the log."""
        pyramid = self._append_pending()
        start = max(0, len(pyramid) - rows)
        return (
            pyramid.step.slice(start, len(pyramid)),
            pyramid.wall.slice(start, len(pyramid)),
            pyramid.value.slice(start, len(pyramid)),
        )


class _SortedRows:
    """The rows of a pyramid sorted by an axis. New rows are merged in; rows before the first of them stay."""

    def __init__(self, axis: str) -> None:
        self.pyramid = Pyramid()
        self._axis = axis
        self._copied = 0

    def follow(self, source: Pyramid) -> None:
        """Add the rows that the source has got since the last call."""
        if self._copied == len(source):
            return
        new = _rows(source, self._copied, len(source))
        self._copied = len(source)
        key = 0 if self._axis == "step" else 1
        unchanged = self.pyramid.axis(self._axis).search(float(new[key].min()))
        steps, times, values = join([_rows(self.pyramid, unchanged, len(self.pyramid)), new])
        x = (steps, times, values)[key]
        order = np.argsort(x, kind="stable")
        if self._axis == "step":
            ordered = x[order]
            order = order[np.append(ordered[1:] != ordered[:-1], True)]
        self.pyramid.truncate(unchanged)
        self.pyramid.append(steps[order], times[order], values[order], rising=self._axis == "step")


def _rows(pyramid: Pyramid, start: int, end: int) -> Rows:
    return pyramid.step.slice(start, end), pyramid.wall.slice(start, end), pyramid.value.slice(start, end)


def join(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    steps, times, values = zip(*parts, strict=True)
    return np.concatenate(steps), np.concatenate(times), np.concatenate(values)
