"""When the points that wait go into a commit, how many at once, and what becomes of them at the end."""

from __future__ import annotations

import time

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.services import RecorderServices
from helm_sdk._shared.notice import print_notice

TICK_SECONDS = 0.015  # each wake-up of a thread costs some 60 µs; requests wake it at once
PACE_SECONDS = 0.03  # between commits while points come
_LONGEST_PACE = 0.25
_SHARE = 0.007  # of a core that commits of points may take
_FEW = 2  # calls in one commit, up to which the loop logs so seldom that each may be told at once
CHUNK = 100_000  # points in one commit; after a full one more is waiting, and nothing else matters
_LARGE = 20_000  # points in one commit from which latency and memory come before the share
_LAST_CHANCE = 1.0  # for a disk that fails at the end: exit is never held up over 2 s


class PointDrain:
    """Belongs to the recorder's thread."""

    def __init__(self, services: RecorderServices, buffer: Buffer, run_id: str) -> None:
        self._services = services
        self._buffer = buffer
        self._run_id = run_id
        self._next = 0.0  # monotonic time of the next commit with points
        self.behind = False  # whether more waits than one commit takes

    def pause(self, now: float) -> float:
        """Seconds until points are due; negative where they are overdue."""
        return self._next - now

    def step(self, now: float) -> bool:
        """Take points when they are due, then commit everything that waits; whether anything was done."""
        services = self._services
        if now < self._next or not services.point_queue.has_pending:
            self.behind = False
            return services.commit(now)
        began = time.thread_time()
        few = len(self._buffer.rows) <= _FEW
        points = self.drain()
        wrote = services.commit(now)
        if services.spill_queue.over and not services.journal.failing and services.spill_queue.spill():
            services.loss_reports.report_waiting(now)
        cost = time.thread_time() - began
        self.behind = points >= CHUNK and not services.journal.failing
        paced = few or points >= _LARGE
        pace = PACE_SECONDS if paced else min(_LONGEST_PACE, max(PACE_SECONDS, cost / _SHARE))
        self._next = now + (0.0 if self.behind else pace)
        return points > 0 or wrote

    def drain(self) -> int:
        """Put at most about `CHUNK` points into the next commit; how many they are."""
        services = self._services
        points = services.point_queue.next_chunk(CHUNK)
        first = services.point_queue.first_step
        if points and services.record.start_step is None and first is not None:
            services.journal.later(lambda: services.set_start(first))
        return points

    def drain_all(self, now: float) -> None:
        """Put every point that waits into the next commits."""
        while self.drain() >= CHUNK:
            self._services.commit(now)

    def finish(self, patience: float) -> None:
        """Write what is left; a disk that works gets `patience` seconds, one that fails a last chance."""
        services, began = self._services, time.monotonic()
        journal = services.journal
        while True:
            drained = self.drain()
            now = time.monotonic()
            services.commit(now)
            if not (drained or services.point_queue.has_pending or not journal.clean):
                return
            if now - began >= (min(patience, _LAST_CHANCE) if journal.failing else patience):
                self._put_aside()
                return
            if journal.failing or not drained:
                time.sleep(TICK_SECONDS)

    def _put_aside(self) -> None:
        """Time is up: write what can be written to the file beside the run; the rest is lost."""
        queue = self._services.point_queue
        failing = bool(self._services.journal.failing)
        points = 0 if failing else queue.spill_all()
        if points:
            print_notice(
                f"{points:,} points were not stored in time and wait in a file beside the run: "
                f"`helmctl verify {self._run_id} --recover` puts them in their place"
            )
        if failing or queue.packed_bytes or self._buffer.rows:
            print_notice("the disk did not take the rest of the run: what was left is lost")
