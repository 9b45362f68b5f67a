"""Rows in order of x with a pyramid of least and greatest values: any window at a pixel's worth of work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helm_desktop.model.columns import Array, Column

FAN_BITS = 4
FAN = 1 << FAN_BITS


class Level:
    """Each entry covers FAN entries of the level below; only full ones are here."""

    __slots__ = ("high", "low", "step", "wall")

    def __init__(self) -> None:
        self.low = Column(np.float64)
        self.high = Column(np.float64)
        self.step = Column(np.int32)
        self.wall = Column(np.float64)

    def columns(self) -> tuple[Column, ...]:
        """Everything that grows together."""
        return self.low, self.high, self.step, self.wall


@dataclass(frozen=True, slots=True)
class Reduced:
    """A polyline of the finite rows of a window, and where the others are."""

    x: Array  # float64, rising
    y: Array  # float64, finite
    odd_x: Array  # x of rows that are not finite, at most one a pixel
    odd: int  # how many rows are not finite
    rows: int  # rows of the window, finite or not
    exact: bool  # each finite row is one point of the polyline


@dataclass(frozen=True, slots=True)
class Grid:
    """The pixels of a window: `pixels` of them, each `dx` wide, from `x0` on."""

    x0: float
    dx: float
    pixels: int

    def column(self, x: Array) -> Array:
        """The pixel column of each x."""
        return np.floor((x - self.x0) / self.dx)


@dataclass(slots=True)
class _Buckets:
    """Neighbouring buckets of several levels, in order of their first rows."""

    start: Array
    level: Array
    x: Array
    low: Array
    high: Array


def _fold(block: Array, least: bool) -> Array:
    """FAN to one, by halves: four vector operations instead of many short loops."""
    pick = np.fmin if least else np.fmax
    rows = block.reshape(-1, FAN)
    width = FAN
    while width > 1:
        width //= 2
        rows = pick(rows[:, :width], rows[:, width:])
    return np.asarray(rows[:, 0])


def _finite(values: Array) -> Array:
    good = np.isfinite(values)
    return values if good.all() else np.where(good, values, np.nan)


class Track:
    """Steps, times and values with their pyramid. Windows of an axis need that axis in rising order."""

    __slots__ = ("levels", "odd", "step", "value", "wall")

    def __init__(self) -> None:
        self.step = Column(np.int32)
        self.wall = Column(np.float64)
        self.value = Column(np.float64)
        self.odd = Column(np.int32)  # indices of rows that are not finite
        self.levels: list[Level] = []

    def __len__(self) -> int:
        return len(self.value)

    @property
    def nbytes(self) -> int:
        """Bytes held by columns and pyramid."""
        columns = [self.step, self.wall, self.value, self.odd]
        columns += [column for level in self.levels for column in level.columns()]
        return sum(column.nbytes for column in columns)

    def append(self, steps: Array, times: Array, values: Array) -> None:
        """Takes rows and brings the pyramid up to date."""
        good = np.isfinite(values)
        if not good.all():
            self.odd.append(np.flatnonzero(~good) + len(self))
        self.step.append(steps)
        self.wall.append(times)
        self.value.append(values)
        self._lift()

    def truncate(self, rows: int) -> None:
        """Forgets the rows from `rows` on."""
        self.odd.truncate(self.odd.search(rows))
        for column in (self.step, self.wall, self.value):
            column.truncate(rows)
        for at, level in enumerate(self.levels):
            for column in level.columns():
                column.truncate(rows >> (FAN_BITS * (at + 1)))

    def _lift(self) -> None:
        low, high, step, wall = self.value, self.value, self.step, self.wall
        at = 0
        while len(low) >= FAN:
            if at == len(self.levels):
                self.levels.append(Level())
            level = self.levels[at]
            start, end = len(level.low) * FAN, len(low) // FAN * FAN
            if start == end:
                return
            block = _finite(low.slice(start, end)) if at == 0 else low.slice(start, end)
            level.low.append(_fold(block, True))
            level.high.append(_fold(block if at == 0 else high.slice(start, end), False))
            level.step.append(step.slice(start, end)[::FAN])
            level.wall.append(wall.slice(start, end)[::FAN])
            low, high, step, wall = level.columns()
            at += 1

    def axis(self, name: str) -> Column:
        """The column of an x axis."""
        return self.wall if name == "wall" else self.step

    def reduce(self, axis: str, start: int, end: int, grid: Grid) -> Reduced:
        """The rows [start, end) as seen on a grid of pixels."""
        if end - start <= 2 * grid.pixels:
            return self._exact(axis, start, end)
        top = min(len(self.levels), int(np.log2((end - start) / grid.pixels)) // FAN_BITS)
        with np.errstate(over="ignore", invalid="ignore"):
            buckets = self._refine(self._cover(axis, start, end, top), axis, end, grid)
            return self._draw(buckets, axis, (start, end), grid)

    def _exact(self, axis: str, start: int, end: int) -> Reduced:
        x = self.axis(axis).slice(start, end).astype(np.float64)
        y = self.value.slice(start, end)
        good = np.isfinite(y)
        if good.all():
            return Reduced(x, y.astype(np.float64), np.empty(0), 0, end - start, True)
        return Reduced(x[good], y[good], x[~good], int((~good).sum()), end - start, True)

    def _columns(self, level: int, axis: str) -> tuple[Column, Column, Column]:
        if level == 0:
            return self.axis(axis), self.value, self.value
        here = self.levels[level - 1]
        return (here.wall if axis == "wall" else here.step), here.low, here.high

    def _cover(self, axis: str, start: int, end: int, top: int) -> _Buckets:
        """Full buckets of the top level, smaller ones at both ends."""
        left: list[tuple[int, int, int]] = []
        right: list[tuple[int, int, int]] = []
        a, b = start, end
        for level in range(top):
            inner_a, inner_b = -(-a // FAN) * FAN, b // FAN * FAN
            if inner_a >= inner_b:
                top = level
                break
            left.append((level, a, inner_a))
            right.append((level, inner_b, b))
            a, b = inner_a // FAN, inner_b // FAN
        pieces = [piece for piece in [*left, (top, a, b), *right[::-1]] if piece[1] < piece[2]]
        parts = []
        for level, first, last in pieces:
            x, low, high = self._columns(level, axis)
            lows = low.slice(first, last)
            lows = _finite(lows) if level == 0 else lows
            highs = lows if level == 0 else high.slice(first, last)
            starts = np.arange(first, last, dtype=np.int64) << (FAN_BITS * level)
            levels = np.full(last - first, level, np.int8)
            parts.append((starts, levels, x.slice(first, last).astype(np.float64), lows, highs))
        return _Buckets(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _refine(self, buckets: _Buckets, axis: str, end: int, grid: Grid) -> _Buckets:
        """Opens each bucket that spans more than a pixel: uneven x keeps its detail."""
        last = grid.column(np.array([float(self.axis(axis).at(end - 1))]))
        for level in range(int(buckets.level.max()), 0, -1):
            pixel = grid.column(buckets.x)
            following = np.append(pixel[1:], last)
            wide = (buckets.level == level) & (following - pixel > 1)
            if not wide.any():
                continue
            below = level - 1
            inner = ((buckets.start[wide] >> (FAN_BITS * below))[:, None] + np.arange(FAN)).ravel()
            x, low, high = self._columns(below, axis)
            lows = low.take(inner)
            lows = _finite(lows) if below == 0 else lows
            counts = np.where(wide, FAN, 1)
            opened = np.repeat(wide, counts)
            grown = [
                np.repeat(old, counts)
                for old in (buckets.start, buckets.level, buckets.x, buckets.low, buckets.high)
            ]
            grown[0][opened] = inner << (FAN_BITS * below)
            grown[1][opened] = below
            grown[2][opened] = x.take(inner)
            grown[3][opened] = lows
            grown[4][opened] = lows if below == 0 else high.take(inner)
            buckets = _Buckets(*grown)
        return buckets

    def _draw(self, buckets: _Buckets, axis: str, rows: tuple[int, int], grid: Grid) -> Reduced:
        pixel = grid.column(buckets.x)
        cuts = np.concatenate(([0], np.flatnonzero(np.diff(pixel)) + 1))
        low = np.fmin.reduceat(buckets.low, cuts)
        high = np.fmax.reduceat(buckets.high, cuts)
        starts = np.append(buckets.start[cuts], rows[1])
        x = buckets.x[cuts]
        odd_x, odd = self._odd(axis, rows, starts, x)
        drawn = np.flatnonzero(~np.isnan(low))
        if not len(drawn):
            return Reduced(np.empty(0), np.empty(0), odd_x, odd, rows[1] - rows[0], False)
        first = self._edge(int(starts[drawn[0]]), int(starts[drawn[0] + 1]), last=False)
        last = self._edge(int(starts[drawn[-1]]), int(starts[drawn[-1] + 1]), last=True)
        return Reduced(
            *self._zigzag(axis, x[drawn], low[drawn], high[drawn], first, last),
            odd_x,
            odd,
            rows[1] - rows[0],
            False,
        )

    def _edge(self, start: int, end: int, *, last: bool) -> int:
        good = np.flatnonzero(np.isfinite(self.value.slice(start, end)))
        return start + int(good[-1 if last else 0])

    def _zigzag(
        self, axis: str, x: Array, low: Array, high: Array, first: int, last: int
    ) -> tuple[Array, Array]:
        """Both extremes of each pixel, in the order that leads to the next; first and last row exactly."""
        column = self.axis(axis)
        first_x, last_x = float(column.at(first)), float(column.at(last))
        middle = low / 2 + high / 2
        falling = np.append(middle[1:] < middle[:-1], False)
        out_x = np.empty(2 * len(x) + 2)
        out_y = np.empty(2 * len(x) + 2)
        out_x[1:-1] = np.repeat(np.clip(x, first_x, last_x), 2)
        out_y[1:-1:2] = np.where(falling, high, low)
        out_y[2:-1:2] = np.where(falling, low, high)
        out_x[0], out_y[0] = first_x, self.value.at(first)
        out_x[-1], out_y[-1] = last_x, self.value.at(last)
        return out_x, out_y

    def _odd(self, axis: str, rows: tuple[int, int], starts: Array, x: Array) -> tuple[Array, int]:
        first, last = self.odd.search(rows[0]), self.odd.search(rows[1])
        count = last - first
        if count == 0:
            return np.empty(0), 0
        if count <= FAN * len(x):
            return self.axis(axis).take(self.odd.slice(first, last)).astype(np.float64), count
        found = self.odd.search_many(starts)
        return x[np.diff(found) > 0], count
