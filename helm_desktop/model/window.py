"""What a window of a series shows: polylines, and marks where values are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from helm_desktop.model.columns import Array
from helm_desktop.model.envelope import Grid, Reduced, reduce
from helm_desktop.model.segment import Segment

NO_POINTS = np.empty(0)


@dataclass(frozen=True, slots=True)
class Line:
    """One polyline: a process's points joined by x, or what a later attempt has replaced (faint)."""

    process: str
    attempt: int
    faint: bool
    x: Array
    y: Array
    exact: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A window of a series. Lines reach one point beyond the window on each side, where there is one."""

    lines: tuple[Line, ...]
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
class Window:
    """What is asked for, in the column's own numbers."""

    x0: float
    x1: float
    pixels: int
    column: str

    def grid(self) -> Grid:
        """Its pixels."""
        span = self.x1 - self.x0
        return Grid(self.x0, span / self.pixels if span > 0 else 1.0, self.pixels)


def column_of(axis: str) -> str:
    """The column behind an x axis."""
    return "step" if axis == "step" else "wall"


def moved(line: Line, origin: float) -> Line:
    """The line with its x counted from an origin."""
    return Line(line.process, line.attempt, line.faint, line.x - origin, line.y, line.exact)


def extremes(lines: list[Line], x0: float, x1: float) -> tuple[float, float]:
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


def lines_of(attempts: list[Segment], window: Window) -> Iterator[tuple[Line, list[Reduced]]]:
    """The line of the newest attempt, led up to by what older ones hold before it; then what it replaced."""
    if not attempts:
        return
    process, newest = attempts[0].process, attempts[-1].attempt
    strong: list[Reduced] = []
    faint: list[tuple[int, Reduced]] = []
    limit = float("inf")
    for segment in reversed(attempts):
        track = segment.track(window.column)
        x = track.axis(window.column)
        cut = min(x.search(limit), len(x)) if limit < float("inf") else len(x)
        strong.insert(0, _reduce(segment, window, 0, cut))
        if cut < len(x):
            faint.append((segment.attempt, _reduce(segment, window, cut, len(x))))
        limit = min(limit, float(x.at(0)))
    xs, ys = strong[0].x, strong[0].y
    if len(strong) > 1:
        xs, ys = np.concatenate([part.x for part in strong]), np.concatenate([part.y for part in strong])
    yield Line(process, newest, False, xs, ys, all(part.exact for part in strong)), strong
    for attempt, part in faint:
        yield Line(process, attempt, True, part.x, part.y, part.exact), [part]


def _reduce(segment: Segment, window: Window, first: int, last: int) -> Reduced:
    """Rows of [first, last) in the window, and one finite row more on each side for the line to go on."""
    track = segment.track(window.column)
    x = track.axis(window.column)
    start, end = first, last
    if first < last and x.at(first) < window.x0:
        start = min(max(x.search(window.x0), first), last)
    if first < last and x.at(last - 1) > window.x1:
        end = min(max(x.search(window.x1, "right"), start), last)
    body = reduce(track, window.column, start, end, window.grid())
    if start == first and end == last:
        return body
    before = reduce(track, window.column, max(first, start - 1), start, window.grid())
    after = reduce(track, window.column, end, min(last, end + 1), window.grid())
    xs = np.concatenate((before.x, body.x, after.x))
    ys = np.concatenate((before.y, body.y, after.y))
    return Reduced(xs, ys, body.odd_x, body.odd, body.rows, body.exact)
