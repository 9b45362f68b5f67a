"""The schedule of commits: when waiting points are committed, how many at once, and at the end."""

from __future__ import annotations

import time

from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.services import RecorderServices
from helm_sdk._shared.notice import print_notice

TICK_SECONDS = 0.015  # each wake-up of a thread costs about 60 µs; a request wakes it at once
COMMIT_SECONDS = 0.03  # between commits while points come
_MAX_COMMIT_SECONDS = 0.25
_SHARE = 0.007  # of one core's time that commits of points may use
_FEW = 2  # rows in one commit, up to which the loop logs so seldom that each is sent at once
CHUNK = 100_000  # points in one commit; after a full one the next follows without a wait
_LARGE = 20_000  # points in one commit, from which on short latency and little memory matter more than _SHARE
_FAILING_SECONDS = 1.0  # for a disk that fails at the end: the exit takes at most 2 s


class PointDrain:
    """Moves waiting points into commits; used on the recorder's thread."""

    def __init__(self, services: RecorderServices, buffer: Buffer, run_id: str) -> None:
        self._services = services
        self._buffer = buffer
        self._run_id = run_id
        self._next = 0.0  # monotonic time of the next commit with points
        self.behind = False  # whether more points wait than fit one commit

    def pause(self, now: float) -> float:
        """Return the seconds until the next commit of points is due; negative when it is overdue."""
        return self._next - now

    def step(self, now: float) -> bool:
        """Commit what waits, points only when they are due; return True when something was done."""
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
        shortest = few or points >= _LARGE
        wanted = COMMIT_SECONDS if shortest else max(COMMIT_SECONDS, cost / _SHARE)
        self._next = now + (0.0 if self.behind else min(_MAX_COMMIT_SECONDS, wanted))
        return points > 0 or wrote

    def drain(self) -> int:
        """Put about `CHUNK` points at most into the next commit; return how many."""
        services = self._services
        points = services.point_queue.next_chunk(CHUNK)
        first = services.point_queue.first_step
        if points and services.record.start_step is None and first is not None:
            services.journal.later(lambda: services.set_start(first))
        return points

    def drain_all(self, now: float) -> None:
        """Commit waiting points until less than a full commit is left, which goes into the next commit."""
        while self.drain() >= CHUNK:
            self._services.commit(now)

    def finish(self, timeout: float) -> None:
        """Write what is left, for `timeout` seconds at most; for one second when the disk fails."""
        services, began = self._services, time.monotonic()
        journal = services.journal
        while True:
            drained = self.drain()
            now = time.monotonic()
            services.commit(now)
            if not (drained or services.point_queue.has_pending or not journal.clean):
                return
            if now - began >= (min(timeout, _FAILING_SECONDS) if journal.failing else timeout):
                self._spill_rest()
                return
            if journal.failing or not drained:
                time.sleep(TICK_SECONDS)

    def _spill_rest(self) -> None:
        """Write what is left to the file beside the run, after the timeout; the remainder is lost."""
        queue = self._services.point_queue
        failing = bool(self._services.journal.failing)
        points = 0 if failing else queue.spill_all()
        if points:
            print_notice(
                f"{points:,} points were not stored in time and wait in a file beside the run: "
                f"`helmctl verify {self._run_id} --recover` puts them in their place"
            )
        if failing or queue.packed_bytes or self._buffer.rows:
            print_notice("The rest of the run could not be written: it is lost")
