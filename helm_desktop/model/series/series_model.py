"""All points of all streams of a run, and any window of a series as polylines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import NamedTuple

import numpy as np

from helm_desktop.model.series.envelope import ReducedWindow
from helm_desktop.model.series.number_column import Array, NumberColumn, bytes_held
from helm_desktop.model.series.segment import Segment
from helm_desktop.model.series.series_window import (
    NO_POINTS,
    Polyline,
    SeriesWindow,
    WindowRequest,
    column_of,
    extremes,
    lines_of,
    moved,
)
from helm_desktop.model.series.smoothing import smooth_attempts
from helm_desktop.model.series.units import unit_of
from helm_sdk.protocol.messages import Batch, StreamDef

_SEARCHED = 64  # series that are searched for the time of a step


class NearestPoint(NamedTuple):
    """A point of a process, and its smoothed value (`average`), nan where none is drawn."""

    process: str
    x: float
    value: float
    average: float = nan


class Series:
    """The points of one name: a segment for each process and attempt that logged it."""

    def __init__(self, name: str, unit: str = "", better: str = "", kind: str = "scalar") -> None:
        self.name = name
        self.unit = unit
        self.better = better
        self.kind = kind
        self.segments: dict[tuple[str, int], Segment] = {}

    def segment(self, process: str, attempt: int) -> Segment:
        """Return the segment of an attempt of a process; a new one where there is none."""
        found = self.segments.get((process, attempt))
        if found is None:
            found = self.segments[process, attempt] = Segment(process, attempt)
        return found

    def append(self, process: str, attempt: int, steps: Array, times: Array, values: Array) -> None:
        """Append rows of an attempt of a process, in the order of the log."""
        self.segment(process, attempt).append(steps, times, values)

    @property
    def count(self) -> int:
        """The number of all points, with repeated steps and older attempts."""
        return sum(segment.count for segment in self.segments.values())

    @property
    def newest(self) -> Segment | None:
        """The segment with the latest point; None without points."""
        return max(
            self.segments.values(), key=lambda segment: (segment.last_time, segment.attempt), default=None
        )

    @property
    def last_step(self) -> int | None:
        """The step of the latest point."""
        return self.newest.last_step if self.newest else None

    @property
    def last_value(self) -> float | None:
        """The value of the latest point."""
        return self.newest.last_value if self.newest else None

    @property
    def non_finite(self) -> int:
        """The number of points that are NaN or infinite."""
        return sum(segment.non_finite for segment in self.segments.values())

    @property
    def non_positive(self) -> int:
        """The number of finite points at or below zero, which a logarithmic axis cannot show."""
        return sum(segment.non_positive for segment in self.segments.values())

    @property
    def repeats(self) -> int:
        """The number of points whose step was logged again later in the same attempt."""
        return sum(segment.repeats for segment in self.segments.values())

    @property
    def memory_bytes(self) -> int:
        """The bytes of this series, with chunks that it shares with other series."""
        return bytes_held(self.all_columns())

    def all_columns(self) -> list[NumberColumn]:
        """Return the columns of all segments."""
        return [column for segment in self.segments.values() for column in segment.all_columns()]

    def processes(self) -> list[str]:
        """Return the names of the processes that logged it, sorted."""
        return sorted({process for process, _ in self.segments})

    def attempts(self, process: str) -> list[Segment]:
        """Return the segments of a process that have points, oldest first."""
        mine = [segment for segment in self.segments.values() if segment.process == process and segment.count]
        return sorted(mine, key=lambda segment: segment.attempt)

    def tail(self, rows: int, since_step: int | None = None) -> tuple[Array, Array]:
        """Return steps and values of the last rows of the newest segment, from `since_step` on."""
        newest = self.newest
        if newest is None:
            return np.empty(0, np.int64), NO_POINTS
        steps, _, values = newest.tail(rows)
        kept = steps >= since_step if since_step is not None else slice(None)
        return steps[kept], values[kept]

    # Windows -----------------------------------------------------------------------------------

    def origin(self, axis: str) -> float:
        """Return the time that x is counted from: that of the first point for "relative", else 0."""
        if axis != "relative":
            return 0.0
        firsts = [float(s.pyramid("wall").wall.at(0)) for s in self.segments.values() if s.count]
        return min(firsts, default=0.0)

    def extent(self, axis: str = "step") -> tuple[float, float] | None:
        """Return the first and the last x; None without points."""
        column, origin = column_of(axis), self.origin(axis)
        ends = []
        for segment in self.segments.values():
            if segment.count:
                x = segment.pyramid(column).axis(column)
                ends += [float(x.at(0)) - origin, float(x.at(len(x) - 1)) - origin]
        return (min(ends), max(ends)) if ends else None

    def window(
        self,
        x0: float,
        x1: float,
        width_px: int,
        axis: str = "step",
        *,
        log: bool = False,
        origin: float | None = None,
    ) -> SeriesWindow:
        """Return the points in [x0, x1] reduced to `width_px` pixels. `log`: the x axis is logarithmic."""
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        lines: list[Polyline] = []
        parts: list[ReducedWindow] = []
        inside = WindowRequest(x0 + origin, x1 + origin, max(int(width_px), 8), column, log, origin)
        for process in self.processes():
            pyramids = [(one.attempt, one.pyramid(column)) for one in self.attempts(process)]
            for line, reduced in lines_of(process, pyramids, inside):
                parts += reduced
                if len(line.x):
                    lines.append(line if not origin else moved(line, origin))
        bad_x, non_finite = NO_POINTS, sum(part.non_finite for part in parts)
        if non_finite:
            bad_x = np.concatenate([part.non_finite_x for part in parts]) - origin
            bad_x = bad_x[(bad_x >= x0) & (bad_x <= x1)]
        known = parts[0].ends if len(parts) == 1 else None
        low, high = known or extremes(lines, x0, x1)
        return SeriesWindow(tuple(lines), bad_x, non_finite, sum(part.rows for part in parts), low, high)

    def smoothed(
        self,
        x0: float,
        x1: float,
        width_px: int,
        weight: float,
        axis: str = "step",
        *,
        log: bool = False,
        origin: float | None = None,
    ) -> tuple[list[Polyline], bool]:
        """Return the smoothed line of each process in a window, and whether all of it is computed.

        A long series takes several calls. The average goes on from an older attempt to the newer one.
        """
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        inside = WindowRequest(x0 + origin, x1 + origin, max(int(width_px), 8), column, log, origin)
        lines, done = [], True
        for process in self.processes():
            pyramids, ready = smooth_attempts(self.attempts(process), column, weight)
            done = done and ready
            line = next((line for line, _ in lines_of(process, pyramids, inside)), None)
            if line is not None and len(line.x):
                lines.append(line if not origin else moved(line, origin))
        return lines, done

    def nearest(
        self, x: float, axis: str = "step", origin: float | None = None, weight: float = 0.0
    ) -> list[NearestPoint]:
        """Return the point nearest to x of each process, with its average for a smoothing weight."""
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        found = []
        for process in self.processes():
            best: tuple[float, float, float, float] | None = None
            for segment in self.attempts(process):
                smoothed = segment.smoothed.get((column, weight)) if weight else None
                pyramid = segment.pyramid(column)
                xs = pyramid.axis(column)
                at = xs.search(x + origin)
                for index in (at - 1, at):
                    if 0 <= index < len(xs):
                        distance = abs(float(xs.at(index)) - origin - x)
                        if best is None or distance <= best[0]:
                            known = smoothed is not None and index < len(smoothed)
                            average = (
                                float(smoothed.value.at(index)) if smoothed is not None and known else nan
                            )
                            found_x = float(xs.at(index)) - origin
                            best = distance, found_x, float(pyramid.value.at(index)), average
            if best is not None:
                found.append(NearestPoint(process, *best[1:]))
        return found


@dataclass
class NonFinitePoints:
    """The points of a series that are NaN or infinite: their number, and where the last row of them is."""

    count: int = 0
    since: int = 0  # the first step of the last uninterrupted row of such points
    last: int = 0
    ongoing: bool = False  # the newest point is not finite


class SeriesStore:
    """The series of a run by name, filled from batches."""

    def __init__(self) -> None:
        self.series: dict[str, Series] = {}
        self._streams: dict[tuple[str, int], dict[int, Segment]] = {}
        self._names: dict[tuple[str, int], dict[int, str]] = {}
        self._dirty: set[str] = set()
        self.non_finite: dict[str, NonFinitePoints] = {}

    def add_def(self, process: str, attempt: int, stream: StreamDef) -> Series:
        """Register the number of a stream, and return its series; a new one when the name is new."""
        series = self.series.get(stream.name)
        if series is None:
            series = Series(stream.name, unit_of(stream.name), stream.better, stream.kind)
            self.series[stream.name] = series
        series.unit, series.better = stream.unit or series.unit, stream.better or series.better
        self._streams.setdefault((process, attempt), {})[stream.id] = series.segment(process, attempt)
        self._names.setdefault((process, attempt), {})[stream.id] = stream.name
        return series

    def extend(self, batch: Batch) -> set[str]:
        """Add the streams and points of a batch; return the names that have new points."""
        source = (batch.process, batch.attempt)
        for stream in batch.streams:
            self.add_def(*source, stream)
        streams, names = self._streams.get(source, {}), self._names.get(source, {})
        changed: set[str] = set()
        for group in batch.groups:
            steps = np.frombuffer(group.steps, "<i8")
            times = np.frombuffer(group.times, "<f8")
            values = np.frombuffer(group.values, "<f8")
            rows, finite = len(steps), bool(np.isfinite(values).all())
            for at, stream_id in enumerate(group.streams):
                segment = streams.get(stream_id)
                if segment is not None:
                    column = values[at * rows : (at + 1) * rows]
                    segment.append(steps, times, column)
                    changed.add(names[stream_id])
                    if rows and not (finite and names[stream_id] not in self.non_finite):
                        self._count_non_finite(names[stream_id], batch.attempt, steps, np.isfinite(column))
        self._dirty |= changed
        return changed

    def _count_non_finite(self, name: str, attempt: int, steps: Array, finite: Array) -> None:
        known = self.non_finite.get(name)
        segments = self.series[name].segments
        # The history of a resumed run arrives with the newest attempt first.
        older = any(other > attempt and segment.count for (_, other), segment in segments.items())
        if finite.all():
            if known is not None and not older:
                known.ongoing = False
            return
        if known is not None and older:
            known.count += int((~finite).sum())
            return
        bad = np.flatnonzero(~finite)
        good = np.flatnonzero(finite[: bad[-1]])
        first = int(good[-1]) + 1 if len(good) else 0
        points = known or NonFinitePoints()
        if first or not points.ongoing:
            points.since = int(steps[first])
        points.count += len(bad)
        points.last = int(steps[bad[-1]])
        points.ongoing = not older and bool(bad[-1] == len(steps) - 1)
        self.non_finite[name] = points

    @property
    def dirty(self) -> set[str]:
        """The names that have changed since the last `pop_dirty`."""
        return self._dirty

    def pop_dirty(self) -> set[str]:
        """Return the names that have changed since the last call."""
        changed, self._dirty = self._dirty, set()
        return changed

    def tail(self, name: str, rows: int, since_step: int | None = None) -> tuple[Array, Array]:
        """Return steps and values of the last rows of a series, from `since_step` on."""
        series = self.series.get(name)
        return series.tail(rows, since_step) if series else (np.empty(0, np.int64), NO_POINTS)

    def time_of(self, step: int) -> float | None:
        """Return the time of the last point up to a step; of the first point when all are of later steps."""
        best: tuple[bool, int, float] | None = None
        for series in islice(self.series.values(), _SEARCHED):
            for segment in series.segments.values():
                pyramid = segment.pyramid("step")
                if len(pyramid):
                    at = max(0, pyramid.step.search(step, "right") - 1)
                    found = int(pyramid.step.at(at))
                    key = (found <= step, found if found <= step else -found, float(pyramid.wall.at(at)))
                    best = key if best is None else max(best, key)
        return best[2] if best is not None else None

    @property
    def point_count(self) -> int:
        """The number of points of all series."""
        return sum(series.count for series in self.series.values())

    @property
    def memory_bytes(self) -> int:
        """The bytes of all series."""
        return bytes_held(column for series in self.series.values() for column in series.all_columns())
