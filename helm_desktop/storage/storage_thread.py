"""The one thread that reads and writes the app's files, so that the window never waits for a disk.

Work is done in the order in which it was asked for. A long work, such as an export, is an iterator of small
steps; between two of its steps the thread does whatever else has been asked for meanwhile.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import Shiboken

STOP_SECONDS = 10.0  # that closing the window waits for a slow disk
PROGRESS_SECONDS = 0.05  # between two reports of a long work's progress
_T = TypeVar("_T")
_Answer = tuple[Callable[..., None], tuple[Any, ...]]
_log = logging.getLogger(__name__)


class Cancelled(Exception):
    """A long work was cancelled before it was complete."""

    def __init__(self) -> None:
        super().__init__("it was cancelled")


@dataclass(frozen=True)
class _Job:
    """A work, and what is called with its result or with its error."""

    work: Callable[[], Any]
    done: Callable[[Any], None] | None
    failed: Callable[[Exception], None] | None


class LongJob:
    """A work in steps. Make one with `Storage.run_steps`."""

    def __init__(
        self,
        steps: Iterator[float],
        progress: Callable[[float], None] | None,
        done: Callable[[], None] | None,
        failed: Callable[[Exception], None] | None,
    ) -> None:
        self.steps, self.progress, self.done, self.failed = steps, progress, done, failed
        self.cancelled = False
        self.share = 0.0  # that is done, 0 to 1
        self.reported_at = 0.0

    def cancel(self) -> None:
        """End the work before its next step. `failed` is called with `Cancelled`."""
        self.cancelled = True


class Storage(QObject):
    """Run work on files on one thread. Results are handed over on the thread that this object lives in.

    The thread starts with the first work. A callback that belongs to a deleted QObject is not called.
    """

    _answered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changed = threading.Condition()  # guards what follows
        self._jobs: deque[_Job] = deque()
        self._long: deque[LongJob] = deque()
        self._answers: deque[_Answer] = deque()
        self._thread: threading.Thread | None = None
        self._busy = self._ending = False
        self._answered.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)
        _all.add(self)

    def run(
        self,
        work: Callable[[], _T],
        done: Callable[[_T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Do a work on the storage thread, then call `done` with its result or `failed` with its error.

        An error that nobody takes is logged.
        """
        with self._changed:
            self._jobs.append(_Job(work, done, failed))
            self._start()

    def run_steps(
        self,
        steps: Iterator[float],
        progress: Callable[[float], None] | None = None,
        done: Callable[[], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> LongJob:
        """Do a long work step by step; each step yields the share that is done, 0 to 1.

        A step should take a few milliseconds at most. Where the work is cancelled or the app ends, a
        generator is closed, so that its `finally` can take away what is incomplete.
        """
        job = LongJob(steps, progress, done, failed)
        with self._changed:
            self._long.append(job)
            self._start()
        return job

    def finish(self, seconds: float = STOP_SECONDS) -> bool:
        """Wait until all work is done and its results are handed over; whether that was so in time."""
        until = time.monotonic() + seconds
        while True:
            with self._changed:
                idle = self._changed.wait_for(self._idle, max(0.0, until - time.monotonic()))
            self._hand_over()
            with self._changed:
                if not idle or (self._idle() and not self._answers):
                    return idle

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Cancel long work, finish the rest and end the thread. Safe to call more than once.

        A disk that answers nothing for `seconds` is waited for no longer.
        """
        with self._changed:
            for job in self._long:
                job.cancel()
            self._changed.notify_all()
        if not self.finish(seconds):
            _log.warning("the disk did not answer for %g s: what was changed last may not be kept", seconds)
        self._end(seconds)

    def _end(self, seconds: float) -> None:
        with self._changed:
            thread, self._ending = self._thread, True
            self._changed.notify_all()
        if thread is not None:
            thread.join(seconds if self._idle() else 0.0)

    def _hand_over(self) -> None:
        while self._answers:
            call, results = self._answers.popleft()
            if _alive(call):
                call(*results)

    # The thread ----------------------------------------------------------------------------------

    def _start(self) -> None:
        self._ending = False
        if self._thread is None:
            # A daemon: a disk that hangs keeps no program from ending. `stop` waits for one that works.
            self._thread = threading.Thread(target=self._loop, name="helm-storage", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _idle(self) -> bool:
        return not (self._jobs or self._long or self._busy)

    def _loop(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._jobs or self._long or self._ending)
                if self._ending and self._idle():
                    self._thread = None
                    return
                self._busy = True
                job = self._jobs.popleft() if self._jobs else None
                long = self._long[0] if job is None else None
            if job is not None:
                self._do(job)
            elif long is not None:
                self._step(long)

    def _do(self, job: _Job) -> None:
        try:
            result = job.work()
        except Exception as error:
            if job.failed is None:
                _log.exception("work on files failed")
            else:
                self._answer(job.failed, error)
        else:
            if job.done is not None:
                self._answer(job.done, result)

    def _step(self, job: LongJob) -> None:
        """The next step of a long work, or its end."""
        try:
            if job.cancelled:
                close = getattr(job.steps, "close", None)
                if close is not None:
                    close()
                raise Cancelled
            job.share = next(job.steps)
        except StopIteration:
            self._long_ended()
            if job.done is not None:
                self._answer(job.done)
        except Exception as error:
            self._long_ended()
            if job.failed is not None:
                self._answer(job.failed, error)
        else:
            now = time.monotonic()
            if job.progress is not None and now - job.reported_at >= PROGRESS_SECONDS:
                job.reported_at = now
                self._answer(job.progress, job.share)

    def _long_ended(self) -> None:
        with self._changed:
            self._long.popleft()

    def _answer(self, call: Callable[..., None], *results: Any) -> None:
        self._answers.append((call, results))
        try:
            self._answered.emit()
        except RuntimeError:  # this object is deleted: the program is ending
            self._answers.clear()


def _alive(call: Callable[..., Any]) -> bool:
    """Whether the QObject that a callback belongs to still exists."""
    while isinstance(call, partial):
        call = call.func
    owner = getattr(call, "__self__", None)
    return not isinstance(owner, QObject) or Shiboken.isValid(owner)


_all: WeakSet[Storage] = WeakSet()


def _stop_all() -> None:
    for storage in list(_all):
        if Shiboken.isValid(storage):
            storage.stop()


atexit.register(_stop_all)
