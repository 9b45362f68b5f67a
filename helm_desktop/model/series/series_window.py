"""What a window of a series shows: polylines, and marks where values are not finite."""

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
    """One polyline: a process's points joined by x, or what a later attempt has replaced (faint)."""

    process: str
    attempt: int
    faint: bool
    x: Array
    y: Array
    exact: bool


Parted = tuple[Polyline, list[ReducedWindow]]


@dataclass(frozen=True, slots=True)
class SeriesWindow:
    """A window of a series. Lines reach one point beyond the window on each side, where there is one."""

    lines: tuple[Polyline, ...]
    odd_x: Array  # where values are not finite, at most a few a pixel
    non_finite: int
    points: int  # rows in the window, finite or not
    low: float  # least and greatest finite value in the window; nan when there is none
    high: float

    @property
    def x(self) -> Array:
        """All lines' x, a nan between lines."""
        return _chain([line.x for line in self.lines])

    @property
    def y(self) -> Array:
        """All lines' y, a nan between lines."""
        return _chain([line.y for line in self.lines])


def _chain(parts: list[Array]) -> Array:
    spaced = [piece for part in parts for piece in (part, np.array([np.nan]))]
    return np.concatenate(spaced[:-1]) if spaced else NO_POINTS


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """What is asked for, in the column's own numbers."""

    x0: float
    x1: float
    pixels: int
    column: str
    log: bool = False  # pixels stand evenly on a logarithmic axis that begins at `origin`
    origin: float = 0.0

    def grids(self) -> list[PixelGrid]:
        """Return its pixels; on a logarithmic axis an octave at a time, each with even pixels of its own."""
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
    """Return the column behind an x axis."""
    return "step" if axis == "step" else "wall"


def moved(line: Polyline, origin: float) -> Polyline:
    """Return the line with its x counted from an origin."""
    return Polyline(line.process, line.attempt, line.faint, line.x - origin, line.y, line.exact)


def extremes(lines: list[Polyline], x0: float, x1: float) -> tuple[float, float]:
    """Least and greatest y inside a window."""
    lows, highs = [], []
    for line in lines:
        y = line.y
        if len(y) and (line.x[0] < x0 or line.x[-1] > x1):
            y = y[np.searchsorted(line.x, x0, "left") : np.searchsorted(line.x, x1, "right")]
        if len(y):
            lows.append(float(y.min()))
            highs.append(float(y.max()))
    return (min(lows), max(highs)) if lows else (float("nan"), float("nan"))


def lines_of(process: str, tracks: list[tuple[int, Pyramid]], window: WindowRequest) -> Iterator[Parted]:
    """The line of the newest attempt, led up to by what older ones hold before it; then what it replaced.
    `tracks` are the attempts of a process with their numbers, oldest first."""
    if not tracks:
        return
    strong: list[ReducedWindow] = []
    faint: list[tuple[int, ReducedWindow]] = []
    limit = math.inf
    for attempt, track in reversed(tracks):
        x = track.axis(window.column)
        cut = min(x.search(limit), len(track)) if limit < math.inf else len(track)
        strong.insert(0, _reduce(track, window, 0, cut))
        if cut < len(track):
            faint.append((attempt, _reduce(track, window, cut, len(track))))
        if len(track):
            limit = min(limit, float(x.at(0)))
    xs, ys = strong[0].x, strong[0].y
    if len(strong) > 1:
        xs, ys = np.concatenate([part.x for part in strong]), np.concatenate([part.y for part in strong])
    yield Polyline(process, tracks[-1][0], False, xs, ys, all(part.exact for part in strong)), strong
    for attempt, part in faint:
        yield Polyline(process, attempt, True, part.x, part.y, part.exact), [part]


def _reduce(track: Pyramid, window: WindowRequest, first: int, last: int) -> ReducedWindow:
    """Rows of [first, last) in the window, and one finite row more on each side for the line to go on."""
    x = track.axis(window.column)
    start, end = first, last
    if first < last and x.at(first) < window.x0:
        start = min(max(x.search(window.x0), first), last)
    if first < last and x.at(last - 1) > window.x1:
        end = min(max(x.search(window.x1, "right"), start), last)
    grids = window.grids()
    body = _body(track, window, start, end, grids)
    if start == first and end == last:
        return body
    before = reduce(track, window.column, max(first, start - 1), start, grids[0])
    after = reduce(track, window.column, end, min(last, end + 1), grids[-1])
    xs = np.concatenate((before.x, body.x, after.x))
    ys = np.concatenate((before.y, body.y, after.y))
    return ReducedWindow(xs, ys, body.odd_x, body.odd, body.rows, body.exact)


def _body(
    track: Pyramid, window: WindowRequest, start: int, end: int, grids: list[PixelGrid]
) -> ReducedWindow:
    if len(grids) == 1 or end - start <= 2 * window.pixels:
        return reduce(track, window.column, start, end, grids[0])
    x = track.axis(window.column)
    cuts = [start, *(min(max(x.search(grid.x0), start), end) for grid in grids[1:]), end]
    parts = [
        reduce(track, window.column, a, b, grid)
        for (a, b), grid in zip(pairwise(cuts), grids, strict=True)
        if a < b
    ]
    return ReducedWindow(
        np.concatenate([part.x for part in parts]),
        np.concatenate([part.y for part in parts]),
        np.concatenate([part.odd_x for part in parts]),
        sum(part.odd for part in parts),
        end - start,
        all(part.exact for part in parts),
    )
