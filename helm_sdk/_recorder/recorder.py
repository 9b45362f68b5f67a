"""The recorder: one daemon thread a process, which owns its sockets and its file."""

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

_LONGEST_NAP = 0.1
_MERGE_EVERY = 0.5


class Recorder:
    """Everything after `start` happens on the thread; others only `post` to it."""

    services: RecorderServices  # from `start` on
    _drain: PointDrain

    def __init__(
        self,
        place: RecorderIdentity,
        buffer: Buffer,
        controls: ControlRegistry,
        points: SafePoints,
        step: Callable[[], int | None],
    ) -> None:
        self.place = place
        self.buffer = buffer
        self.controls = controls
        self.points = points
        self._current_step = step
        self.doing: tuple[str, ...] = ()  # spans that are open, innermost last
        self._posted: deque[Callable[[], None]] = deque()
        self._naps = False  # whether the thread sleeps longer than a tick
        self._busy_posting = False
        self._next_merge = 0.0
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._ending: RunEnding | None = None
        self._anchor = time.time() - time.monotonic()
        self._thread = threading.Thread(target=self._main, name="helm-recorder", daemon=True)

    def start(self, timeout: float = 20.0) -> None:
        """Open file and sockets on the thread; raises what hindered it."""
        self._thread.start()
        if not self._ready.wait(timeout):
            raise RecordError("the recorder did not start")
        if self._error is not None:
            raise self._error

    @property
    def step(self) -> int | None:
        """The run's current step."""
        return self._current_step()

    def post(self, action: Callable[[], None]) -> None:
        """Run something on the recorder's thread, in order."""
        self._posted.append(action)
        self._wake()

    def clock(self, monotonic: float) -> float:
        """Unix seconds of a monotonic time, by the clock as it stood at the start."""
        return self._anchor + monotonic

    def stop(self, ending: RunEnding) -> None:
        """Ask the thread to write what is left and to end."""
        if self._ending is None:
            self._ending = ending
        self._wake()
        self.points.wake()

    def join(self, timeout: float) -> bool:
        """Wait for the thread; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def record_outcome(self, state: CommandState, step: int | None, at: float) -> None:
        """Write what the loop says came of a command (recorder's thread only)."""
        self.services.settling = at
        try:
            self.services.lifecycle.record_outcome(state, step)
        finally:
            self.services.settling = None

    def confirmed(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Write that the effect of an applied command was seen (recorder's thread only)."""
        self.services.lifecycle.confirmed(command_id, step, ran_at)

    def set_start(self, step: int) -> None:
        """Say at which step this attempt began (recorder's thread only)."""
        self.services.set_start(step)

    def flushed(self, done: threading.Event) -> None:
        """Set `done` once every point so far is on disk (recorder's thread only)."""
        self._drain.drain_all(time.monotonic())
        if self.point_queue.has_pending and self._ending is None:  # a device's copy is on its way
            self.post(lambda: self.flushed(done))
            return
        self.services.journal.durable()
        self.services.journal.later(done.set)

    @property
    def point_queue(self) -> PointQueue:
        """Events, catalogues and streams (recorder's thread only)."""
        return self.services.point_queue

    # The thread --------------------------------------------------------------------------------

    def _main(self) -> None:
        try:
            loop = self._current_step, lambda: self.doing[-1] if self.doing else ""
            self.services = RecorderServices(
                self.place, self.buffer, self.controls, self.points, loop, self._anchor, self._guarded
            )
            self._drain = PointDrain(self.services, self.buffer, self.place.run.run_id)
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
            if not (isinstance(error, RecordError) and self.services.journal.failing):  # that has been told
                self.buffer.notices.once(f"recorder {kind}", f"the recorder met {kind}: {error} (told once)")
            time.sleep(TICK_SECONDS)

    def _wake(self) -> None:
        if self._naps:
            self._naps = False
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
        """Return how long to wait: a tick, or until points are due; a post ends the wait."""
        if self._drain.behind:
            return 0.0
        due = self._drain.pause(now)
        self._naps = due > TICK_SECONDS and not self._busy_posting
        if not self._naps:
            return TICK_SECONDS
        return 0.0 if self._posted or self._ending is not None else min(due, _LONGEST_NAP)

    def _run_posted(self) -> None:
        self._busy_posting = bool(self._posted)  # who posts often is served by the tick, not each time
        for _ in range(len(self._posted)):  # what these post in turn has its turn at the next tick
            self._guarded(self._posted.popleft())

    def _end(self, ending: RunEnding) -> None:
        """Write what is left while the disk works, say how it ended, close everything."""
        self._run_posted()
        self._drain.finish(ending.patience)
        self.services.lifecycle.close(self.step)
        for action in self.services.last_words(ending, time.monotonic()):
            self._guarded(action)
