"""Rows with a pyramid of least and greatest values, to draw any range of them fast.

Level 1 has one entry for every FAN rows: their least and greatest value, and the step and time of the first.
Each further level has one entry for every FAN entries of the level below. With FAN = 16, a million rows have
levels of 62,500, 3,906, 244 and 15 entries. Rows that do not fill an entry yet are in no level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array, NumberColumn

FAN_BITS = 4
FAN = 1 << FAN_BITS
_BUILD_ROWS = 4_096


@dataclass(slots=True)
class LastPolyline:
    """The polyline that was drawn last up to the newest row; new rows are added to its end."""

    x0: float
    dx: float
    start: int
    end: int
    column: float  # the pixel column of the last row
    x: Array
    y: Array
    low: float
    high: float


class PyramidLevel:
    """One level: each entry covers FAN entries of the level below. It has complete entries only."""

    __slots__ = ("high", "low", "step", "wall")

    def __init__(self) -> None:
        self.low = NumberColumn(np.float64)
        self.high = NumberColumn(np.float64)
        self.step = NumberColumn(np.int32)
        self.wall = NumberColumn(np.float64)

    def columns(self) -> tuple[NumberColumn, ...]:
        """Return its columns, which all have the same length."""
        return self.low, self.high, self.step, self.wall


def _reduce(block: Array, least: bool) -> Array:
    """Reduce every FAN values to one, by halving: four vector operations instead of many short loops."""
    reduce = np.fmin if least else np.fmax
    rows = block.reshape(-1, FAN)
    width = FAN
    while width > 1:
        width //= 2
        rows = reduce(rows[:, :width], rows[:, width:])
    return np.asarray(rows[:, 0])


def finite(values: Array) -> Array:
    """Return the values with NaN in place of infinite ones."""
    good = np.isfinite(values)
    return values if good.all() else np.where(good, values, np.nan)


class Pyramid:
    """Steps, times and values of rows with their pyramid. To draw over an axis it must be in rising order."""

    __slots__ = ("cuts", "last_polylines", "levels", "non_finite_rows", "step", "value", "wall")

    def __init__(self) -> None:
        self.step = NumberColumn(np.int32, alike=True)
        self.wall = NumberColumn(np.float64, alike=True)
        self.value = NumberColumn(np.float64)
        self.non_finite_rows = NumberColumn(np.int32)  # indices of rows that are not finite
        self.levels: list[PyramidLevel] = []
        self.last_polylines: dict[str, LastPolyline] = {}
        self.cuts: list[
            int
        ] = []  # the number of rows after each truncation, for readers that follow this pyramid

    def __len__(self) -> int:
        return len(self.value)

    def all_columns(self) -> list[NumberColumn]:
        """Return the columns of the rows and of all levels."""
        self.build_levels()
        columns = [self.step, self.wall, self.value, self.non_finite_rows]
        return columns + [column for level in self.levels for column in level.columns()]

    def append(self, steps: Array, times: Array, values: Array, *, rising: bool = False) -> None:
        """Append rows. The levels are built when many rows are new, or when they are needed."""
        good = np.isfinite(values)
        if not good.all():
            self.non_finite_rows.append(np.flatnonzero(~good) + len(self))
        self.step.append(steps, rising=rising)
        self.wall.append(times)
        self.value.append(values)
        if len(self) - (len(self.levels[0].low) * FAN if self.levels else 0) >= _BUILD_ROWS:
            self.build_levels()

    def truncate(self, rows: int) -> None:
        """Remove every row from the index `rows` on."""
        if rows >= len(self):
            return
        self.last_polylines.clear()
        self.cuts.append(rows)
        self.non_finite_rows.truncate(self.non_finite_rows.search(rows))
        for column in (self.step, self.wall, self.value):
            column.truncate(rows)
        self._truncate_levels(rows)

    def _truncate_levels(self, rows: int) -> None:
        for at, level in enumerate(self.levels):
            for column in level.columns():
                column.truncate(rows >> (FAN_BITS * (at + 1)))

    def build_levels(self) -> None:
        """Add the entries of all levels that are complete by now."""
        low, high, step, wall = self.value, self.value, self.step, self.wall
        at = 0
        while len(low) >= FAN:
            if at == len(self.levels):
                self.levels.append(PyramidLevel())
            level = self.levels[at]
            start, end = len(level.low) * FAN, len(low) // FAN * FAN
            if start == end:
                return
            block = finite(low.slice(start, end)) if at == 0 else low.slice(start, end)
            level.low.append(_reduce(block, True))
            level.high.append(_reduce(block if at == 0 else high.slice(start, end), False))
            level.step.append(step.slice(start, end)[::FAN])
            level.wall.append(wall.slice(start, end)[::FAN])
            low, high, step, wall = level.columns()
            at += 1

    def axis(self, name: str) -> NumberColumn:
        """Return the column of an x axis, "wall" or "step"."""
        return self.wall if name == "wall" else self.step

    def columns(self, level: int, axis: str) -> tuple[NumberColumn, NumberColumn, NumberColumn]:
        """Return x, least and greatest values of a level; level 0 is the rows themselves."""
        if level == 0:
            return self.axis(axis), self.value, self.value
        here = self.levels[level - 1]
        return (here.wall if axis == "wall" else here.step), here.low, here.high
