"""What a recorder works with: its file, queues, commands and connection, put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from helm_sdk._controls.lifecycle import CommandLifecycle, fitting
from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.connection import RecorderConnection
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.journal import Guard, Journal
from helm_sdk._recorder.loss_reports import LossReports
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.reports import ProcessReports
from helm_sdk._recorder.requests import RequestBackend, RequestHandler
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk.policy.file import POLICY_FILE, PolicyFile
from helm_sdk.policy.judge import PolicyJudge
from helm_sdk.protocol.messages import CommandState, Event, Snapshot
from helm_sdk.record.layout import config_home
from helm_sdk.record.spill import SpillFile
from helm_sdk.record.writer import ProcessWriter

_BEAT_SECONDS = 1.0


class RecorderServices:
    """Opened and owned by the recorder's thread; others may only wake its `connection`."""

    def __init__(
        self,
        place: RecorderIdentity,
        buffer: Buffer,
        controls: ControlRegistry,
        points: SafePoints,
        loop: tuple[Callable[[], int | None], Callable[[], str]],  # the run's step, and the span it is in
        anchor: float,
        guard: Guard,
    ) -> None:
        self._buffer = buffer
        self._controls = controls
        self._step = loop[0]
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self.settling: float | None = None  # when the loop settled what is being written
        self._controls_told = 0
        self._next_beat = 0.0
        self.record = place.process
        process, attempt = self.record.process, self.record.attempt
        self.writer = ProcessWriter(place.folder, place.process)
        self.journal = Journal(self.writer, process, attempt, guard)
        self.spill_queue = SpillQueue(
            SpillFile(self.writer.path), buffer.bound // 4, process, attempt, buffer.notices
        )
        self.point_queue = PointQueue(self.journal, buffer, self.spill_queue, anchor)
        buffer.pack_oldest = self.point_queue.pack_oldest
        buffer.reserve(0)
        self.loss_reports = LossReports(buffer, self.spill_queue, self.point_queue, self._step)
        self.lifecycle = CommandLifecycle(
            controls,
            points,
            process,
            attempt,
            self._record_command,
            self.journal.later,
            PolicyJudge(PolicyFile(config_home() / POLICY_FILE), place.run.project),
        )
        for earlier, event in place.earlier_commands:
            self.lifecycle.remember(event, earlier)
        self._reports = ProcessReports(
            place,
            buffer,
            points,
            self.journal,
            self.point_queue,
            self.spill_queue,
            self.lifecycle,
            *loop,
            anchor,
        )
        self.connection = RecorderConnection(place)
        self.requests = RequestHandler(self._backend(place), self.lifecycle, self.connection.reply)
        self.connection.enter()

    def wait(self, seconds: float, without: float) -> None:
        """Serve requests for as long; without sockets nothing ends it, so that it lasts `without` at most."""
        for request in self.connection.wait(seconds, without):
            self.requests.answer(request)

    def commit(self, now: float) -> bool:
        """Commit everything at once, then publish it; return True when there was anything."""
        if self._controls.version != self._controls_told:
            self._controls_told = self._controls.version
            self.point_queue.add_catalogue("capabilities", msgspec.to_builtins(self._controls.states()))
        self.lifecycle.expire(now, self._step())
        if self.journal.clean and not self.journal.has_pending:
            return False
        wrote = self.journal.commit(self.connection.publish)
        self._buffer.reserve(self.point_queue.packed_bytes)
        return wrote

    def beat(self, now: float) -> None:
        """Once a second: what was lost, who is let in, a heartbeat, the live entry."""
        if now < self._next_beat:
            return
        self._next_beat = now + _BEAT_SECONDS
        if not self.journal.failing:
            self.loss_reports.report_lost(now)
        self.connection.readmit()
        self.connection.publish(self._reports.heartbeat(now))
        self.connection.refresh(now)

    def set_start(self, step: int) -> None:
        """Say at which step this attempt began."""
        if self.record.start_step is None:
            self._set_record(start_step=step)

    def last_words(self, ending: RunEnding, now: float) -> Iterator[Callable[[], object]]:
        """Yield the functions to call once everything else is written; each is called in any case."""
        if not self.journal.failing:
            self.loss_reports.report_lost(now)
        self.loss_reports.report_caught_up(now)
        message = {"outcome": ending.outcome, "message": ending.message, "exit_status": ending.exit_status}
        body = {key: value for key, value in message.items() if value}
        self.point_queue.add_event("finished", self._step(), body, now, durable=True)
        yield lambda: self.commit(now)
        yield lambda: self._set_record(**message, ended=self._anchor + now)
        yield lambda: self.connection.publish(self._reports.finished(ending, now))
        yield from (self.requests.close, self.spill_queue.close, self.writer.close)
        yield from (self.connection.leave, self.connection.close)

    def _record_command(self, state: CommandState, step: int | None) -> Event:
        at = time.monotonic() if self.settling is None else self.settling
        body: dict[str, Any] = msgspec.to_builtins(fitting(state))
        return self.point_queue.add_event("command", step, body, at, durable=True)

    def _set_record(self, **change: Any) -> None:
        self.record = msgspec.structs.replace(self.record, **change)
        self.writer.set_record(self.record)

    def _backend(self, place: RecorderIdentity) -> RequestBackend:
        return RequestBackend(
            run_id=place.run.run_id,
            process=self.record.process,
            attempt=self.record.attempt,
            folder=place.folder,
            snapshot=self._snapshot,
            step=self._step,
            failing=lambda: self.journal.failing,
            later=self.journal.later,
            last_seq=lambda: self.journal.last_seq,
        )

    def _snapshot(self, request: str) -> Snapshot:
        self._next_beat = 0.0  # whoever attaches hears the run at once
        return self._reports.snapshot(request, time.monotonic())
