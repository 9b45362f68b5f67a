"""Updates as the run client makes them of what a process sends."""

from __future__ import annotations

from helm_sdk.protocol.messages import Batch, Event, Finished, Heartbeat
from helm_sdk.protocol.updates import (
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    RefusalUpdate,
)


def batch_update(batch: Batch, history: bool = False) -> BatchUpdate:
    """A batch of the process that it names."""
    return BatchUpdate(batch.process, batch.attempt, batch, history)


def heartbeat_update(heartbeat: Heartbeat) -> HeartbeatUpdate:
    """A heartbeat of the process that it names."""
    return HeartbeatUpdate(heartbeat.process, heartbeat.attempt, heartbeat)


def finished_update(finished: Finished) -> FinishedUpdate:
    """The end of the process that it names."""
    return FinishedUpdate(finished.process, finished.attempt, finished)


def answer_update(event: Event, process: str = "rank-0", attempt: int = 1) -> AnswerUpdate:
    """What a process recorded of a command."""
    return AnswerUpdate(process, attempt, "request", str(event.body.get("command_id", "")), event)


def refusal_update(command_id: str, message: str) -> RefusalUpdate:
    """A command that no process received."""
    return RefusalUpdate("", "", command_id, message)
