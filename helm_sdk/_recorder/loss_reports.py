"""Tells what was lost, and what had to wait in a file before it was stored."""

from __future__ import annotations

from collections.abc import Callable

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk._shared.notice import print_notice


class LossReports:
    """One warning event for each loss since the last, one as points begin to wait, one as the run ends."""

    def __init__(
        self, buffer: Buffer, spill_queue: SpillQueue, point_queue: PointQueue, step: Callable[[], int | None]
    ) -> None:
        self._buffer = buffer
        self._spill_queue = spill_queue
        self._point_queue = point_queue
        self._step = step
        self._waited = False
        self.lost_told = 0

    def report_lost(self, now: float) -> None:
        """Warn of points that were lost since the last time."""
        lost, self.lost_told = self._buffer.lost - self.lost_told, self._buffer.lost
        if lost > 0:
            self._warn("lost points", f"{lost:,} points were lost: the disk was full or too slow", now, lost)

    def report_waiting(self, now: float) -> None:
        """Warn once that points wait in a file."""
        if not self._waited:
            self._waited = True
            message = "points come faster than the disk takes them: they wait in a file beside the run"
            print_notice(f"{message}, none is lost (told once)")
            self._warn("points wait", message, now)

    def report_caught_up(self, now: float) -> None:
        """At the end, when nothing waits any more: how many points did."""
        if self._waited and not self._point_queue.has_pending:
            count = self._spill_queue.spilled_points
            message = f"{count:,} points waited in a file beside the run before they were stored"
            self._warn("points waited", message, now, count)

    def _warn(self, what: str, message: str, now: float, count: int | None = None) -> None:
        body = {"what": what, "message": message} | ({} if count is None else {"count": count})
        self._point_queue.add_event("warning", self._step(), body, now)
