"""The parts that a recorder uses, connected to each other: file, queues, commands, connection."""

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
    """The parts of one recorder; used on its thread, others may only wake `connection`."""

    def __init__(
        self,
        identity: RecorderIdentity,
        buffer: Buffer,
        controls: ControlRegistry,
        points: SafePoints,
        loop: tuple[
            Callable[[], int | None], Callable[[], str]
        ],  # the run's step, and the span that it is in
        anchor: float,
        guard: Guard,
    ) -> None:
        self._buffer = buffer
        self._controls = controls
        self._step = loop[0]
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self.outcome_time: float | None = None  # monotonic time of the command state that is being recorded
        self._published_controls = 0  # the version of the controls that was last recorded
        self._next_beat = 0.0
        self.record = identity.process
        process, attempt = self.record.process, self.record.attempt
        self.writer = ProcessWriter(identity.folder, identity.process)
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
            PolicyJudge(PolicyFile(config_home() / POLICY_FILE), identity.run.project),
        )
        for earlier, event in identity.earlier_commands:
            self.lifecycle.remember(event, earlier)
        self._reports = ProcessReports(
            identity,
            buffer,
            points,
            self.journal,
            self.point_queue,
            self.spill_queue,
            self.lifecycle,
            *loop,
            anchor,
        )
        self.connection = RecorderConnection(identity)
        self.requests = RequestHandler(self._backend(identity), self.lifecycle, self.connection.reply)
        self.connection.enter()

    def wait(self, seconds: float, without: float) -> None:
        """Answer requests for up to `seconds`; without sockets, wait at most `without` seconds."""
        for request in self.connection.wait(seconds, without):
            self.requests.answer(request)

    def commit(self, now: float) -> bool:
        """Commit and publish everything that waits; return True when something was committed."""
        if self._controls.version != self._published_controls:
            self._published_controls = self._controls.version
            self.point_queue.add_catalogue("capabilities", msgspec.to_builtins(self._controls.states()))
        self.lifecycle.expire(now, self._step())
        if self.journal.clean and not self.journal.has_pending:
            return False
        wrote = self.journal.commit(self.connection.publish)
        self._buffer.reserve(self.point_queue.packed_bytes)
        return wrote

    def beat(self, now: float) -> None:
        """Once a second: report losses, read the allow-list, publish a heartbeat, refresh the live entry."""
        if now < self._next_beat:
            return
        self._next_beat = now + _BEAT_SECONDS
        if not self.journal.failing:
            self.loss_reports.report_lost(now)
        self.connection.refresh_keys()
        self.connection.publish(self._reports.heartbeat(now))
        self.connection.refresh(now)

    def set_start(self, step: int) -> None:
        """Record the step at which this attempt began, the first time."""
        if self.record.start_step is None:
            self._set_record(start_step=step)

    def closing_actions(self, ending: RunEnding, now: float) -> Iterator[Callable[[], object]]:
        """Yield the last actions, after everything else is written; call each even when one before failed."""
        if not self.journal.failing:
            self.loss_reports.report_lost(now)
        self.loss_reports.report_caught_up(now)
        result = {"outcome": ending.outcome, "message": ending.message, "exit_status": ending.exit_status}
        body = {key: value for key, value in result.items() if value}
        self.point_queue.add_event("finished", self._step(), body, now, durable=True)
        yield lambda: self.commit(now)
        yield lambda: self._set_record(**result, ended=self._anchor + now)
        yield lambda: self.connection.publish(self._reports.finished(ending, now))
        yield from (self.requests.close, self.spill_queue.close, self.writer.close)
        yield from (self.connection.leave, self.connection.close)

    def _record_command(self, state: CommandState, step: int | None) -> Event:
        at = time.monotonic() if self.outcome_time is None else self.outcome_time
        body: dict[str, Any] = msgspec.to_builtins(fitting(state))
        return self.point_queue.add_event("command", step, body, at, durable=True)

    def _set_record(self, **change: Any) -> None:
        self.record = msgspec.structs.replace(self.record, **change)
        self.writer.set_record(self.record)

    def _backend(self, identity: RecorderIdentity) -> RequestBackend:
        return RequestBackend(
            run_id=identity.run.run_id,
            process=self.record.process,
            attempt=self.record.attempt,
            folder=identity.folder,
            snapshot=self._snapshot,
            step=self._step,
            failing=lambda: self.journal.failing,
            later=self.journal.later,
            last_seq=lambda: self.journal.last_seq,
        )

    def _snapshot(self, request: str) -> Snapshot:
        self._next_beat = 0.0  # so that a client that attaches gets a heartbeat at once
        return self._reports.snapshot(request, time.monotonic())
