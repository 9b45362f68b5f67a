"""Rows with a pyramid of least and greatest values, kept up to date as they come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array, NumberColumn

FAN_BITS = 4
FAN = 1 << FAN_BITS
_LIFT_ROWS = 4_096


@dataclass(slots=True)
class LastPolyline:
    """The last polyline up to the newest row: rows that fall into its last pixel only widen that."""

    x0: float
    dx: float
    start: int
    end: int
    column: float  # the pixel of the last row
    x: Array
    y: Array
    low: float
    high: float


class PyramidLevel:
    """Each entry covers FAN entries of the level below; only full ones are here."""

    __slots__ = ("high", "low", "step", "wall")

    def __init__(self) -> None:
        self.low = NumberColumn(np.float64)
        self.high = NumberColumn(np.float64)
        self.step = NumberColumn(np.int32)
        self.wall = NumberColumn(np.float64)

    def columns(self) -> tuple[NumberColumn, ...]:
        """Everything that grows together."""
        return self.low, self.high, self.step, self.wall


def _reduce(block: Array, least: bool) -> Array:
    """FAN to one, by halves: four vector operations instead of many short loops."""
    pick = np.fmin if least else np.fmax
    rows = block.reshape(-1, FAN)
    width = FAN
    while width > 1:
        width //= 2
        rows = pick(rows[:, :width], rows[:, width:])
    return np.asarray(rows[:, 0])


def finite(values: Array) -> Array:
    """Return the values, NaN where one is infinite."""
    good = np.isfinite(values)
    return values if good.all() else np.where(good, values, np.nan)


class Pyramid:
    """Steps, times and values with their pyramid. Windows of an axis need that axis in rising order."""

    __slots__ = ("cuts", "levels", "odd", "standing", "step", "value", "wall")

    def __init__(self) -> None:
        self.step = NumberColumn(np.int32, alike=True)
        self.wall = NumberColumn(np.float64, alike=True)
        self.value = NumberColumn(np.float64)
        self.odd = NumberColumn(np.int32)  # indices of rows that are not finite
        self.levels: list[PyramidLevel] = []
        self.standing: dict[str, LastPolyline] = {}
        self.cuts: list[int] = []  # rows that were left each time it was cut, for those that follow it

    def __len__(self) -> int:
        return len(self.value)

    def all_columns(self) -> list[NumberColumn]:
        """Return every column of rows and pyramid."""
        self.lift()
        columns = [self.step, self.wall, self.value, self.odd]
        return columns + [column for level in self.levels for column in level.columns()]

    def append(self, steps: Array, times: Array, values: Array, *, rising: bool = False) -> None:
        """Take rows. The pyramid follows when many are new, or when somebody looks."""
        good = np.isfinite(values)
        if not good.all():
            self.odd.append(np.flatnonzero(~good) + len(self))
        self.step.append(steps, rising=rising)
        self.wall.append(times)
        self.value.append(values)
        if len(self) - (len(self.levels[0].low) * FAN if self.levels else 0) >= _LIFT_ROWS:
            self.lift()

    def truncate(self, rows: int) -> None:
        """Forget the rows from `rows` on."""
        if rows >= len(self):
            return
        self.standing.clear()
        self.cuts.append(rows)
        self.odd.truncate(self.odd.search(rows))
        for column in (self.step, self.wall, self.value):
            column.truncate(rows)
        self._truncate_levels(rows)

    def _truncate_levels(self, rows: int) -> None:
        for at, level in enumerate(self.levels):
            for column in level.columns():
                column.truncate(rows >> (FAN_BITS * (at + 1)))

    def lift(self) -> None:
        """Bring the pyramid up to date."""
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
        """Return the column of an x axis."""
        return self.wall if name == "wall" else self.step

    def columns(self, level: int, axis: str) -> tuple[NumberColumn, NumberColumn, NumberColumn]:
        """x, least and greatest values of a level; level 0 is the rows themselves."""
        if level == 0:
            return self.axis(axis), self.value, self.value
        here = self.levels[level - 1]
        return (here.wall if axis == "wall" else here.step), here.low, here.high
