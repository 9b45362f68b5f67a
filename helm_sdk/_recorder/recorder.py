"""The recorder: one daemon thread in each process, which owns the process's sockets and file."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.point_drain import TICK_SECONDS, PointDrain
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.services import RecorderServices
from helm_sdk.protocol.messages import CommandState
from helm_sdk.record.errors import RecordError

_LONGEST_WAIT = 0.1
_MERGE_EVERY = 0.5


class Recorder:
    """The recorder's thread, and what other threads may ask of it: `post`, `stop` and `join`."""

    services: RecorderServices  # set by `start`
    _drain: PointDrain

    def __init__(
        self,
        identity: RecorderIdentity,
        buffer: Buffer,
        controls: ControlRegistry,
        points: SafePoints,
        step: Callable[[], int | None],
    ) -> None:
        self.identity = identity
        self.buffer = buffer
        self.controls = controls
        self.points = points
        self._current_step = step
        self.doing: tuple[str, ...] = ()  # spans that are open, innermost last
        self._posted: deque[Callable[[], None]] = deque()
        self._sleeping = False  # whether the thread waits longer than a tick
        self._busy_posting = False
        self._next_merge = 0.0
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._ending: RunEnding | None = None
        self._anchor = time.time() - time.monotonic()
        self._thread = threading.Thread(target=self._main, name="helm-recorder", daemon=True)

    def start(self, timeout: float = 20.0) -> None:
        """Start the thread, which opens file and sockets. Raises RecordError or OSError when that fails."""
        self._thread.start()
        if not self._ready.wait(timeout):
            raise RecordError("the recorder did not start")
        if self._error is not None:
            raise self._error

    @property
    def step(self) -> int | None:
        """The run's current step; None before the first."""
        return self._current_step()

    def post(self, action: Callable[[], None]) -> None:
        """Run an action on the recorder's thread; actions run in the order of the calls."""
        self._posted.append(action)
        self._wake()

    def clock(self, monotonic: float) -> float:
        """Return the unix time of a monotonic time, by the system clock when the run started."""
        return self._anchor + monotonic

    def stop(self, ending: RunEnding) -> None:
        """Let the thread write what is left and end."""
        if self._ending is None:
            self._ending = ending
        self._wake()
        self.points.wake()

    def join(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds for the thread; return True when it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def record_outcome(self, state: CommandState, step: int | None, at: float) -> None:
        """Record a state of a command, of the monotonic time `at` (recorder's thread only)."""
        self.services.outcome_time = at
        try:
            self.services.lifecycle.record_outcome(state, step)
        finally:
            self.services.outcome_time = None

    def confirmed(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Record that the effect of an applied command was seen (recorder's thread only)."""
        self.services.lifecycle.confirmed(command_id, step, ran_at)

    def set_start(self, step: int) -> None:
        """Record the step at which this attempt began (recorder's thread only)."""
        self.services.set_start(step)

    def flushed(self, done: threading.Event) -> None:
        """Set `done` once every point so far is on disk (recorder's thread only)."""
        self._drain.drain_all(time.monotonic())
        if self.point_queue.has_pending and self._ending is None:  # a copy from a device is not complete
            self.post(lambda: self.flushed(done))
            return
        self.services.journal.durable()
        self.services.journal.later(done.set)

    @property
    def point_queue(self) -> PointQueue:
        """The queue of points, events and catalogues (recorder's thread only)."""
        return self.services.point_queue

    # The thread --------------------------------------------------------------------------------

    def _main(self) -> None:
        try:
            loop = self._current_step, lambda: self.doing[-1] if self.doing else ""
            self.services = RecorderServices(
                self.identity, self.buffer, self.controls, self.points, loop, self._anchor, self._guarded
            )
            self._drain = PointDrain(self.services, self.buffer, self.identity.run.run_id)
        except BaseException as error:
            self._error = error
            self._ready.set()
            return
        self._ready.set()
        while self._ending is None:
            self._guarded(self._tick)
        self._guarded(lambda: self._end(self._ending or RunEnding()))

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:
            kind = type(error).__name__
            if not (
                isinstance(error, RecordError) and self.services.journal.failing
            ):  # the disk's error has been reported
                self.buffer.notices.once(
                    f"recorder {kind}", f"An error in the recorder: {kind}: {error} (reported once)"
                )
            time.sleep(TICK_SECONDS)

    def _wake(self) -> None:
        if self._sleeping:
            self._sleeping = False
            self.services.connection.wake()

    def _tick(self) -> None:
        services, drain = self.services, self._drain
        services.wait(self._pause(time.monotonic()), TICK_SECONDS)
        now = time.monotonic()
        self._run_posted()
        busy = drain.step(now)
        services.beat(now)
        if drain.behind or services.requests.send_page():
            return
        if now >= self._next_merge and (not busy or now >= self._next_merge + _MERGE_EVERY):
            self._next_merge = now + _MERGE_EVERY
            if not services.journal.failing:
                with suppress(RecordError):
                    services.writer.merge_slice(0.005)

    def _pause(self, now: float) -> float:
        """Return how many seconds to wait: a tick, or until points are due; a post ends the longer wait."""
        if self._drain.behind:
            return 0.0
        due = self._drain.pause(now)
        self._sleeping = due > TICK_SECONDS and not self._busy_posting
        if not self._sleeping:
            return TICK_SECONDS
        return 0.0 if self._posted or self._ending is not None else min(due, _LONGEST_WAIT)

    def _run_posted(self) -> None:
        self._busy_posting = bool(
            self._posted
        )  # while actions come often, the tick runs them, not a wake-up each
        for _ in range(len(self._posted)):  # actions that these post run at the next tick
            self._guarded(self._posted.popleft())

    def _end(self, ending: RunEnding) -> None:
        """Write what is left, record how the process ended, and close everything."""
        self._run_posted()
        self._drain.finish(ending.timeout)
        self.services.lifecycle.close(self.step)
        for action in self.services.closing_actions(ending, time.monotonic()):
            self._guarded(action)
