"""Every point of every stream of a run, and any window of it as polylines."""

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

_LOOKED_AT = 64  # series of which the time of a step is told


class NearestPoint(NamedTuple):
    """A point of a process, and its average where that is drawn."""

    process: str
    x: float
    value: float
    average: float = nan


class Series:
    """One name: a segment for each process and attempt that logged it."""

    def __init__(self, name: str, unit: str = "", better: str = "", kind: str = "scalar") -> None:
        self.name = name
        self.unit = unit
        self.better = better
        self.kind = kind
        self.segments: dict[tuple[str, int], Segment] = {}

    def segment(self, process: str, attempt: int) -> Segment:
        """Return the segment of a process's attempt, made when it is new."""
        found = self.segments.get((process, attempt))
        if found is None:
            found = self.segments[process, attempt] = Segment(process, attempt)
        return found

    def append(self, process: str, attempt: int, steps: Array, times: Array, values: Array) -> None:
        """Take rows in the order they were logged."""
        self.segment(process, attempt).append(steps, times, values)

    @property
    def count(self) -> int:
        """Every point, repeated steps and older attempts included."""
        return sum(segment.count for segment in self.segments.values())

    @property
    def newest(self) -> Segment | None:
        """The segment that was written to last."""
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
        """Points that are NaN or infinite."""
        return sum(segment.non_finite for segment in self.segments.values())

    @property
    def non_positive(self) -> int:
        """Finite points at or below zero, which a logarithmic axis cannot show."""
        return sum(segment.non_positive for segment in self.segments.values())

    @property
    def repeats(self) -> int:
        """Points whose step was logged again later in the same attempt."""
        return sum(segment.repeats for segment in self.segments.values())

    @property
    def memory_bytes(self) -> int:
        """Bytes held, what it shares with other series included."""
        return bytes_held(self.all_columns())

    def all_columns(self) -> list[NumberColumn]:
        """Return every column of its segments."""
        return [column for segment in self.segments.values() for column in segment.all_columns()]

    def processes(self) -> list[str]:
        """Return names of the processes that logged it, in order."""
        return sorted({process for process, _ in self.segments})

    def attempts(self, process: str) -> list[Segment]:
        """Segments of a process, oldest first."""
        mine = [segment for segment in self.segments.values() if segment.process == process and segment.count]
        return sorted(mine, key=lambda segment: segment.attempt)

    def tail(self, rows: int, since_step: int | None = None) -> tuple[Array, Array]:
        """Steps and values of the last rows of the newest segment, none before a step."""
        newest = self.newest
        if newest is None:
            return np.empty(0, np.int64), NO_POINTS
        steps, _, values = newest.tail(rows)
        kept = steps >= since_step if since_step is not None else slice(None)
        return steps[kept], values[kept]

    # Windows -----------------------------------------------------------------------------------

    def origin(self, axis: str) -> float:
        """Return what is taken off the times of an axis: "relative" counts from the first point."""
        if axis != "relative":
            return 0.0
        firsts = [float(s.track("wall").wall.at(0)) for s in self.segments.values() if s.count]
        return min(firsts, default=0.0)

    def extent(self, axis: str = "step") -> tuple[float, float] | None:
        """Return the first and the last x."""
        column, origin = column_of(axis), self.origin(axis)
        ends = []
        for segment in self.segments.values():
            if segment.count:
                x = segment.track(column).axis(column)
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
        """Return what lies in [x0, x1], for that many pixels; they may stand evenly on a logarithmic axis."""
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        lines: list[Polyline] = []
        parts: list[ReducedWindow] = []
        inside = WindowRequest(x0 + origin, x1 + origin, max(int(width_px), 8), column, log, origin)
        for process in self.processes():
            tracks = [(one.attempt, one.track(column)) for one in self.attempts(process)]
            for line, reduced in lines_of(process, tracks, inside):
                parts += reduced
                if len(line.x):
                    lines.append(line if not origin else moved(line, origin))
        odd, non_finite = NO_POINTS, sum(part.odd for part in parts)
        if non_finite:
            odd = np.concatenate([part.odd_x for part in parts]) - origin
            odd = odd[(odd >= x0) & (odd <= x1)]
        known = parts[0].ends if len(parts) == 1 else None
        low, high = known or extremes(lines, x0, x1)
        return SeriesWindow(tuple(lines), odd, non_finite, sum(part.rows for part in parts), low, high)

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
        """The smoothed line of each process in a window, and whether all of it is computed. A long series
        takes several calls; what older attempts led up to goes on in the newer."""
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        inside = WindowRequest(x0 + origin, x1 + origin, max(int(width_px), 8), column, log, origin)
        lines, done = [], True
        for process in self.processes():
            tracks, ready = smooth_attempts(self.attempts(process), column, weight)
            done = done and ready
            line = next((line for line, _ in lines_of(process, tracks, inside)), None)
            if line is not None and len(line.x):
                lines.append(line if not origin else moved(line, origin))
        return lines, done

    def nearest(
        self, x: float, axis: str = "step", origin: float | None = None, weight: float = 0.0
    ) -> list[NearestPoint]:
        """For each process the point nearest to x, with the average that is drawn there for a weight."""
        column, origin = column_of(axis), self.origin(axis) if origin is None else origin
        found = []
        for process in self.processes():
            best: tuple[float, float, float, float] | None = None
            for segment in self.attempts(process):
                smoothed = segment.smoothed.get((column, weight)) if weight else None
                track = segment.track(column)
                xs = track.axis(column)
                at = xs.search(x + origin)
                for index in (at - 1, at):
                    if 0 <= index < len(xs):
                        away = abs(float(xs.at(index)) - origin - x)
                        if best is None or away <= best[0]:
                            there = smoothed is not None and index < len(smoothed)
                            average = (
                                float(smoothed.value.at(index)) if smoothed is not None and there else nan
                            )
                            place = float(xs.at(index)) - origin
                            best = away, place, float(track.value.at(index)), average
            if best is not None:
                found.append(NearestPoint(process, *best[1:]))
        return found


