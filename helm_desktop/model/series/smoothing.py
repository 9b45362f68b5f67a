"""Smoothing: the debiased exponential moving average, continued as new points come.

s_n = sum over k of w^(n-k) v_k / sum over k of w^(n-k), over the finite values v_1..v_n. Written as
s_n = s_(n-1) + (v_n - s_(n-1)) / (1 + w + ... + w^(n-1)) it leaves a constant series exactly as it is,
and no smoothed value depends on a later value.
"""

from __future__ import annotations

import math

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment

SLICE = 200_000  # rows that are smoothed in one call, about 10 ms


class SmoothingGains:
    """The share of the distance to the n-th value by which the average moves: it falls from 1 to 1 - w."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self._shares = [1.0]
        self._sum = 1.0
        self._constant = weight == 0  # further shares are equal to the last one

    def upto(self, count: int) -> list[float]:
        """Return the shares of the first `count` values; fewer when further ones equal the last."""
        while len(self._shares) < count and not self._constant:
            total = self._sum * self.weight + 1.0
            self._constant = total == self._sum
            self._sum = total
            if not self._constant:
                self._shares.append(1.0 / total)
        return self._shares


def smooth(
    values: Array, gains: SmoothingGains, seen: int = 0, last: float = math.nan
) -> tuple[Array, int, float]:
    """Return the average at each value (nan where the value is not finite), and the state to continue from.

    The state is the number of finite values so far and the last average; `seen` and `last` are such a state.
    """
    good, before = np.isfinite(values), last
    finite = values if good.all() else values[good]
    shares = gains.upto(seen + len(finite))
    steady = shares[-1]
    out: list[float] = []
    numbers = iter(finite.tolist())
    if seen == 0 and len(finite):
        last = next(numbers)
        out.append(last)
    for share, value in zip(shares[seen + len(out) :], numbers, strict=False):
        last += (value - last) * share
        out.append(last)
    for value in finite[len(out) :].tolist():
        last += (value - last) * steady
        out.append(last)
    if out and not math.isfinite(last):  # a difference of two values is beyond the largest float
        out, last = _in_halves(finite, shares, seen, out[0] if seen == 0 else before)
    if len(finite) == len(values):
        return np.array(out, np.float64), seen + len(finite), last
    whole = np.full(len(values), np.nan)
    whole[good] = out
    return whole, seen + len(finite), last


def _in_halves(finite: Array, shares: list[float], seen: int, last: float) -> tuple[list[float], float]:
    out = []
    for at, value in enumerate(finite.tolist(), seen):
        share = shares[min(at, len(shares) - 1)]
        last = 2.0 * (last / 2 + (value / 2 - last / 2) * share) if at else value
        out.append(last)
    return out, last


class Smoothed(Pyramid):
    """The rows of a pyramid with smoothed values. Steps and times are the columns of the source."""

    __slots__ = ("_cut", "_gains", "_seed", "_source")

    def __init__(self, source: Pyramid, weight: float, seed: tuple[int, float] = (0, math.nan)) -> None:
        super().__init__()
        self._source = source
        self.step, self.wall = source.step, source.wall
        self._gains = SmoothingGains(weight)
        self._seed = seed
        self._cut = len(source.cuts)

    def truncate(self, rows: int) -> None:
        """Remove the averages from a row on; the source owns steps and times."""
        self.last_polylines.clear()
        self.non_finite_rows.truncate(self.non_finite_rows.search(rows))
        self.value.truncate(rows)
        self._truncate_levels(rows)

    @property
    def behind(self) -> int:
        """The number of rows of the source that are not smoothed yet."""
        return len(self._source) - len(self)

    def follows(self, source: Pyramid, seed: tuple[int, float]) -> bool:
        """Return True when this is the average of this source that begins with this state."""
        same = seed == self._seed or (seed[0] == self._seed[0] == 0)
        return source is self._source and same

    def state(self, rows: int) -> tuple[int, float]:
        """Return the number of finite values before a row, and the average there."""
        seen = self._seed[0] + rows - self.non_finite_rows.search(rows)
        at = rows - 1
        while at >= 0 and not math.isfinite(last := float(self.value.at(at))):
            at -= 1
        return seen, last if at >= 0 else self._seed[1]

    def follow(self, most: int = SLICE) -> bool:
        """Smooth at most `most` further rows; return True when all rows of the source are smoothed."""
        for rows in self._source.cuts[self._cut :]:
            if rows < len(self):
                self.truncate(rows)
        self._cut = len(self._source.cuts)
        start, end = len(self), min(len(self._source), len(self) + most)
        if start < end:
            values, _, _ = smooth(self._source.value.slice(start, end), self._gains, *self.state(start))
            bad = np.flatnonzero(~np.isfinite(values))
            if len(bad):
                self.non_finite_rows.append(bad + start)
            self.value.append(values)
            self.build_levels()
        return end == len(self._source)


def smooth_attempts(
    attempts: list[Segment], column: str, weight: float
) -> tuple[list[tuple[int, Pyramid]], bool]:
    """Return the smoothed attempts of a process, oldest first, and True when all rows are smoothed.

    A later attempt continues from the average that the line has where the attempt begins.
    """
    found: list[tuple[int, Pyramid]] = []
    seed, done = (0, math.nan), True
    for segment, following in zip(attempts, [*attempts[1:], None], strict=True):
        pyramid = _smoothed(segment, column, weight, seed)
        done = pyramid.follow()
        found.append((segment.attempt, pyramid))
        if not done:
            break
        if following is not None:
            first = float(following.pyramid(column).axis(column).at(0))
            seed = pyramid.state(min(pyramid.axis(column).search(first), len(pyramid)))
    return found, done


def _smoothed(segment: Segment, column: str, weight: float, seed: tuple[int, float]) -> Smoothed:
    known = segment.smoothed.get((column, weight))
    source = segment.pyramid(column)
    if isinstance(known, Smoothed) and known.follows(source, seed):
        return known
    for old in list(segment.smoothed)[: max(0, len(segment.smoothed) - 1)]:  # dragging a slider makes many
        del segment.smoothed[old]
    new = segment.smoothed[column, weight] = Smoothed(source, weight, seed)
    return new
