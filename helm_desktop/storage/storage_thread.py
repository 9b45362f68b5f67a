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
from typing import Any, Literal, TypeVar
from weakref import WeakSet

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import Shiboken

STOP_SECONDS = 10.0  # that closing the window waits for a slow disk
PROGRESS_SECONDS = 0.05  # between two reports of a long work's progress
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Cancelled(Exception):
    """A long work was cancelled before it was complete."""

    def __init__(self) -> None:
        super().__init__("it was cancelled")


@dataclass(frozen=True)
class _Request:
    """What was asked for. Held where it was asked for until it is answered, see `Storage`."""

    work: Callable[[], Any] | None
    progress: Callable[..., None] | None
    done: Callable[..., None] | None
    failed: Callable[..., None] | None


@dataclass(frozen=True)
class _Answer:
    """What became of a request, or how far it is."""

    number: int
    kind: Literal["progress", "done", "failed"]
    results: tuple[Any, ...]


class LongJob:
    """A work in steps. Make one with `Storage.run_steps`."""

    def __init__(self, number: int, steps: Iterator[float], reports: bool) -> None:
        self.number, self.steps, self.reports = number, steps, reports
        self.cancelled = False
        self.share = 0.0  # that is done, 0 to 1
        self.reported_at = 0.0

    def cancel(self) -> None:
        """End the work before its next step. `failed` is called with `Cancelled`."""
        self.cancelled = True


class Storage(QObject):
    """Run work on files on one thread. Results are handed over on the thread that this object lives in.

    The thread starts with the first work. A callback that belongs to a deleted QObject is not called.

    Works and callbacks often belong to QObjects, which crash where another thread drops the last reference to
    them. They are therefore kept in `_requests` until their answer is handed over; the storage thread has let
    go of them by then.
    """

    _answered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changed = threading.Condition()  # guards what follows
        self._last = 0
        self._requests: dict[int, _Request] = {}
        self._jobs: deque[int] = deque()
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
            self._jobs.append(self._ask(_Request(work, None, done, failed)))
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
        with self._changed:
            number = self._ask(_Request(None, progress, done, failed))
            job = LongJob(number, steps, progress is not None)
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

    def _ask(self, request: _Request) -> int:
        self._last += 1
        self._requests[self._last] = request
        return self._last

    def _hand_over(self) -> None:
        while self._answers:
            answer = self._answers.popleft()
            request = self._requests[answer.number]
            if answer.kind != "progress":
                del self._requests[answer.number]
            call: Callable[..., None] | None = getattr(request, answer.kind)
            if call is not None and _alive(call):
                call(*answer.results)

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
                number = self._jobs.popleft() if self._jobs else 0
                long = self._long[0] if not number else None
            if long is not None:
                self._step(long)
            else:
                self._do(number)
            long = None

    def _do(self, number: int) -> None:
        request = self._requests[number]
        logs = request.failed is None
        work = request.work
        assert work is not None
        del request
        try:
            result = work()
        except Exception as error:
            del work
            self._fail(number, error, logs)
        else:
            del work
            self._answer(_Answer(number, "done", (result,)))

    def _fail(self, number: int, error: Exception, logs: bool) -> None:
        if logs:
            _log.error("work on files failed", exc_info=error)
        error.__traceback__ = error.__context__ = error.__cause__ = None  # their frames hold what was called
        self._answer(_Answer(number, "failed", (error,)))

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
            self._answer(_Answer(job.number, "done", ()))
        except Exception as error:
            self._long_ended()
            self._fail(job.number, error, logs=False)
        else:
            now = time.monotonic()
            if job.reports and now - job.reported_at >= PROGRESS_SECONDS:
                job.reported_at = now
                self._answer(_Answer(job.number, "progress", (job.share,)))

    def _long_ended(self) -> None:
        with self._changed:
            self._long.popleft()

    def _answer(self, answer: _Answer) -> None:
        self._answers.append(answer)
        try:
            self._answered.emit()
        except RuntimeError:  # this object is deleted: the program is ending
            self._answers.clear()


def _alive(call: Callable[..., Any]) -> bool:
    """Return True when the QObject that a callback belongs to still exists."""
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
