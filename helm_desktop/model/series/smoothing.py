"""Smoothing: the debiased exponential moving average, point by point, carried on as points come.

s_n = sum over k of w^(n-k) v_k / sum over k of w^(n-k), over the finite values v_1..v_n. Written as
s_n = s_(n-1) + (v_n - s_(n-1)) / (1 + w + ... + w^(n-1)) it leaves a constant exactly as it is, and no
value depends on a later one.
"""

from __future__ import annotations

import math

import numpy as np

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.segment import Segment

SLICE = 200_000  # rows smoothed at a time: some ten milliseconds


class SmoothingGains:
    """What share of the way to the n-th value the average goes: falls to 1 - w and stays there."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self._shares = [1.0]
        self._sum = 1.0
        self._settled = weight == 0

    def upto(self, count: int) -> list[float]:
        """Return the shares of the first `count` values, or of all that differ."""
        while len(self._shares) < count and not self._settled:
            total = self._sum * self.weight + 1.0
            self._settled = total == self._sum
            self._sum = total
            if not self._settled:
                self._shares.append(1.0 / total)
        return self._shares


def smooth(
    values: Array, gains: SmoothingGains, seen: int = 0, last: float = math.nan
) -> tuple[Array, int, float]:
    """Return the average at each value (nan where that is not finite), how many were taken, and the last."""
    good, before = np.isfinite(values), last
    kept = values if good.all() else values[good]
    shares = gains.upto(seen + len(kept))
    steady = shares[-1]
    out: list[float] = []
    numbers = iter(kept.tolist())
    if seen == 0 and len(kept):
        last = next(numbers)
        out.append(last)
    for share, value in zip(shares[seen + len(out) :], numbers, strict=False):
        last += (value - last) * share
        out.append(last)
    for value in kept[len(out) :].tolist():
        last += (value - last) * steady
        out.append(last)
    if out and not math.isfinite(last):  # values further apart than a float reaches
        out, last = _in_halves(kept, shares, seen, out[0] if seen == 0 else before)
    if len(kept) == len(values):
        return np.array(out, np.float64), seen + len(kept), last
    whole = np.full(len(values), np.nan)
    whole[good] = out
    return whole, seen + len(kept), last


def _in_halves(kept: Array, shares: list[float], seen: int, last: float) -> tuple[list[float], float]:
    out = []
    for at, value in enumerate(kept.tolist(), seen):
        share = shares[min(at, len(shares) - 1)]
        last = 2.0 * (last / 2 + (value / 2 - last / 2) * share) if at else value
        out.append(last)
    return out, last


class Smoothed(Pyramid):
    """The rows of a track with their values smoothed; x is the source's own."""

    __slots__ = ("_cut", "_gains", "_seed", "_source")

    def __init__(self, source: Pyramid, weight: float, seed: tuple[int, float] = (0, math.nan)) -> None:
        super().__init__()
        self._source = source
        self.step, self.wall = source.step, source.wall
        self._gains = SmoothingGains(weight)
        self._seed = seed
        self._cut = len(source.cuts)

    def truncate(self, rows: int) -> None:
        """Forget averages from a row on; x belongs to the source."""
        self.standing.clear()
        self.odd.truncate(self.odd.search(rows))
        self.value.truncate(rows)
        self._truncate_levels(rows)

    @property
    def behind(self) -> int:
        """Rows of the source that are not smoothed yet."""
        return len(self._source) - len(self)

    def follows(self, source: Pyramid, seed: tuple[int, float]) -> bool:
        """Return True when it is the average of this track with this beginning."""
        same = seed == self._seed or (seed[0] == self._seed[0] == 0)
        return source is self._source and same

    def state(self, rows: int) -> tuple[int, float]:
        """Return how many finite values are before a row, and the average there."""
        seen = self._seed[0] + rows - self.odd.search(rows)
        at = rows - 1
        while at >= 0 and not math.isfinite(last := float(self.value.at(at))):
            at -= 1
        return seen, last if at >= 0 else self._seed[1]

    def follow(self, most: int = SLICE) -> bool:
        """Smooth up to so many further rows; whether nothing is left."""
        for rows in self._source.cuts[self._cut :]:
            if rows < len(self):
                self.truncate(rows)
        self._cut = len(self._source.cuts)
        start, end = len(self), min(len(self._source), len(self) + most)
        if start < end:
            values, _, _ = smooth(self._source.value.slice(start, end), self._gains, *self.state(start))
            odd = np.flatnonzero(~np.isfinite(values))
            if len(odd):
                self.odd.append(odd + start)
            self.value.append(values)
            self.lift()
        return end == len(self._source)


def smooth_attempts(
    attempts: list[Segment], column: str, weight: float
) -> tuple[list[tuple[int, Pyramid]], bool]:
    """The smoothed tracks of a process's attempts, oldest first, and whether they reach their ends. A later
    attempt goes on from the average that the line had where it begins."""
    made: list[tuple[int, Pyramid]] = []
    seed, done = (0, math.nan), True
    for segment, following in zip(attempts, [*attempts[1:], None], strict=True):
        track = _smoothed(segment, column, weight, seed)
        done = track.follow()
        made.append((segment.attempt, track))
        if not done:
            break
        if following is not None:
            first = float(following.track(column).axis(column).at(0))
            seed = track.state(min(track.axis(column).search(first), len(track)))
    return made, done


def _smoothed(segment: Segment, column: str, weight: float, seed: tuple[int, float]) -> Smoothed:
    held = segment.smoothed.get((column, weight))
    source = segment.track(column)
    if isinstance(held, Smoothed) and held.follows(source, seed):
        return held
    for old in list(segment.smoothed)[: max(0, len(segment.smoothed) - 1)]:  # a dragged slider leaves many
        del segment.smoothed[old]
    fresh = segment.smoothed[column, weight] = Smoothed(source, weight, seed)
    return fresh