@dataclass
class NonFinitePoints:
    """Points of a name that are NaN or infinite: how many, where the last row of them began and ended."""

    count: int = 0
    since: int = 0
    last: int = 0
    goes_on: bool = False  # the newest point is one


class SeriesStore:
    """The series of a run by name, fed with batches."""

    def __init__(self) -> None:
        self.series: dict[str, Series] = {}
        self._streams: dict[tuple[str, int], dict[int, Segment]] = {}
        self._names: dict[tuple[str, int], dict[int, str]] = {}
        self._dirty: set[str] = set()
        self.odd: dict[str, NonFinitePoints] = {}

    def add_def(self, process: str, attempt: int, stream: StreamDef) -> Series:
        """Make a stream's number known; the series is made when its name is new."""
        series = self.series.get(stream.name)
        if series is None:
            series = Series(stream.name, unit_of(stream.name), stream.better, stream.kind)
            self.series[stream.name] = series
        series.unit, series.better = stream.unit or series.unit, stream.better or series.better
        self._streams.setdefault((process, attempt), {})[stream.id] = series.segment(process, attempt)
        self._names.setdefault((process, attempt), {})[stream.id] = stream.name
        return series

    def extend(self, batch: Batch) -> set[str]:
        """Take a batch's streams and points; the names that have new points."""
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
                    if rows and not (finite and names[stream_id] not in self.odd):
                        self._count_non_finite(names[stream_id], steps, np.isfinite(column))
        self._dirty |= changed
        return changed

    def _count_non_finite(self, name: str, steps: Array, finite: Array) -> None:
        known = self.odd.get(name)
        if finite.all():
            if known is not None:
                known.goes_on = False
            return
        bad = np.flatnonzero(~finite)
        good = np.flatnonzero(finite[: bad[-1]])
        first = int(good[-1]) + 1 if len(good) else 0
        odd = known or NonFinitePoints()
        if first or not odd.goes_on:
            odd.since = int(steps[first])
        odd.count += len(bad)
        odd.last = int(steps[bad[-1]])
        odd.goes_on = bool(bad[-1] == len(steps) - 1)
        self.odd[name] = odd

    @property
    def dirty(self) -> set[str]:
        """Names that have changed since `take_dirty`."""
        return self._dirty

    def pop_dirty(self) -> set[str]:
        """Return names that have changed since the last call."""
        taken, self._dirty = self._dirty, set()
        return taken

    def tail(self, name: str, rows: int, since_step: int | None = None) -> tuple[Array, Array]:
        """Steps and values of a series' last rows, none before a step."""
        series = self.series.get(name)
        return series.tail(rows, since_step) if series else (np.empty(0, np.int64), NO_POINTS)

    def time_of(self, step: int) -> float | None:
        """Return when a step ran: the time of the last point up to it; of the first when all come later."""
        best: tuple[bool, int, float] | None = None
        for series in islice(self.series.values(), _LOOKED_AT):
            for segment in series.segments.values():
                track = segment.track("step")
                if len(track):
                    at = max(0, track.step.search(step, "right") - 1)
                    found = int(track.step.at(at))
                    key = (found <= step, found if found <= step else -found, float(track.wall.at(at)))
                    best = key if best is None else max(best, key)
        return best[2] if best is not None else None

    @property
    def point_count(self) -> int:
        """Every point of every series."""
        return sum(series.count for series in self.series.values())

    @property
    def memory_bytes(self) -> int:
        """Bytes held by all series."""
        return bytes_held(column for series in self.series.values() for column in series.all_columns())
