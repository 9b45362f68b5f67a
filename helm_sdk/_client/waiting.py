"""Sends one command and follows it to its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from helm_sdk.protocol.commands import APPLIED, CONFIRMED, FAILED, RECEIVED, REJECTED
from helm_sdk.protocol.history import CommandHistory, CommandRecord, Stage
from helm_sdk.protocol.messages import Command, Event
from helm_sdk.protocol.updates import (
    ENDED,
    KEY_REFUSED,
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RefusalUpdate,
    Update,
)

REFUSED: Final = "refused"
UNREACHABLE: Final = "unreachable"
TIMEOUT: Final = "timeout"

OnState = Callable[[CommandRecord, Stage], None]
_POLL_SECONDS: Final = 0.25
_ANSWER_SECONDS: Final = 0.3


class CommandClient(Protocol):
    """A run client, as far as one command goes."""

    @property
    def alive(self) -> bool:
        """Whether any process can be asked."""

    def send(self, command: Command, via: str = "") -> str:
        """Send a command; its id."""

    def routes(self, command_id: str) -> list[str]:
        """Return the processes that a command went to."""

    def poll(self, timeout_s: float = 0.0) -> list[Update]:
        """Return what has happened, in order."""


@dataclass
class Outcome:
    """How a command ended, over all processes that it went to.

    Attributes:
        state: One of the states of a command (`helm_sdk.protocol.commands.STATES`), or "refused" (a process
            would not serve the request), "unreachable" (no process answered) or "timeout" (it may still be
            applied later).
        message: One sentence where there is one to say.
        records: What became of it in each process.
    """

    state: str
    message: str = ""
    records: list[CommandRecord] = field(default_factory=list)

    @property
    def took_effect(self) -> bool:
        """Whether it was applied in every process that it went to."""
        return self.state in (APPLIED, CONFIRMED)


class Waiter:
    """Folds what comes back about one command."""

    def __init__(self, client: CommandClient, command: Command, on_state: OnState | None) -> None:
        self._client = client
        self._id = command.id
        self._on_state = on_state
        self._history = CommandHistory()
        self._refused: dict[str, str] = {}
        self._ended: set[str] = set()
        self._newest: dict[str, int] = {}
        self._answers: list[tuple[float, AnswerUpdate]] = []
        self._key_refused = ""

    def apply(self, update: Update) -> None:
        """Look at one update."""
        if isinstance(update, AnswerUpdate) and update.command_id == self._id:
            self._answers.append((time.monotonic(), update))
        elif isinstance(update, BatchUpdate):
            for event in update.batch.events:
                if event.kind == "command" and event.body.get("command_id") == self._id:
                    self._event(event, update.process, update.attempt)
        elif isinstance(update, RefusalUpdate) and update.command_id == self._id:
            self._refused[update.process] = update.message
        elif isinstance(update, FinishedUpdate | ProcessesUpdate):
            self._liveness(update)
        elif isinstance(update, LinkUpdate):
            if update.state == ENDED:
                self._ended.add(update.process)
            elif update.state == KEY_REFUSED:
                self._key_refused = update.text
            else:
                self._ended.discard(update.process)

    def _liveness(self, update: FinishedUpdate | ProcessesUpdate) -> None:
        """The last word of an older attempt says nothing of the one that took the command."""
        newest = self._newest[update.process] = max(update.attempt, self._newest.get(update.process, 0))
        if isinstance(update, FinishedUpdate) and update.attempt == newest:
            self._ended.add(update.process)
        elif isinstance(update, ProcessesUpdate):
            self._ended.discard(update.process)

    def is_done(self, until: frozenset[str] | None) -> bool:
        """Whether every process it went to has said its last; with `until`, one of these states is enough."""
        self._apply_answers(_ANSWER_SECONDS)
        routes = self._client.routes(self._id)
        if not routes:
            return bool(self._refused) or bool(self._key_refused)
        return all(self._is_over(process, until) for process in routes)

    def outcome(self, timed_out: bool) -> Outcome:
        """Return the notices to show."""
        self._apply_answers(0.0)
        records = self._history.each(self._id)
        for record in records:
            record.ended = record.open and record.process in self._ended
        if not records:
            if self._key_refused:
                return Outcome(UNREACHABLE, self._key_refused)
            if self._refused:
                dead = not self._client.alive
                return Outcome(UNREACHABLE if dead else REFUSED, next(iter(self._refused.values())))
            return Outcome(UNREACHABLE, "no process of the run answered in time")
        if timed_out and any(record.open for record in records):
            waiting = next(record for record in records if record.open)
            return Outcome(TIMEOUT, f"it is still {waiting.state} and may take effect later", records)
        worst = max(records, key=_badness)
        return Outcome(worst.state, worst.message, records)

    def _apply_answers(self, older_than: float) -> None:
        """An answer may overtake the batches with the states before it: it counts when these stay away."""
        due = [answer for at, answer in self._answers if time.monotonic() - at >= older_than]
        self._answers = [entry for entry in self._answers if entry[1] not in due]
        for answer in due:
            self._event(answer.event, answer.process, answer.attempt)

    def _event(self, event: Event, process: str, attempt: int) -> None:
        record = self._history.add(event, process, attempt)
        if record is not None and self._on_state is not None:
            stage = next(stage for stage in record.track if stage.event_id == event.id)
            self._on_state(record, stage)

    def _is_over(self, process: str, until: frozenset[str] | None) -> bool:
        record = self._history.by_id(self._id, process)
        if record is None:
            return process in self._refused or process in self._ended or bool(self._key_refused)
        return not record.open or process in self._ended or (until is not None and record.state in until)


def send_and_wait(
    client: CommandClient,
    command: Command,
    timeout: float,
    on_state: OnState | None = None,
    until: frozenset[str] | None = None,
    on_update: Callable[[Update], None] | None = None,
) -> Outcome:
    """Send and poll until the command is over, `until` is reached or the time is."""
    waiter = Waiter(client, command, on_state)
    client.send(command)
    deadline = time.monotonic() + timeout
    while not waiter.is_done(until):
        left = deadline - time.monotonic()
        if left <= 0:
            return waiter.outcome(timed_out=True)
        for update in client.poll(min(left, _POLL_SECONDS)):
            waiter.apply(update)
            if on_update is not None:
                on_update(update)
    return waiter.outcome(timed_out=False)


def _badness(record: CommandRecord) -> int:
    """Failed and rejected before the rest, done last."""
    order = (FAILED, REJECTED)
    if record.state in order:
        return 10 - order.index(record.state)
    return 5 if record.state not in ("applied", "confirmed", RECEIVED) else 0
