"""The messages in which a process describes itself: snapshot, heartbeat, and its last message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from helm_sdk._controls.lifecycle import CommandLifecycle
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.journal import Journal
from helm_sdk._recorder.point_queue import PointQueue
from helm_sdk._recorder.spill_queue import SpillQueue
from helm_sdk.protocol.messages import Finished, Heartbeat, Snapshot


@dataclass(frozen=True)
class ProcessReports:
    """Makes the messages from the state of the recorder's parts. `now` is a monotonic time."""

    identity: RecorderIdentity
    buffer: Buffer
    points: SafePoints
    journal: Journal
    queue: PointQueue
    spilled: SpillQueue
    commands: CommandLifecycle
    step: Callable[[], int | None]
    span: Callable[[], str]  # the span that the loop is in; empty outside one
    anchor: float  # unix seconds at the monotonic clock's zero

    def snapshot(self, request: str, now: float) -> Snapshot:
        """Return what a client needs when it attaches."""
        identity, last_seq = self.identity, self.journal.last_seq
        attempt = identity.process.attempt
        return Snapshot(
            request=request,
            process=identity.process.process,
            attempt=attempt,
            last_seq=last_seq,
            attempts={**dict(identity.earlier), attempt: last_seq},
            heartbeat=self.heartbeat(now),
            streams=tuple(self.queue.streams),
            catalogues=tuple(self.queue.catalogues),
            open_commands=self.commands.open_events(),
            run=identity.run,
        )

    def heartbeat(self, now: float) -> Heartbeat:
        """Return the heartbeat: the current step and span, the last number, and lost points."""
        return Heartbeat(
            process=self.identity.process.process,
            attempt=self.identity.process.attempt,
            last_seq=self.journal.last_seq,
            time=self.anchor + now,
            step=self.step(),
            paused=self.points.paused,
            doing=self.span(),
            safe_points=self.points.rates(now),
            lost_points=self.buffer.lost,
            spilled_points=self.spilled.spilled_points,
        )

    def finished(self, ending: RunEnding, now: float) -> Finished:
        """Return how the process ended."""
        return Finished(
            process=self.identity.process.process,
            attempt=self.identity.process.attempt,
            last_seq=self.journal.last_seq,
            time=self.anchor + now,
            outcome=ending.outcome,
            message=ending.message,
            exit_status=ending.exit_status,
        )
