"""Any window of a track as a polyline, at a pixel's worth of work."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import FAN, FAN_BITS, LastPolyline, Pyramid, finite

NOTHING = np.empty(0)
_Piece = tuple[int, int, int]  # a level, and the first and last entry of it


@dataclass(frozen=True, slots=True)
class ReducedWindow:
    """A polyline of the finite rows of a window, and where the others are."""

    x: Array  # float64, rising
    y: Array  # float64, finite
    odd_x: Array  # x of rows that are not finite, at most a few a pixel
    odd: int  # how many rows are not finite
    rows: int  # rows of the window, finite or not
    exact: bool  # each finite row is one point of the polyline
    ends: tuple[float, float] | None = None  # least and greatest y, where they are known anyhow


@dataclass(frozen=True, slots=True)
class PixelGrid:
    """The pixels of a window: `pixels` of them, each `dx` wide, from `x0` on."""

    x0: float
    dx: float
    pixels: int

    def column(self, x: Array) -> Array:
        """Return the pixel column of each x."""
        return np.floor((x - self.x0) / self.dx)


@dataclass(slots=True)
class _Buckets:
    """Neighbouring buckets of several levels, in order of their first rows."""

    start: Array
    level: Array
    x: Array
    low: Array
    high: Array


def reduce(track: Pyramid, axis: str, start: int, end: int, grid: PixelGrid) -> ReducedWindow:
    """Return the rows [start, end) as seen on a grid of pixels. The axis must be in rising order."""
    if end - start <= 2 * grid.pixels:
        return _exact_rows(track, axis, start, end)
    newest = end == len(track)
    standing = track.standing.get(axis) if newest else None
    if standing is not None and _carry_on(track, axis, standing, start, end, grid):
        ends = standing.low, standing.high
        return ReducedWindow(standing.x.copy(), standing.y.copy(), NOTHING, 0, end - start, False, ends)
    track.lift()
    top = min(len(track.levels), int(math.log2((end - start) / grid.pixels)) // FAN_BITS)
    pieces = _pieces(start, end, top)
    with np.errstate(over="ignore", invalid="ignore"):
        drawn = _draw(track, axis, (start, end), grid, pieces)
    if newest and not drawn.odd:
        column = math.floor((float(track.axis(axis).at(end - 1)) - grid.x0) / grid.dx)
        line = drawn.x.copy(), drawn.y.copy()
        ends = float(drawn.y.min()), float(drawn.y.max())
        track.standing[axis] = LastPolyline(grid.x0, grid.dx, start, end, column, *line, *ends)
    return drawn


def _carry_on(
    track: Pyramid, axis: str, standing: LastPolyline, start: int, end: int, grid: PixelGrid
) -> bool:
    """Bring the last polyline up to date: its last pixel grows, further ones come after it."""
    if (standing.x0, standing.dx, standing.start) != (grid.x0, grid.dx, start):
        return False
    if standing.end == end:
        return True
    if end - standing.end > FAN * grid.pixels:
        return False
    values = track.value.slice(standing.end, end)
    low, high = float(values.min()), float(values.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        return False
    x = track.axis(axis).slice(standing.end, end).astype(np.float64)
    columns = grid.column(x)
    same = int(np.searchsorted(columns, standing.column, "right"))
    y = standing.y
    if same:
        least, most = (low, high) if same == len(x) else (values[:same].min(), values[:same].max())
        known = y[-3], y[-2]
        y[-3], y[-2] = min(least, *known), max(most, *known)
    standing.low, standing.high = min(low, standing.low), max(high, standing.high)
    if same < len(x):
        _further(standing, x[same:], values[same:], columns[same:])
    standing.x[-1], standing.y[-1] = x[-1], values[-1]
    standing.end = end
    return True


def _further(standing: LastPolyline, x: Array, values: Array, columns: Array) -> None:
    """Add the pixels of rows that lie beyond the last one."""
    cuts = np.append(0, np.flatnonzero(columns[1:] - columns[:-1]) + 1)
    added = 2 * len(cuts)
    grown_x, grown_y = (np.empty(len(old) + added) for old in (standing.x, standing.y))
    grown_x[: -added - 1], grown_y[: -added - 1] = standing.x[:-1], standing.y[:-1]
    grown_x[-added - 1 : -1] = np.repeat(x[cuts], 2)
    grown_y[-added - 1 : -1 : 2] = np.minimum.reduceat(values, cuts)
    grown_y[-added:-1:2] = np.maximum.reduceat(values, cuts)
    standing.x, standing.y, standing.column = grown_x, grown_y, float(columns[-1])


def _exact_rows(track: Pyramid, axis: str, start: int, end: int) -> ReducedWindow:
    x = track.axis(axis).slice(start, end).astype(np.float64)
    y = track.value.slice(start, end)
    if track.odd.search(start) == track.odd.search(end):
        return ReducedWindow(x, y.copy(), NOTHING, 0, end - start, True)
    good = np.isfinite(y)
    return ReducedWindow(x[good], y[good], x[~good], int((~good).sum()), end - start, True)


def _pieces(start: int, end: int, top: int) -> list[_Piece]:
    """Full buckets of the top level, smaller ones at both ends."""
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


def _gather(track: Pyramid, axis: str, pieces: list[_Piece]) -> tuple[Array, Array, Array]:
    """x, least and greatest values of the pieces."""
    xs, lows, highs = [], [], []
    for level, first, last in pieces:
        x, low, high = track.columns(level, axis)
        values = low.slice(first, last)
        values = finite(values) if level == 0 else values
        xs.append(x.slice(first, last))
        lows.append(values)
        highs.append(values if level == 0 else high.slice(first, last))
    return np.concatenate(xs).astype(np.float64), np.concatenate(lows), np.concatenate(highs)


def _starts(pieces: list[_Piece]) -> Array:
    return np.concatenate([np.arange(a, b, dtype=np.int64) << (FAN_BITS * level) for level, a, b in pieces])


def _draw(
    track: Pyramid, axis: str, rows: tuple[int, int], grid: PixelGrid, pieces: list[_Piece]
) -> ReducedWindow:
    x, low, high = _gather(track, axis, pieces)
    pixel = grid.column(x)
    ahead = pixel[1:] - pixel[:-1]
    last_pixel = math.floor((float(track.axis(axis).at(rows[1] - 1)) - grid.x0) / grid.dx)
    starts: Array | None = None
    if last_pixel - pixel[-1] > 1 or ahead.max(initial=0) > 1:
        levels = np.concatenate([np.full(b - a, level, np.int8) for level, a, b in pieces])
        opened = _refine(track, axis, _Buckets(_starts(pieces), levels, x, low, high), grid, last_pixel)
        starts, x, low, high = opened.start, opened.x, opened.low, opened.high
        pixel = grid.column(x)
        ahead = pixel[1:] - pixel[:-1]
    turns = np.flatnonzero(ahead)
    cuts = np.zeros(len(turns) + 1, np.intp)
    np.add(turns, 1, out=cuts[1:])
    low, high, x = np.fmin.reduceat(low, cuts), np.fmax.reduceat(high, cuts), x[cuts]
    first_odd, last_odd = track.odd.search(rows[0]), track.odd.search(rows[1])
    if first_odd == last_odd:
        line = _zigzag(track, axis, x, low, high, rows[0], rows[1] - 1)
        return ReducedWindow(*line, NOTHING, 0, rows[1] - rows[0], False)
    starts = np.append((_starts(pieces) if starts is None else starts)[cuts], rows[1])
    odd_x = _non_finite(track, axis, (first_odd, last_odd), starts, x)
    line = _finite_line(track, axis, x, low, high, starts)
    return ReducedWindow(*line, odd_x, last_odd - first_odd, rows[1] - rows[0], False)


def _refine(track: Pyramid, axis: str, buckets: _Buckets, grid: PixelGrid, last_pixel: int) -> _Buckets:
    """Open each bucket that spans more than a pixel: uneven x keeps its detail."""
    for level in range(int(buckets.level.max()), 0, -1):
        pixel = grid.column(buckets.x)
        wide = (buckets.level == level) & (np.append(pixel[1:], last_pixel) - pixel > 1)
        if not wide.any():
            continue
        below = level - 1
        inner = ((buckets.start[wide] >> (FAN_BITS * below))[:, None] + np.arange(FAN)).ravel()
        x, low, high = track.columns(below, axis)
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
    track: Pyramid, axis: str, x: Array, low: Array, high: Array, first: int, last: int
) -> tuple[Array, Array]:
    """Return both extremes of each pixel, in the order that leads to the next; first and last row exactly."""
    column = track.axis(axis)
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
    out_x[0], out_y[0] = first_x, track.value.at(first)
    out_x[-1], out_y[-1] = last_x, track.value.at(last)
    return out_x, out_y


def _finite_line(
    track: Pyramid, axis: str, x: Array, low: Array, high: Array, starts: Array
) -> tuple[Array, Array]:
    """The line of the pixels that hold a finite value; `starts` has one entry more than there are pixels."""
    drawn = np.flatnonzero(~np.isnan(low))
    if not len(drawn):
        return NOTHING, NOTHING
    ends = []
    for at, place in ((drawn[0], 0), (drawn[-1], -1)):
        begin = int(starts[at])
        good = np.flatnonzero(np.isfinite(track.value.slice(begin, int(starts[at + 1]))))
        ends.append(begin + int(good[place]))
    return _zigzag(track, axis, x[drawn], low[drawn], high[drawn], ends[0], ends[1])


def _non_finite(track: Pyramid, axis: str, which: tuple[int, int], starts: Array, x: Array) -> Array:
    """Return where rows are not finite: each of them, or where there are many each pixel that has one."""
    if which[1] - which[0] <= FAN * len(x):
        return track.axis(axis).take(track.odd.slice(*which)).astype(np.float64)
    return np.asarray(x[np.diff(track.odd.search_many(starts)) > 0])
