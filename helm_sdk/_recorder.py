"""The recorder: one daemon thread a process, which owns its sockets and its file."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from helm_sdk._backlog import Backlog
from helm_sdk._buffer import Buffer
from helm_sdk._commands import CommandDesk, fitting
from helm_sdk._controls import Controls
from helm_sdk._journal import Journal
from helm_sdk._ledger import Ledger
from helm_sdk._live import REFRESH_SECONDS, LiveFile, live_entry
from helm_sdk._notice import say
from helm_sdk._place import Ending, Place
from helm_sdk._requests import Requests, Served
from helm_sdk._safe_points import SafePoints
from helm_sdk._sockets import Sockets
from helm_sdk.policy.file import POLICY_FILE, PolicyFile
from helm_sdk.policy.judge import Judge
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    Batch,
    CommandState,
    Event,
    Finished,
    Heartbeat,
    LiveEntry,
    Message,
    Snapshot,
)
from helm_sdk.record.errors import RecordError
from helm_sdk.record.layout import config_home
from helm_sdk.record.spill import Spill
from helm_sdk.record.writer import ProcessWriter

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

    def __init__(
        self,
        place: Place,
        buffer: Buffer,
        controls: Controls,
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
        self._sockets: Sockets | None = None
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._ending: Ending | None = None
        self._at: float | None = None  # when the loop settled what is being written
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

    def stop(self, ending: Ending) -> None:
        """Ask the thread to write what is left and to end."""
        if self._ending is None:
            self._ending = ending
        self._wake()
        self.points.wake()

    def _wake(self) -> None:
        sockets = self._sockets  # the thread may be letting go of them
        if self._naps and sockets is not None:
            self._naps = False
            sockets.wake()

    def join(self, timeout: float) -> bool:
        """Wait for the thread; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def settled(self, state: CommandState, step: int | None, at: float) -> None:
        """Write what the loop says came of a command (recorder's thread only)."""
        self._at = at
        try:
            self._desk.settled(state, step)
        finally:
            self._at = None

    def confirmed(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Write that the effect of an applied command was seen (recorder's thread only)."""
        self._desk.confirmed(command_id, step, ran_at)

    def set_start(self, step: int) -> None:
        """Say at which step this attempt began (recorder's thread only)."""
        if self._record.start_step is None:
            self._set_record(start_step=step)

    def flushed(self, done: threading.Event) -> None:
        """Set `done` once every point so far is on disk (recorder's thread only)."""
        while self._drain(_HELPING) >= _HELPING:
            self._commit(time.monotonic())
        if self._ledger.waits and self._ending is None:  # a device's copy is on its way
            self.post(lambda: self.flushed(done))
            return
        self._journal.durable()
        self._journal.later(done.set)

    @property
    def ledger(self) -> Ledger:
        """Events, catalogues and streams (recorder's thread only)."""
        return self._ledger

    # The thread --------------------------------------------------------------------------------

    def _main(self) -> None:
        try:
            self._open()
        except BaseException as error:
            self._error = error
            self._ready.set()
            return
        self._ready.set()
        while self._ending is None:
            self._guarded(self._tick)
        self._guarded(lambda: self._end(self._ending or Ending()))

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:
            kind = type(error).__name__
            if not (isinstance(error, RecordError) and self._journal.failing):  # that has been told
                self.buffer.notices.once(f"recorder {kind}", f"the recorder met {kind}: {error} (told once)")
            time.sleep(TICK_SECONDS)

    def _open(self) -> None:
        place = self.place
        self._record = place.process
        self._writer = ProcessWriter(place.folder, place.process)
        process, attempt = place.process.process, place.process.attempt
        self._journal = Journal(self._writer, process, attempt, self._guarded)
        self._backlog = Backlog(
            Spill(self._writer.path), self.buffer.bound // 4, process, attempt, self.buffer.notices
        )
        self._ledger = Ledger(self._journal, self.buffer, self._backlog, self._anchor)
        self.buffer.relieve = self._ledger.relieve
        self.buffer.reserve(0)
        self._behind = False
        self._controls_told = 0
        self._next_drain = self._next_merge = self._next_beat = self._next_live = 0.0
        self._lost_told = 0
        self._spill_told = False
        self._desk = CommandDesk(
            self.controls,
            self.points,
            process,
            attempt,
            self._record_command,
            self._journal.later,
            Judge(PolicyFile(config_home() / POLICY_FILE), place.run.project),
        )
        for earlier, event in place.earlier_commands:
            self._desk.remember(event, earlier)
        if place.keys is not None:
            try:
                self._sockets = Sockets(place.keys)
            except Exception as error:
                say(f"no sockets, so the app reads the files and controls cannot be used: {error}")
        self._requests = Requests(self._served(), self._desk, self._reply)
        self._live = LiveFile(place.home, self._entry())
        self._live.write(time.time())

    def _tick(self) -> None:
        pause = self._pause(time.monotonic())
        if self._sockets is None:
            time.sleep(min(pause, TICK_SECONDS))
        elif self._sockets.wait(pause):
            for request in self._sockets.requests():
                self._requests.serve(request)
        now = time.monotonic()
        self._run_posted()
        busy = self._step(now)
        if now >= self._next_beat:
            self._beat(now)
        if self._behind or self._requests.serve_page():
            return
        if now >= self._next_merge and (not busy or now >= self._next_merge + _MERGE_EVERY):
            self._next_merge = now + _MERGE_EVERY
            if not self._journal.failing:
                with suppress(RecordError):
                    self._writer.merge_slice(0.005)

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
        if now < self._next_drain or not self._ledger.waits:
            self._behind = False
            return self._commit(now)
        began = time.thread_time()
        few = len(self.buffer.rows) <= _FEW
        points = self._drain(_HELPING)
        wrote = self._commit(now)
        if self._backlog.over and not self._journal.failing and self._backlog.spill():
            self._tell_spilled(now)
        cost = time.thread_time() - began
        self._behind = points >= _HELPING and not self._journal.failing
        paced = few or points >= _LARGE
        pace = PACE_SECONDS if paced else min(_LONGEST_PACE, max(PACE_SECONDS, cost / _SHARE))
        self._next_drain = now + (0.0 if self._behind else pace)
        return points > 0 or wrote

    def _drain(self, most: int = 1) -> int:
        points = self._ledger.helping(most)
        first = self._ledger.first_step
        if points and self._record.start_step is None and first is not None:
            self._journal.later(lambda: self.set_start(first))
        return points

    def _commit(self, now: float) -> bool:
        if self.controls.version != self._controls_told:
            self._controls_told = self.controls.version
            self._ledger.add_catalogue("capabilities", msgspec.to_builtins(self.controls.states()))
        self._desk.expire(now, self.step)
        if self._journal.clean and not self._journal.waits:
            return False
        wrote = self._journal.commit(self._publish_batch)
        self.buffer.reserve(self._ledger.packed_bytes)
        return wrote

    def _run_posted(self) -> None:
        self._busy_posting = bool(self._posted)  # who posts often is served by the tick, not each time
        for _ in range(len(self._posted)):  # what these post in turn has its turn at the next tick
            self._guarded(self._posted.popleft())

    def _record_command(self, state: CommandState, step: int | None) -> Event:
        at = time.monotonic() if self._at is None else self._at
        body: dict[str, Any] = msgspec.to_builtins(fitting(state))
        return self._ledger.add_event("command", step, body, at, durable=True)

    def _beat(self, now: float) -> None:
        self._next_beat = now + 1.0
        self._tell_lost(now)
        if self._sockets is not None:
            if self._sockets.readmit():
                self._live = LiveFile(self.place.home, self._entry())
                self._next_live = 0.0
            self._publish(self._heartbeat(now))
        if now >= self._next_live:
            self._next_live = now + REFRESH_SECONDS
            self._live.write(time.time())

    def _tell_lost(self, now: float) -> None:
        if self.buffer.lost > self._lost_told and not self._journal.failing:
            lost, self._lost_told = self.buffer.lost - self._lost_told, self.buffer.lost
            message = f"{lost:,} points were lost: the disk was full or too slow"
            body = {"what": "lost points", "count": lost, "message": message}
            self._ledger.add_event("warning", self.step, body, now)

    def _tell_spilled(self, now: float) -> None:
        if self._spill_told:
            return
        self._spill_told = True
        message = "points come faster than the disk takes them: they wait in a file beside the run"
        say(f"{message}, none is lost (told once)")
        self._ledger.add_event("warning", self.step, {"what": "points wait", "message": message}, now)

    def _tell_caught_up(self, now: float) -> None:
        if self._spill_told and not self._ledger.waits:
            count = self._backlog.spilled_points
            message = f"{count:,} points waited in a file beside the run before they were stored"
            body = {"what": "points waited", "count": count, "message": message}
            self._ledger.add_event("warning", self.step, body, now)

    def _write_rest(self, patience: float) -> None:
        """Write what is left; a disk that works gets `patience`, one that fails a last chance."""
        began = time.monotonic()
        while True:
            drained = self._drain(_HELPING)
            now = time.monotonic()
            self._commit(now)
            if not (drained or self._ledger.waits or not self._journal.clean):
                return
            if now - began >= (min(patience, _LAST_CHANCE) if self._journal.failing else patience):
                self._leave_rest()
                return
            if self._journal.failing or not drained:
                time.sleep(TICK_SECONDS)

    def _leave_rest(self) -> None:
        """Time is up: what can be put aside is, the rest is lost."""
        if not self._journal.failing:
            points = self._ledger.put_aside()
            if points:
                say(
                    f"{points:,} points were not stored in time and wait in a file beside the run: "
                    f"`helmctl verify {self.place.run.run_id} --recover` puts them in their place"
                )
        if self._journal.failing or self._ledger.packed_bytes or self.buffer.rows:
            say("the disk did not take the rest of the run: what was left is lost")

    def _end(self, ending: Ending) -> None:
        """Write what is left while the disk works, say how it ended, close everything."""
        self._run_posted()
        self._write_rest(ending.patience)
        self._desk.close(self.step)
        now = time.monotonic()
        self._tell_lost(now)
        self._tell_caught_up(now)
        body = {"outcome": ending.outcome, "message": ending.message, "exit_status": ending.exit_status}
        self._ledger.add_event(
            "finished", self.step, {key: value for key, value in body.items() if value}, now, durable=True
        )
        self._guarded(lambda: self._commit(now))
        self._guarded(
            lambda: self._set_record(
                outcome=ending.outcome,
                message=ending.message,
                exit_status=ending.exit_status,
                ended=self.clock(now),
            )
        )
        self._publish(self._finished(ending, now))
        for close in (
            self._requests.close,
            self._backlog.close,
            self._writer.close,
            self._live.remove,
            self._close_sockets,
        ):
            self._guarded(close)

    def _entry(self) -> LiveEntry:
        sockets = self._sockets
        if sockets is None:
            return live_entry(self.place, "", "")
        return live_entry(self.place, sockets.publish_endpoint, sockets.request_endpoint)

    def _close_sockets(self) -> None:
        if self._sockets is not None:
            self._sockets.close()
            self._sockets = None

    def _set_record(self, **change: Any) -> None:
        self._record = msgspec.structs.replace(self._record, **change)
        self._writer.set_record(self._record)

    # What it says ------------------------------------------------------------------------------

    def _publish_batch(self, batch: Batch) -> None:
        self._publish(batch)

    def _publish(self, message: Message) -> None:
        if self._sockets is not None:
            self._sockets.publish(wire.frames(self.place.run.run_id, message))

    def _reply(self, route: bytes, message: Message) -> None:
        if self._sockets is not None:
            self._sockets.reply(route, wire.frames(self.place.run.run_id, message))

    def _served(self) -> Served:
        return Served(
            run_id=self.place.run.run_id,
            process=self._record.process,
            attempt=self._record.attempt,
            folder=self.place.folder,
            snapshot=self._snapshot,
            step=lambda: self.step,
            failing=lambda: self._journal.failing,
            later=self._journal.later,
            last_seq=lambda: self._journal.last_seq,
        )

    def _snapshot(self, request: str) -> Snapshot:
        self._next_beat = 0.0  # whoever attaches hears the run at once
        return Snapshot(
            request=request,
            process=self._record.process,
            attempt=self._record.attempt,
            last_seq=self._journal.last_seq,
            attempts={**dict(self.place.earlier), self._record.attempt: self._journal.last_seq},
            heartbeat=self._heartbeat(time.monotonic()),
            streams=tuple(self._ledger.streams),
            catalogues=tuple(self._ledger.catalogues),
            open_commands=self._desk.open_events(),
            run=self.place.run,
        )

    def _heartbeat(self, now: float) -> Heartbeat:
        return Heartbeat(
            process=self._record.process,
            attempt=self._record.attempt,
            last_seq=self._journal.last_seq,
            time=self.clock(now),
            step=self.step,
            paused=self.points.paused,
            doing=self.doing[-1] if self.doing else "",
            safe_points=self.points.paces(now),
            lost_points=self.buffer.lost,
            spilled_points=self._backlog.spilled_points,
        )

    def _finished(self, ending: Ending, now: float) -> Finished:
        return Finished(
            process=self._record.process,
            attempt=self._record.attempt,
            last_seq=self._journal.last_seq,
            time=self.clock(now),
            outcome=ending.outcome,
            message=ending.message,
            exit_status=ending.exit_status,
        )
