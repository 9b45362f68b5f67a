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
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.services import RecorderServices
from helm_sdk._shared.notice import say
from helm_sdk.protocol.messages import CommandState
from helm_sdk.record.errors import RecordError

TICK_SECONDS = 0.015  # each wake-up of a thread costs some 60 µs; requests wake it at once
PACE_SECONDS = 0.03  # between commits while points come
_LONGEST_PACE = 0.25
_LONGEST_NAP = 0.1
_SHARE = 0.007  # of a core that commits of points may take
_FEW = 2  # calls in one commit, up to which the loop logs so seldom that each may be told at once
_HELPING = 100_000  # points in one commit; after a full one more is waiting, and nothing else matters
_LARGE = 20_000  # points in one commit from which latency and memory come before the share
_MERGE_EVERY = 0.5
_LAST_CHANCE = 1.0  # for a disk that fails at the end: exit is never held up over 2 s


class Recorder:
    """Everything after `start` happens on the thread; others only `post` to it."""

    station: RecorderServices  # from `start` on

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
        self._behind = False  # whether more waits than one helping
        self._next_drain = self._next_merge = 0.0
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

    def settled(self, state: CommandState, step: int | None, at: float) -> None:
        """Write what the loop says came of a command (recorder's thread only)."""
        self.station.settling = at
        try:
            self.station.desk.settled(state, step)
        finally:
            self.station.settling = None

    def confirmed(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Write that the effect of an applied command was seen (recorder's thread only)."""
        self.station.desk.confirmed(command_id, step, ran_at)

    def set_start(self, step: int) -> None:
        """Say at which step this attempt began (recorder's thread only)."""
        self.station.set_start(step)

    def flushed(self, done: threading.Event) -> None:
        """Set `done` once every point so far is on disk (recorder's thread only)."""
        while self._drain() >= _HELPING:
            self.station.commit(time.monotonic())
        if self.ledger.waits and self._ending is None:  # a device's copy is on its way
            self.post(lambda: self.flushed(done))
            return
        self.station.journal.durable()
        self.station.journal.later(done.set)

    @property
    def ledger(self) -> PointQueue:
        """Events, catalogues and streams (recorder's thread only)."""
        return self.station.ledger

    # The thread --------------------------------------------------------------------------------

    def _main(self) -> None:
        try:
            loop = self._current_step, lambda: self.doing[-1] if self.doing else ""
            self.station = RecorderServices(
                self.place, self.buffer, self.controls, self.points, loop, self._anchor, self._guarded
            )
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
            if not (isinstance(error, RecordError) and self.station.journal.failing):  # that has been told
                self.buffer.notices.once(f"recorder {kind}", f"the recorder met {kind}: {error} (told once)")
            time.sleep(TICK_SECONDS)

    def _wake(self) -> None:
        if self._naps:
            self._naps = False
            self.station.wake()

    def _tick(self) -> None:
        station = self.station
        station.wait(self._pause(time.monotonic()), TICK_SECONDS)
        now = time.monotonic()
        self._run_posted()
        busy = self._step(now)
        station.beat(now)
        if self._behind or station.requests.serve_page():
            return
        if now >= self._next_merge and (not busy or now >= self._next_merge + _MERGE_EVERY):
            self._next_merge = now + _MERGE_EVERY
            if not station.journal.failing:
                with suppress(RecordError):
                    station.writer.merge_slice(0.005)

    def _pause(self, now: float) -> float:
        """A tick; while points may not have their turn yet until they do, unless somebody posts something."""
        if self._behind:
            return 0.0
        due = self._next_drain - now
        self._naps = due > TICK_SECONDS and not self._busy_posting
        if not self._naps:
            return TICK_SECONDS
        return 0.0 if self._posted or self._ending is not None else min(due, _LONGEST_NAP)

    def _step(self, now: float) -> bool:
        """Points when they are due, then one commit with everything; whether it did anything."""
        station = self.station
        if now < self._next_drain or not self.ledger.waits:
            self._behind = False
            return station.commit(now)
        began = time.thread_time()
        few = len(self.buffer.rows) <= _FEW
        points = self._drain()
        wrote = station.commit(now)
        if station.backlog.over and not station.journal.failing and station.backlog.spill():
            station.shortfall.tell_waiting(now)
        cost = time.thread_time() - began
        self._behind = points >= _HELPING and not station.journal.failing
        paced = few or points >= _LARGE
        pace = PACE_SECONDS if paced else min(_LONGEST_PACE, max(PACE_SECONDS, cost / _SHARE))
        self._next_drain = now + (0.0 if self._behind else pace)
        return points > 0 or wrote

    def _drain(self) -> int:
        """Put a helping of points into the next commit; how many they are."""
        points = self.ledger.helping(_HELPING)
        first = self.ledger.first_step
        if points and self.station.record.start_step is None and first is not None:
            self.station.journal.later(lambda: self.set_start(first))
        return points

    def _run_posted(self) -> None:
        self._busy_posting = bool(self._posted)  # who posts often is served by the tick, not each time
        for _ in range(len(self._posted)):  # what these post in turn has its turn at the next tick
            self._guarded(self._posted.popleft())

    # The end -----------------------------------------------------------------------------------

    def _end(self, ending: RunEnding) -> None:
        """Write what is left while the disk works, say how it ended, close everything."""
        self._run_posted()
        self._write_rest(ending.patience)
        self.station.desk.close(self.step)
        for action in self.station.last_words(ending, time.monotonic()):
            self._guarded(action)

    def _write_rest(self, patience: float) -> None:
        """Write what is left; a disk that works gets `patience`, one that fails a last chance."""
        began, journal = time.monotonic(), self.station.journal
        while True:
            drained = self._drain()
            now = time.monotonic()
            self.station.commit(now)
            if not (drained or self.ledger.waits or not journal.clean):
                return
            if now - began >= (min(patience, _LAST_CHANCE) if journal.failing else patience):
                self._leave_rest()
                return
            if journal.failing or not drained:
                time.sleep(TICK_SECONDS)

    def _leave_rest(self) -> None:
        """Time is up: what can be put aside is, the rest is lost."""
        failing = bool(self.station.journal.failing)
        points = 0 if failing else self.ledger.put_aside()
        if points:
            say(
                f"{points:,} points were not stored in time and wait in a file beside the run: "
                f"`helmctl verify {self.place.run.run_id} --recover` puts them in their place"
            )
        if failing or self.ledger.packed_bytes or self.buffer.rows:
            say("the disk did not take the rest of the run: what was left is lost")
