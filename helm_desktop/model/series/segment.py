"""What one process logged of one series in one attempt, in the order it was logged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helm_desktop.model.series.number_column import Array, NumberColumn
from helm_desktop.model.series.pyramid import Pyramid

Rows = tuple[Array, Array, Array]  # steps, times, values
_WAITING_MOST = 16


class Segment:
    """Keeps every row; a view in the order of x is built only where the log is not in that order."""

    def __init__(self, process: str, attempt: int) -> None:
        self.process = process
        self.attempt = attempt
        self.last_step = 0
        self.last_time = 0.0
        self.last_value = float("nan")
        self.count = 0
        self._track = Pyramid()
        self._waiting: list[Rows] = []
        self._rising = {"step": True, "wall": True}
        self._views: dict[str, _View] = {}
        self.smoothed: dict[tuple[str, float], Pyramid] = {}
        self._judged = 0
        self._non_positive = 0

    def append(self, steps: Array, times: Array, values: Array) -> None:
        """Take rows; they reach the pyramid together, when somebody looks or many wait."""
        if not len(steps):
            return
        self._waiting.append((steps, times, values))
        self.count += len(steps)
        self.last_step, self.last_time = int(steps[-1]), float(times[-1])
        self.last_value = float(values[-1])
        if len(self._waiting) >= _WAITING_MOST:
            self._update_view()

    def _update_view(self) -> Pyramid:
        if self._waiting:
            steps, times, values = join(self._waiting)
            self._waiting.clear()
            size = len(self._track)
            if self._rising["step"]:
                after = not size or steps[0] > self._track.step.at(size - 1)
                self._rising["step"] = bool(after and (steps[1:] > steps[:-1]).all())
            if self._rising["wall"]:
                after = not size or times[0] >= self._track.wall.at(size - 1)
                self._rising["wall"] = bool(after and (times[1:] >= times[:-1]).all())
            self._track.append(steps, times, values, rising=self._rising["step"])
        return self._track

    def track(self, axis: str) -> Pyramid:
        """Return rows in rising order of an axis; of a step logged twice only the later row."""
        track = self._update_view()
        if self._rising[axis]:
            return track
        view = self._views.setdefault(axis, _View(axis))
        view.follow(track)
        return view.track

    @property
    def non_finite(self) -> int:
        """Rows whose value is NaN or infinite."""
        return len(self._update_view().odd)

    @property
    def non_positive(self) -> int:
        """Finite rows at or below zero. Each row is looked at once, when somebody first asks."""
        track = self._update_view()
        if self._judged < len(track):
            values = track.value.slice(self._judged, len(track))
            self._non_positive += int(((values <= 0) & np.isfinite(values)).sum())
            self._judged = len(track)
        return self._non_positive

    @property
    def repeats(self) -> int:
        """Rows whose step came again later."""
        return self.count - len(self.track("step"))

    def all_columns(self) -> list[NumberColumn]:
        """Return every column of its rows, pyramids and views."""
        tracks = [
            self._update_view(),
            *(view.track for view in self._views.values()),
            *self.smoothed.values(),
        ]
        return [column for track in tracks for column in track.all_columns()]

    def chunks(self) -> tuple[int, tuple[Array, ...], tuple[Array, ...], tuple[Array, ...]]:
        """How many rows were logged; the chunks of their steps, times and values, each full but the last.

        Nothing is copied: rows that are appended later go behind these and leave them as they are.
        """
        track = self._update_view()
        columns = track.step, track.wall, track.value
        steps, times, values = (tuple(column.chunks) for column in columns)
        return len(track), steps, times, values

    def tail(self, rows: int) -> Rows:
        """Return the last rows as they were logged."""
        track = self._update_view()
        start = max(0, len(track) - rows)
        return (
            track.step.slice(start, len(track)),
            track.wall.slice(start, len(track)),
            track.value.slice(start, len(track)),
        )


class _View:
    """Rows of a track in the order of an axis; what is before the first new row is never touched again."""

    def __init__(self, axis: str) -> None:
        self.track = Pyramid()
        self._axis = axis
        self._taken = 0

    def follow(self, source: Pyramid) -> None:
        """Take what the source has more than at the last call."""
        if self._taken == len(source):
            return
        new = _rows(source, self._taken, len(source))
        self._taken = len(source)
        key = 0 if self._axis == "step" else 1
        keep = self.track.axis(self._axis).search(float(new[key].min()))
        steps, times, values = join([_rows(self.track, keep, len(self.track)), new])
        x = (steps, times, values)[key]
        order = np.argsort(x, kind="stable")
        if self._axis == "step":
            ranked = x[order]
            order = order[np.append(ranked[1:] != ranked[:-1], True)]
        self.track.truncate(keep)
        self.track.append(steps[order], times[order], values[order], rising=self._axis == "step")


def _rows(track: Pyramid, start: int, end: int) -> Rows:
    return track.step.slice(start, end), track.wall.slice(start, end), track.value.slice(start, end)


def join(parts: Sequence[Rows]) -> Rows:
    """Return some rows with others after them."""
    if len(parts) == 1:
        return parts[0]
    steps, times, values = zip(*parts, strict=True)
    return np.concatenate(steps), np.concatenate(times), np.concatenate(values)
