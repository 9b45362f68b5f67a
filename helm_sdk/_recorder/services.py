"""What a recorder works with, its file, its sockets, its live entry, and what it says through them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from helm_sdk._controls.lifecycle import CommandLifecycle, fitting
from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.journal import Guard, Journal
from helm_sdk._recorder.live import REFRESH_SECONDS, LiveFile, live_entry
from helm_sdk._recorder.loss_reports import LossReports
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.requests import RequestBackend, RequestHandler
from helm_sdk._recorder.sockets import Sockets
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk._shared.notice import say
from helm_sdk.policy.file import POLICY_FILE, PolicyFile
from helm_sdk.policy.judge import PolicyJudge
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    CommandState,
    Event,
    Finished,
    Heartbeat,
    LiveEntry,
    Message,
    Snapshot,
)
from helm_sdk.record.layout import config_home
from helm_sdk.record.spill import SpillFile
from helm_sdk.record.writer import ProcessWriter


class RecorderServices:
    """Opened and owned by the recorder's thread; others may only `wake` it."""

    def __init__(
        self,
        place: RecorderIdentity,
        buffer: Buffer,
        controls: ControlRegistry,
        points: SafePoints,
        loop: tuple[Callable[[], int | None], Callable[[], str]],
        anchor: float,
        guard: Guard,
    ) -> None:
        self._place = place
        self._buffer = buffer
        self._controls = controls
        self._points = points
        self._step, self._doing = loop  # the run's current step, and the span that it is in
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self.settling: float | None = None  # when the loop settled what is being written
        self._controls_told = 0
        self._next_beat = self._next_live = 0.0
        self.record = place.process
        process, attempt = self.record.process, self.record.attempt
        self.writer = ProcessWriter(place.folder, place.process)
        self.journal = Journal(self.writer, process, attempt, guard)
        self.backlog = SpillQueue(
            SpillFile(self.writer.path), buffer.bound // 4, process, attempt, buffer.notices
        )
        self.ledger = PointQueue(self.journal, buffer, self.backlog, anchor)
        buffer.relieve = self.ledger.relieve
        buffer.reserve(0)
        self.shortfall = LossReports(buffer, self.backlog, self.ledger, self._step)
        self.desk = CommandLifecycle(
            controls,
            points,
            process,
            attempt,
            self._record_command,
            self.journal.later,
            PolicyJudge(PolicyFile(config_home() / POLICY_FILE), place.run.project),
        )
        for earlier, event in place.earlier_commands:
            self.desk.remember(event, earlier)
        self.sockets: Sockets | None = None
        if place.keys is not None:
            try:
                self.sockets = Sockets(place.keys)
            except Exception as error:
                say(f"no sockets, so the app reads the files and controls cannot be used: {error}")
        self.requests = RequestHandler(self._served(), self.desk, self._reply)
        self._live = LiveFile(place.home, self._entry())
        self._live.write(time.time())

    def wake(self) -> None:
        """End a `wait`, from any thread."""
        sockets = self.sockets  # the thread may be letting go of them
        if sockets is not None:
            sockets.wake()

    def wait(self, seconds: float, without: float) -> None:
        """Serve requests for as long; without sockets nothing ends it, so that it lasts `without` at most."""
        if self.sockets is None:
            time.sleep(min(seconds, without))
        elif self.sockets.wait(seconds):
            for request in self.sockets.requests():
                self.requests.serve(request)

    def commit(self, now: float) -> bool:
        """One commit with everything, published then; whether there was anything."""
        if self._controls.version != self._controls_told:
            self._controls_told = self._controls.version
            self.ledger.add_catalogue("capabilities", msgspec.to_builtins(self._controls.states()))
        self.desk.expire(now, self._step())
        if self.journal.clean and not self.journal.waits:
            return False
        wrote = self.journal.commit(self.publish)
        self._buffer.reserve(self.ledger.packed_bytes)
        return wrote

    def beat(self, now: float) -> None:
        """Once a second: what was lost, who is let in, a heartbeat, the live entry."""
        if now < self._next_beat:
            return
        self._next_beat = now + 1.0
        if not self.journal.failing:
            self.shortfall.tell_lost(now)
        if self.sockets is not None:
            if self.sockets.readmit():
                self._live = LiveFile(self._place.home, self._entry())
                self._next_live = 0.0
            self.publish(self._heartbeat(now))
        if now >= self._next_live:
            self._next_live = now + REFRESH_SECONDS
            self._live.write(time.time())

    def set_start(self, step: int) -> None:
        """Say at which step this attempt began."""
        if self.record.start_step is None:
            self._set_record(start_step=step)

    def last_words(self, ending: RunEnding, now: float) -> Iterator[Callable[[], object]]:
        """What is to be done, each whatever comes of the others, once everything else is written."""
        if not self.journal.failing:
            self.shortfall.tell_lost(now)
        self.shortfall.tell_caught_up(now)
        said = {"outcome": ending.outcome, "message": ending.message, "exit_status": ending.exit_status}
        body = {key: value for key, value in said.items() if value}
        self.ledger.add_event("finished", self._step(), body, now, durable=True)
        yield lambda: self.commit(now)
        yield lambda: self._set_record(**said, ended=self._anchor + now)
        yield lambda: self.publish(self._finished(ending, now))
        yield from (self.requests.close, self.backlog.close, self.writer.close, self._live.remove)
        yield self._close_sockets

    def publish(self, message: Message) -> None:
        """Hand a message to whoever listens."""
        if self.sockets is not None:
            self.sockets.publish(wire.frames(self._place.run.run_id, message))

    def _reply(self, route: bytes, message: Message) -> None:
        if self.sockets is not None:
            self.sockets.reply(route, wire.frames(self._place.run.run_id, message))

    def _record_command(self, state: CommandState, step: int | None) -> Event:
        at = time.monotonic() if self.settling is None else self.settling
        body: dict[str, Any] = msgspec.to_builtins(fitting(state))
        return self.ledger.add_event("command", step, body, at, durable=True)

    def _set_record(self, **change: Any) -> None:
        self.record = msgspec.structs.replace(self.record, **change)
        self.writer.set_record(self.record)

    def _entry(self) -> LiveEntry:
        sockets = self.sockets
        if sockets is None:
            return live_entry(self._place, "", "")
        return live_entry(self._place, sockets.publish_endpoint, sockets.request_endpoint)

    def _close_sockets(self) -> None:
        if self.sockets is not None:
            sockets, self.sockets = self.sockets, None
            sockets.close()

    def _served(self) -> RequestBackend:
        return RequestBackend(
            run_id=self._place.run.run_id,
            process=self.record.process,
            attempt=self.record.attempt,
            folder=self._place.folder,
            snapshot=self._snapshot,
            step=self._step,
            failing=lambda: self.journal.failing,
            later=self.journal.later,
            last_seq=lambda: self.journal.last_seq,
        )

    def _snapshot(self, request: str) -> Snapshot:
        self._next_beat = 0.0  # whoever attaches hears the run at once
        return Snapshot(
            request=request,
            process=self.record.process,
            attempt=self.record.attempt,
            last_seq=self.journal.last_seq,
            attempts={**dict(self._place.earlier), self.record.attempt: self.journal.last_seq},
            heartbeat=self._heartbeat(time.monotonic()),
            streams=tuple(self.ledger.streams),
            catalogues=tuple(self.ledger.catalogues),
            open_commands=self.desk.open_events(),
            run=self._place.run,
        )

    def _heartbeat(self, now: float) -> Heartbeat:
        return Heartbeat(
            process=self.record.process,
            attempt=self.record.attempt,
            last_seq=self.journal.last_seq,
            time=self._anchor + now,
            step=self._step(),
            paused=self._points.paused,
            doing=self._doing(),
            safe_points=self._points.paces(now),
            lost_points=self._buffer.lost,
            spilled_points=self.backlog.spilled_points,
        )

    def _finished(self, ending: RunEnding, now: float) -> Finished:
        return Finished(
            process=self.record.process,
            attempt=self.record.attempt,
            last_seq=self.journal.last_seq,
            time=self._anchor + now,
            outcome=ending.outcome,
            message=ending.message,
            exit_status=ending.exit_status,
        )
