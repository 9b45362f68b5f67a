"""The run's side of a command's life: received, approved, cancelled, expired; each state on disk first."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from helm_sdk._controls.applier import problem_of
from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import Pending, SafePoints
from helm_sdk.policy.judge import PolicyJudge, approval_of
from helm_sdk.protocol.commands import (
    APPLIED,
    AWAITING_APPROVAL,
    CANCELLED,
    CONFIRMED,
    EXPIRED,
    FAILED,
    OPEN,
    RECEIVED,
    REJECTED,
    RUN_ENDED,
    SUPERSEDED,
    WAITING,
)
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import Command, CommandState, Event
from helm_sdk.protocol.packing import sendable

_LONGEST_ID = 200
Record = Callable[[CommandState, int | None], Event]
Later = Callable[[Callable[[], None]], None]


class RequestRefused(Exception):
    """A request that cannot be served; the text is one sentence."""


@dataclass(frozen=True)
class Sender:
    """Who sent a request: what ZAP says, never what the body says."""

    key: str
    name: str
    via: str = ""


class CommandLifecycle:
    """Takes commands in, on the recorder's thread, and hands those that may run to their safe points.

    `record` writes an event into the commit under way; `later` runs something once that commit is on disk.
    """

    def __init__(
        self,
        controls: ControlRegistry,
        points: SafePoints,
        process: str,
        attempt: int,
        record: Record,
        later: Later,
        judge: PolicyJudge,
    ) -> None:
        self._controls = controls
        self._judge = judge
        self._points = points
        self._process = process
        self._attempt = attempt
        self._record = record
        self._later = later
        self._history = CommandHistory()
        self._history.begin(process, attempt)
        self._open: dict[str, Pending] = {}  # waiting, or awaiting approval

    def remember(self, event: Event, attempt: int) -> None:
        """Take note of a command of an earlier attempt: its id is known and it is never replayed."""
        if attempt != self._attempt:
            self._history.add(event, self._process, attempt)
            body = event.body
            if body.get("state") == RECEIVED:
                who = str(body.get("sender", "")), str(body.get("via", ""))
                self._judge.took(str(body.get("capability", "")), *who, ago=time.time() - event.time)

    def receive(self, command: Command, sender: Sender, step: int | None) -> Event:
        """Take a command in; the event that says how it stands. Raises Refused when it is not for here."""
        if not command.id or len(command.id) > _LONGEST_ID:
            raise RequestRefused(f"a command's id is text of 1 to {_LONGEST_ID} characters")
        if command.process not in ("", "all", self._process):
            raise RequestRefused(f"this is process {self._process}, the command is for {command.process}")
        known = self._history.by_id(command.id, self._process)
        if known is not None:
            return self._as_it_stands(known)
        control = self._controls.get(command.capability)
        state = self._first_state(command, sender)
        problem = problem_of(control, command, self._process) or _expiry_problem(command, step)
        if problem or control is None:
            return self._record_state(state, step, state=REJECTED, message=problem)
        verdict = self._judge.judge(command.capability, command.input, sender.name, sender.via)
        if verdict.refused:
            return self._record_state(state, step, state=REJECTED, message=verdict.refused)
        self._judge.took(command.capability, sender.name, sender.via)
        self._record_state(state, step)
        self._supersede(command, sender, step)
        pending = Pending(command, msgspec.structs.replace(state, input=None), control.capability.safe_points)
        if command.expires_in is not None:
            pending.deadline = time.monotonic() + command.expires_in
        self._open[command.id] = pending
        approval = approval_of(control.capability.requires_approval, verdict)
        if approval != "none":
            requested = {"approval": approval, "message": verdict.reason}
            return self._move(pending, step, state=AWAITING_APPROVAL, **requested)
        return self._wait(pending, step)

    def approve(self, command_id: str, approve: bool, reason: str, sender: Sender, step: int | None) -> Event:
        """Approve or refuse a command that awaits it; its sender's own key may only refuse, unless the
        policy says otherwise."""
        pending = self._open.get(command_id)
        if pending is None or pending.state.state != AWAITING_APPROVAL:
            raise RequestRefused(
                f"the command does not await approval, it is {self._known_state(command_id)}"
            )
        if not approve:
            message = f"refused by {sender.name}" + (f": {reason}" if reason else "")
            return self._finish(pending, step, state=REJECTED, message=message, approver=sender.name)
        if problem := self._judge.may_approve(sender.name, sender.via):
            raise RequestRefused(problem)
        if sender.key == pending.state.sender_key and pending.state.approval != "sender":
            raise RequestRefused("a command is approved by another key than the one that sent it")
        pending.state = msgspec.structs.replace(pending.state, approver=sender.name)
        return self._wait(pending, step)

    def cancel(self, command_id: str, reason: str, sender: Sender, step: int | None) -> Event:
        """Withdraw a command that the loop has not taken yet."""
        pending = self._open.get(command_id)
        if pending is None or not self._withdraw(pending):
            raise RequestRefused(f"the command cannot be cancelled, it is {self._known_state(command_id)}")
        message = f"cancelled by {sender.name}" + (f": {reason}" if reason else "")
        return self._finish(pending, step, state=CANCELLED, message=message)

    def expire(self, now: float, step: int | None) -> None:
        """End the commands whose time or step has passed."""
        for pending in list(self._open.values()):
            until = pending.command.expires_step
            if pending.deadline is not None and now > pending.deadline:
                message = "its time had passed"
            elif until is not None and step is not None and step > until:
                message = f"step {until} had passed"
            else:
                continue
            if self._withdraw(pending):
                self._finish(pending, step, state=EXPIRED, message=message)

    def record_outcome(self, state: CommandState, step: int | None) -> None:
        """Write what the loop says came of a command."""
        self._open.pop(state.command_id, None)
        self._record_state(state, step)

    def confirmed(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Write that the effect of an applied command was seen in the streams."""
        record = self._history.by_id(command_id, self._process)
        if record is not None and record.latest.state == APPLIED:
            self._record_state(record.latest, step, state=CONFIRMED, ran_at=ran_at)

    def close(self, step: int | None) -> None:
        """The run ends: what still waits has failed."""
        for pending in list(self._open.values()):
            message = RUN_ENDED if self._withdraw(pending) else "the run ended while it was being applied"
            self._finish(pending, step, state=FAILED, message=message)

    def open_events(self) -> tuple[Event, ...]:
        """Return the last event of each command that may still take effect, its input included."""
        return tuple(
            self._as_it_stands(record, with_input=True)
            for record in self._history.open()
            if record.attempt == self._attempt
        )

    def _first_state(self, command: Command, sender: Sender) -> CommandState:
        control = self._controls.get(command.capability)
        points = control.capability.safe_points if control else ()
        timed = command.expires_in is not None and math.isfinite(command.expires_in)
        return CommandState(
            command_id=command.id,
            capability=command.capability,
            state=RECEIVED,
            sender=sender.name,
            sender_key=sender.key,
            via=sender.via,
            input=command.input,
            reason=command.reason,
            safe_point=points[0] if points else self._points.default,
            expect_revision=command.expect_revision,
            expires_step=command.expires_step,
            expires_at=time.time() + (command.expires_in or 0.0) if timed else None,
            supersedes=command.supersedes,
        )

    def _supersede(self, command: Command, sender: Sender, step: int | None) -> None:
        pending = self._open.get(command.supersedes)
        if pending is not None and self._withdraw(pending):
            self._finish(pending, step, state=SUPERSEDED, message=f"replaced by {sender.name}")

    def _wait(self, pending: Pending, step: int | None) -> Event:
        event = self._move(pending, step, state=WAITING, message="")

        def queue() -> None:
            if pending.command.id in self._open:
                pending.queued = True
                self._points.put(pending)

        self._later(queue)
        return event

    def _withdraw(self, pending: Pending) -> bool:
        """Return True when the command is ours again: it was not queued yet, or the loop has not taken it."""
        return not pending.queued or self._points.withdraw(pending)

    def _move(self, pending: Pending, step: int | None, **change: Any) -> Event:
        pending.state = msgspec.structs.replace(pending.state, **change)
        return self._record_state(pending.state, step)

    def _finish(self, pending: Pending, step: int | None, **change: Any) -> Event:
        self._open.pop(pending.command.id, None)
        return self._move(pending, step, **change)

    def _record_state(self, base: CommandState, step: int | None, **change: Any) -> Event:
        event = self._record(msgspec.structs.replace(base, **change) if change else base, step)
        self._history.add(event, self._process, self._attempt)
        return event

    def _as_it_stands(self, record: CommandRecord, with_input: bool = False) -> Event:
        stage = record.track[-1]
        body = stage.body
        if stage.attempt != self._attempt and body.state in OPEN:
            body = msgspec.structs.replace(body, state=FAILED, message=RUN_ENDED)
        if with_input:
            body = msgspec.structs.replace(body, input=record.input)
        return Event(
            id=stage.event_id,
            kind="command",
            time=stage.time,
            step=stage.step,
            body=msgspec.to_builtins(body),
        )

    def _known_state(self, command_id: str) -> str:
        record = self._history.by_id(command_id, self._process)
        if record is None:
            return "unknown here"
        return "being applied" if record.latest.state in OPEN else record.latest.state


def fitting(state: CommandState) -> CommandState:
    """Return the state without values too large for a message, so that the state itself always fits."""
    event = Event(id=0, kind="command", time=0.0, body=msgspec.to_builtins(state))
    if sendable(event):
        return state
    gone = "left out: it is too large"
    return msgspec.structs.replace(
        state,
        ranks={},
        **{name: gone for name in ("input", "old", "new", "result") if getattr(state, name) is not None},
    )


def _expiry_problem(command: Command, step: int | None) -> str:
    if command.expires_in is not None and not command.expires_in > 0:
        return f"expires_in is {command.expires_in}, it must be more than 0 seconds"
    if command.expires_in is not None and not math.isfinite(command.expires_in):
        return f"expires_in is {command.expires_in}, it must be finite"
    if command.expires_step is not None and step is not None and step > command.expires_step:
        return f"expires_step is {command.expires_step}, the run is at step {step} already"
    return ""
