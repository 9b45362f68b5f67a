"""A window of a series, ready to be drawn: polylines, and the x of values that are not finite."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from helm_desktop.model.series.envelope import PixelGrid, ReducedWindow, reduce
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid

NO_POINTS = np.empty(0)
_OCTAVES = 60


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line of a process: its points in the order of x, or those that a later attempt replaced (faint)."""

    process: str
    attempt: int
    faint: bool
    x: Array
    y: Array
    exact: bool


LineParts = tuple[Polyline, list[ReducedWindow]]  # a line, and the windows that it was joined from


@dataclass(frozen=True, slots=True)
class SeriesWindow:
    """A window of a series. Each line has one point more on each side of the window, where there is one."""

    lines: tuple[Polyline, ...]
    non_finite_x: Array  # where values are not finite, at most a few a pixel
    non_finite: int
    points: int  # rows in the window, finite or not
    low: float  # least and greatest finite value in the window; nan when there is none
    high: float

    @property
    def x(self) -> Array:
        """The x of all lines, with a nan between lines."""
        return _chain([line.x for line in self.lines])

    @property
    def y(self) -> Array:
        """The y of all lines, with a nan between lines."""
        return _chain([line.y for line in self.lines])


def _chain(parts: list[Array]) -> Array:
    spaced = [piece for part in parts for piece in (part, np.array([np.nan]))]
    return np.concatenate(spaced[:-1]) if spaced else NO_POINTS


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """The range of x to draw, in the numbers of its column, and the number of pixels."""

    x0: float
    x1: float
    pixels: int
    column: str
    log: bool = False  # the pixels are even on a logarithmic axis of x - origin
    origin: float = 0.0

    def grids(self) -> list[PixelGrid]:
        """Return the pixel grids: one, or on a logarithmic axis one for each octave, with even pixels."""
        span = self.x1 - self.x0
        low, high = self.x0 - self.origin, self.x1 - self.origin
        if not (self.log and 0 < low < high):
            return [PixelGrid(self.x0, span / self.pixels if span > 0 else 1.0, self.pixels)]
        count = min(max(1, math.ceil(math.log2(high / low))), _OCTAVES)
        edges = np.geomspace(low, high, count + 1)
        edges[0], edges[-1] = low, high
        each = max(2, -(-2 * self.pixels // count))
        steps = np.diff(edges) / each
        return [
            PixelGrid(a + self.origin, step, each)
            for a, step in zip(edges[:-1].tolist(), steps.tolist(), strict=True)
        ]


def column_of(axis: str) -> str:
    """Return the column of the rows that an x axis shows: "step" or "wall"."""
    return "step" if axis == "step" else "wall"


def moved(line: Polyline, origin: float) -> Polyline:
    """Return the line with its x counted from an origin."""
    return Polyline(line.process, line.attempt, line.faint, line.x - origin, line.y, line.exact)


def extremes(lines: list[Polyline], x0: float, x1: float) -> tuple[float, float]:
    """Return the least and the greatest y of the lines inside [x0, x1]; nan when there is none."""
    lows, highs = [], []
    for line in lines:
        y = line.y
        if len(y) and (line.x[0] < x0 or line.x[-1] > x1):
            y = y[np.searchsorted(line.x, x0, "left") : np.searchsorted(line.x, x1, "right")]
        if len(y):
            lows.append(float(y.min()))
            highs.append(float(y.max()))
    return (min(lows), max(highs)) if lows else (float("nan"), float("nan"))


def lines_of(process: str, pyramids: list[tuple[int, Pyramid]], window: WindowRequest) -> Iterator[LineParts]:
    """Yield the line of a process, then a faint line for each attempt with points that later ones replaced.

    The line has the newest attempt, and before its first x the points of older attempts. `pyramids` are the
    attempts with their numbers, oldest first.
    """
    if not pyramids:
        return
    current: list[ReducedWindow] = []
    replaced: list[tuple[int, ReducedWindow]] = []
    limit = math.inf
    for attempt, pyramid in reversed(pyramids):
        x = pyramid.axis(window.column)
        cut = min(x.search(limit), len(pyramid)) if limit < math.inf else len(pyramid)
        current.insert(0, _reduce(pyramid, window, 0, cut))
        if cut < len(pyramid):
            replaced.append((attempt, _reduce(pyramid, window, cut, len(pyramid))))
        if len(pyramid):
            limit = min(limit, float(x.at(0)))
    xs, ys = current[0].x, current[0].y
    if len(current) > 1:
        xs, ys = np.concatenate([part.x for part in current]), np.concatenate([part.y for part in current])
    yield Polyline(process, pyramids[-1][0], False, xs, ys, all(part.exact for part in current)), current
    for attempt, part in replaced:
        yield Polyline(process, attempt, True, part.x, part.y, part.exact), [part]


def _reduce(pyramid: Pyramid, window: WindowRequest, first: int, last: int) -> ReducedWindow:
    """Reduce the rows [first, last) that are in the window, with one finite row more on each side."""
    x = pyramid.axis(window.column)
    start, end = first, last
    if first < last and x.at(first) < window.x0:
        start = min(max(x.search(window.x0), first), last)
    if first < last and x.at(last - 1) > window.x1:
        end = min(max(x.search(window.x1, "right"), start), last)
    grids = window.grids()
    inside = _inside(pyramid, window, start, end, grids)
    if start == first and end == last:
        return inside
    before = reduce(pyramid, window.column, max(first, start - 1), start, grids[0])
    after = reduce(pyramid, window.column, end, min(last, end + 1), grids[-1])
    xs = np.concatenate((before.x, inside.x, after.x))
    ys = np.concatenate((before.y, inside.y, after.y))
    return ReducedWindow(xs, ys, inside.non_finite_x, inside.non_finite, inside.rows, inside.exact)


def _inside(
    pyramid: Pyramid, window: WindowRequest, start: int, end: int, grids: list[PixelGrid]
) -> ReducedWindow:
    if len(grids) == 1 or end - start <= 2 * window.pixels:
        return reduce(pyramid, window.column, start, end, grids[0])
    x = pyramid.axis(window.column)
    cuts = [start, *(min(max(x.search(grid.x0), start), end) for grid in grids[1:]), end]
    parts = [
        reduce(pyramid, window.column, a, b, grid)
        for (a, b), grid in zip(pairwise(cuts), grids, strict=True)
        if a < b
    ]
    return ReducedWindow(
        np.concatenate([part.x for part in parts]),
        np.concatenate([part.y for part in parts]),
        np.concatenate([part.non_finite_x for part in parts]),
        sum(part.non_finite for part in parts),
        end - start,
        all(part.exact for part in parts),
    )
