"""Any range of the rows of a pyramid as a polyline with about two points a pixel.

For each pixel column the polyline has the least and the greatest value, so that no spike is lost. They are
read from the levels of the pyramid: the work depends on the number of pixels, not on the number of rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import FAN, FAN_BITS, LastPolyline, Pyramid, finite

NOTHING = np.empty(0)
_Piece = tuple[int, int, int]  # a level, the first entry of it, and the entry after the last one


@dataclass(frozen=True, slots=True)
class ReducedWindow:
    """The polyline of the finite rows of a window, and the x of its rows that are not finite."""

    x: Array  # float64, rising
    y: Array  # float64, finite
    non_finite_x: Array  # x of rows that are not finite, at most a few a pixel
    non_finite: int  # the number of rows that are not finite
    rows: int  # rows of the window, finite or not
    exact: bool  # True: each finite row is one point of the polyline
    ends: tuple[float, float] | None = None  # least and greatest y; None where they were not needed


@dataclass(frozen=True, slots=True)
class PixelGrid:
    """The pixel columns of a window: `pixels` columns from x = `x0` on, each `dx` wide."""

    x0: float
    dx: float
    pixels: int

    def column(self, x: Array) -> Array:
        """Return the pixel column of each x."""
        return np.floor((x - self.x0) / self.dx)


@dataclass(slots=True)
class _Buckets:
    """Adjacent entries of several levels of a pyramid, in the order of their first rows."""

    start: Array  # the first row of each entry
    level: Array
    x: Array
    low: Array
    high: Array


def reduce(pyramid: Pyramid, axis: str, start: int, end: int, grid: PixelGrid) -> ReducedWindow:
    """Return the rows [start, end) reduced to a grid of pixels. The axis must be in rising order."""
    if end - start <= 2 * grid.pixels:
        return _exact_rows(pyramid, axis, start, end)
    to_newest_row = end == len(pyramid)
    last = pyramid.last_polylines.get(axis) if to_newest_row else None
    if last is not None and _extend(pyramid, axis, last, start, end, grid):
        ends = last.low, last.high
        return ReducedWindow(last.x.copy(), last.y.copy(), NOTHING, 0, end - start, False, ends)
    pyramid.build_levels()
    top = min(len(pyramid.levels), int(math.log2((end - start) / grid.pixels)) // FAN_BITS)
    pieces = _pieces(start, end, top)
    with np.errstate(over="ignore", invalid="ignore"):
        reduced = _reduce_pieces(pyramid, axis, (start, end), grid, pieces)
    if to_newest_row and not reduced.non_finite:
        column = math.floor((float(pyramid.axis(axis).at(end - 1)) - grid.x0) / grid.dx)
        line = reduced.x.copy(), reduced.y.copy()
        ends = float(reduced.y.min()), float(reduced.y.max())
        pyramid.last_polylines[axis] = LastPolyline(grid.x0, grid.dx, start, end, column, *line, *ends)
    return reduced


def _extend(pyramid: Pyramid, axis: str, last: LastPolyline, start: int, end: int, grid: PixelGrid) -> bool:
    """Add the rows after the end of the last polyline to it; return False when that is not possible."""
    if (last.x0, last.dx, last.start) != (grid.x0, grid.dx, start):
        return False
    if last.end == end:
        return True
    if end - last.end > FAN * grid.pixels:
        return False
    values = pyramid.value.slice(last.end, end)
    low, high = float(values.min()), float(values.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        return False
    x = pyramid.axis(axis).slice(last.end, end).astype(np.float64)
    columns = grid.column(x)
    in_last_pixel = int(np.searchsorted(columns, last.column, "right"))
    y = last.y
    if in_last_pixel:
        least, greatest = (
            (low, high)
            if in_last_pixel == len(x)
            else (values[:in_last_pixel].min(), values[:in_last_pixel].max())
        )
        known = y[-3], y[-2]
        y[-3], y[-2] = min(least, *known), max(greatest, *known)
    last.low, last.high = min(low, last.low), max(high, last.high)
    if in_last_pixel < len(x):
        _append_pixels(last, x[in_last_pixel:], values[in_last_pixel:], columns[in_last_pixel:])
    last.x[-1], last.y[-1] = x[-1], values[-1]
    last.end = end
    return True


def _append_pixels(last: LastPolyline, x: Array, values: Array, columns: Array) -> None:
    """Append the pixel columns of rows that lie after the last column of the polyline."""
    cuts = np.append(0, np.flatnonzero(columns[1:] - columns[:-1]) + 1)
    added = 2 * len(cuts)
    grown_x, grown_y = (np.empty(len(old) + added) for old in (last.x, last.y))
    grown_x[: -added - 1], grown_y[: -added - 1] = last.x[:-1], last.y[:-1]
    grown_x[-added - 1 : -1] = np.repeat(x[cuts], 2)
    grown_y[-added - 1 : -1 : 2] = np.minimum.reduceat(values, cuts)
    grown_y[-added:-1:2] = np.maximum.reduceat(values, cuts)
    last.x, last.y, last.column = grown_x, grown_y, float(columns[-1])


def _exact_rows(pyramid: Pyramid, axis: str, start: int, end: int) -> ReducedWindow:
    x = pyramid.axis(axis).slice(start, end).astype(np.float64)
    y = pyramid.value.slice(start, end)
    if pyramid.non_finite_rows.search(start) == pyramid.non_finite_rows.search(end):
        return ReducedWindow(x, y.copy(), NOTHING, 0, end - start, True)
    good = np.isfinite(y)
    return ReducedWindow(x[good], y[good], x[~good], int((~good).sum()), end - start, True)


def _pieces(start: int, end: int, top: int) -> list[_Piece]:
    """Cover the rows [start, end) by entries of the level `top`, and of lower levels at both ends."""
    left: list[_Piece] = []
    right: list[_Piece] = []
    a, b = start, end
    for level in range(top):
        inner_a, inner_b = -(-a // FAN) * FAN, b // FAN * FAN
        if inner_a >= inner_b:
            top = level
            break
        if a < inner_a:
            left.append((level, a, inner_a))
        if inner_b < b:
            right.append((level, inner_b, b))
        a, b = inner_a // FAN, inner_b // FAN
    if a < b:
        left.append((top, a, b))
    return left + right[::-1]


def _gather(pyramid: Pyramid, axis: str, pieces: list[_Piece]) -> tuple[Array, Array, Array]:
    """Return x, least and greatest values of the entries of all pieces."""
    xs, lows, highs = [], [], []
    for level, first, end in pieces:
        x, low, high = pyramid.columns(level, axis)
        values = low.slice(first, end)
        values = finite(values) if level == 0 else values
        xs.append(x.slice(first, end))
        lows.append(values)
        highs.append(values if level == 0 else high.slice(first, end))
    return np.concatenate(xs).astype(np.float64), np.concatenate(lows), np.concatenate(highs)


def _starts(pieces: list[_Piece]) -> Array:
    return np.concatenate([np.arange(a, b, dtype=np.int64) << (FAN_BITS * level) for level, a, b in pieces])


def _reduce_pieces(
    pyramid: Pyramid, axis: str, rows: tuple[int, int], grid: PixelGrid, pieces: list[_Piece]
) -> ReducedWindow:
    x, low, high = _gather(pyramid, axis, pieces)
    pixel = grid.column(x)
    jumps = pixel[1:] - pixel[:-1]
    last_pixel = math.floor((float(pyramid.axis(axis).at(rows[1] - 1)) - grid.x0) / grid.dx)
    starts: Array | None = None
    if last_pixel - pixel[-1] > 1 or jumps.max(initial=0) > 1:
        levels = np.concatenate([np.full(b - a, level, np.int8) for level, a, b in pieces])
        refined = _refine(pyramid, axis, _Buckets(_starts(pieces), levels, x, low, high), grid, last_pixel)
        starts, x, low, high = refined.start, refined.x, refined.low, refined.high
        pixel = grid.column(x)
        jumps = pixel[1:] - pixel[:-1]
    changes = np.flatnonzero(jumps)
    cuts = np.zeros(len(changes) + 1, np.intp)
    np.add(changes, 1, out=cuts[1:])
    low, high, x = np.fmin.reduceat(low, cuts), np.fmax.reduceat(high, cuts), x[cuts]
    first_non_finite, last_non_finite = (
        pyramid.non_finite_rows.search(rows[0]),
        pyramid.non_finite_rows.search(rows[1]),
    )
    if first_non_finite == last_non_finite:
        line = _zigzag(pyramid, axis, x, low, high, rows[0], rows[1] - 1)
        return ReducedWindow(*line, NOTHING, 0, rows[1] - rows[0], False)
    starts = np.append((_starts(pieces) if starts is None else starts)[cuts], rows[1])
    non_finite_x = _non_finite(pyramid, axis, (first_non_finite, last_non_finite), starts, x)
    line = _finite_line(pyramid, axis, x, low, high, starts)
    return ReducedWindow(*line, non_finite_x, last_non_finite - first_non_finite, rows[1] - rows[0], False)


def _refine(pyramid: Pyramid, axis: str, buckets: _Buckets, grid: PixelGrid, last_pixel: int) -> _Buckets:
    """Replace each entry wider than a pixel by its entries one level below, so that uneven x keeps detail."""
    for level in range(int(buckets.level.max()), 0, -1):
        pixel = grid.column(buckets.x)
        wide = (buckets.level == level) & (np.append(pixel[1:], last_pixel) - pixel > 1)
        if not wide.any():
            continue
        below = level - 1
        inner = ((buckets.start[wide] >> (FAN_BITS * below))[:, None] + np.arange(FAN)).ravel()
        x, low, high = pyramid.columns(below, axis)
        lows = low.take(inner)
        lows = finite(lows) if below == 0 else lows
        counts = np.where(wide, FAN, 1)
        opened = np.repeat(wide, counts)
        old = (buckets.start, buckets.level, buckets.x, buckets.low, buckets.high)
        grown = [np.repeat(column, counts) for column in old]
        grown[0][opened] = inner << (FAN_BITS * below)
        grown[1][opened] = below
        grown[2][opened] = x.take(inner)
        grown[3][opened] = lows
        grown[4][opened] = lows if below == 0 else high.take(inner)
        buckets = _Buckets(*grown)
    return buckets


def _zigzag(
    pyramid: Pyramid, axis: str, x: Array, low: Array, high: Array, first: int, last: int
) -> tuple[Array, Array]:
    """Return both extremes of each pixel, ordered towards the next one, and exact first and last rows."""
    column = pyramid.axis(axis)
    first_x, last_x = float(column.at(first)), float(column.at(last))
    middle = low + high
    falling = np.zeros(len(x), np.bool_)
    np.less(middle[1:], middle[:-1], out=falling[:-1])
    out_x = np.empty(2 * len(x) + 2)
    out_y = np.empty(2 * len(x) + 2)
    inside = np.minimum(np.maximum(x, first_x), last_x)
    out_x[1:-1:2] = inside
    out_x[2:-1:2] = inside
    out_y[1:-1:2] = np.where(falling, high, low)
    out_y[2:-1:2] = np.where(falling, low, high)
    out_x[0], out_y[0] = first_x, pyramid.value.at(first)
    out_x[-1], out_y[-1] = last_x, pyramid.value.at(last)
    return out_x, out_y


def _finite_line(
    pyramid: Pyramid, axis: str, x: Array, low: Array, high: Array, starts: Array
) -> tuple[Array, Array]:
    """Return the polyline of the pixels with a finite value; `starts`: the first row of each, and the end."""
    drawn = np.flatnonzero(~np.isnan(low))
    if not len(drawn):
        return NOTHING, NOTHING
    ends = []
    for at, place in ((drawn[0], 0), (drawn[-1], -1)):
        begin = int(starts[at])
        good = np.flatnonzero(np.isfinite(pyramid.value.slice(begin, int(starts[at + 1]))))
        ends.append(begin + int(good[place]))
    return _zigzag(pyramid, axis, x[drawn], low[drawn], high[drawn], ends[0], ends[1])


def _non_finite(pyramid: Pyramid, axis: str, which: tuple[int, int], starts: Array, x: Array) -> Array:
    """Return the x of each row that is not finite; of many such rows only the x of their pixels."""
    if which[1] - which[0] <= FAN * len(x):
        return pyramid.axis(axis).take(pyramid.non_finite_rows.slice(*which)).astype(np.float64)
    return np.asarray(x[np.diff(pyramid.non_finite_rows.search_many(starts)) > 0])
