"""Warning events about points that were lost, or that waited in a file before they were stored."""

from __future__ import annotations

from collections.abc import Callable

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk._shared.notice import print_notice


class LossReports:
    """Writes warning events: for each new loss, when points first wait in a file, and at the end."""

    def __init__(
        self, buffer: Buffer, spill_queue: SpillQueue, point_queue: PointQueue, step: Callable[[], int | None]
    ) -> None:
        self._buffer = buffer
        self._spill_queue = spill_queue
        self._point_queue = point_queue
        self._step = step
        self._waited = False
        self.reported_lost = 0

    def report_lost(self, now: float) -> None:
        """Write a warning if points were lost since the last call; `now` is a monotonic time."""
        lost, self.reported_lost = self._buffer.lost - self.reported_lost, self._buffer.lost
        if lost > 0:
            self._warn("lost points", f"{lost:,} points were lost: the disk was full or too slow", now, lost)

    def report_waiting(self, now: float) -> None:
        """Write a warning, once, that points wait in a file."""
        if not self._waited:
            self._waited = True
            message = "Points come faster than the disk can store them: they wait in a file beside the run"
            print_notice(f"{message}; none is lost (reported once)")
            self._warn("points wait", message, now)

    def report_caught_up(self, now: float) -> None:
        """Write, at the end and when nothing waits any more, how many points waited in a file."""
        if self._waited and not self._point_queue.has_pending:
            count = self._spill_queue.spilled_points
            message = f"{count:,} points waited in a file beside the run before they were stored"
            self._warn("points waited", message, now, count)

    def _warn(self, what: str, message: str, now: float, count: int | None = None) -> None:
        body = {"what": what, "message": message} | ({} if count is None else {"count": count})
        self._point_queue.add_event("warning", self._step(), body, now)
