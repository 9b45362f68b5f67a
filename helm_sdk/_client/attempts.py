"""The attempts of one process: what has been delivered of each, and where its history comes from."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from helm_sdk._client.files import HistoryFile
from helm_sdk._client.losses import Losses
from helm_sdk._client.sequence import BatchSequence
from helm_sdk.protocol.messages import Batch, Finished, ProcessRecord
from helm_sdk.protocol.updates import BatchUpdate, FinishedUpdate, ProcessesUpdate, Update

GIVE_UP_SECONDS = 5.0


@dataclass
class Attempt:
    """One attempt: its line, its file if there is one, and its last word once that is known."""

    line: BatchSequence
    file: HistoryFile | None = None
    finished: Finished | None = None
    told: bool = False  # the last word has been delivered
    moved: float = 0.0  # monotonic time of the last progress
    wanted: bool = True  # False: an older attempt that this reader did not ask for


@dataclass
class Attempts:
    """Every attempt of one process, delivered in order within each, the newest first."""

    process: str
    updates: list[Update]
    history: bool = True
    buffer_bytes: int = 8 << 20
    clock: Callable[[], float] = time.monotonic
    since: Mapping[int, int] = field(default_factory=dict)  # attempt: what the reader has had before
    declared: set[str] = field(default_factory=set)  # the controls of the newest attempt
    _attempts: dict[int, Attempt] = field(default_factory=dict)

    @property
    def newest(self) -> int:
        """The number of the newest attempt; 0 before any is known."""
        return max(self._attempts, default=0)

    def get(self, number: int) -> Attempt | None:
        """Return the attempt of that number, if it is known."""
        return self._attempts.get(number)

    def all(self) -> list[Attempt]:
        """Return every attempt, the newest first."""
        return [self._attempts[number] for number in sorted(self._attempts, reverse=True)]

    @property
    def caught_up(self) -> bool:
        """Whether all that is known to exist has been delivered."""
        return not any(attempt.wanted and attempt.line.behind for attempt in self._attempts.values())

    def meet(self, number: int, role: str = "", live: bool = False) -> Attempt:
        """Return the attempt of that number, with an update when it is new."""
        attempt = self._attempts.get(number)
        if attempt is None:
            had = self.since.get(number, 0)
            line = BatchSequence(self.process, number, have=had, buffer_bytes=self.buffer_bytes)
            attempt = Attempt(line, moved=self.clock(), wanted=self.history or number >= self.newest)
            self._attempts[number] = attempt
            self.updates.append(ProcessesUpdate(self.process, number, role, live))
        return attempt

    def add_file(self, number: int, file: HistoryFile, record: ProcessRecord) -> None:
        """A process file has been found."""
        known = self._attempts.get(number)
        attempt = self.meet(number, record.role)
        attempt.file = file
        if not self.history and known is None:
            attempt.line.skip(file.last_seq())
        self.check_file(number)

    def check_file(self, number: int) -> None:
        """See how far the file of an attempt reaches, and whether it has ended."""
        attempt = self._attempts.get(number)
        if attempt is None or attempt.file is None or attempt.told or not attempt.wanted:
            return
        record = attempt.file.record()
        if record is not None:
            attempt.line.exists(attempt.file.last_seq())
            if record.outcome and attempt.finished is None:
                attempt.finished = finished_of(record, attempt.line.target)
        self.finish_if_complete(attempt)

    def deliver(self, attempt: Attempt, batches: list[Batch], history: bool) -> None:
        """Hand batches on that are in order now."""
        line = attempt.line
        for batch in batches:
            if line.attempt == self.newest:
                self.learn(batch.catalogues)
            self.updates.append(BatchUpdate(self.process, line.attempt, batch, history))
        if batches:
            attempt.moved = self.clock()
        self.finish_if_complete(attempt)

    def learn(self, catalogues: Any) -> None:
        """Remember which controls the process declares, so that commands find it."""
        for catalogue in catalogues:
            if catalogue.kind == "capabilities" and isinstance(catalogue.body, list):
                self.declared = set(_names(catalogue.body))

    def read_file(self, until: float) -> bool:
        """Read what is missing from files until a time; whether there is more to read at once."""
        for attempt in self.all():
            while attempt.wanted and attempt.line.behind and attempt.file is not None and attempt.file.ready:
                batches = attempt.file.page(*attempt.line.missing_range)
                if not batches:
                    break
                for batch in batches:
                    self.deliver(attempt, attempt.line.history(batch), True)
                if self.clock() >= until:
                    return True
        return False

    def finish_if_complete(self, attempt: Attempt) -> None:
        """Tell the last word once everything before it has been delivered, or will not come any more."""
        if attempt.finished is None or attempt.told or not attempt.wanted:
            return
        if attempt.line.behind:
            if self.clock() - attempt.moved < GIVE_UP_SECONDS:
                return
            for batch in attempt.line.skip_missing():
                self.updates.append(BatchUpdate(self.process, attempt.line.attempt, batch, False))
        attempt.told = True
        self.updates.append(FinishedUpdate(self.process, attempt.line.attempt, attempt.finished))

    def losses(self) -> Losses:
        """Return what was lost of all attempts."""
        total = Losses()
        for attempt in self._attempts.values():
            total.add(attempt.line.losses)
        return total

    def close(self) -> None:
        """Close every file."""
        for attempt in self._attempts.values():
            if attempt.file is not None:
                attempt.file.close()


def finished_of(record: ProcessRecord, last_seq: int) -> Finished:
    """Return the last event of a process from its file."""
    return Finished(
        process=record.process,
        attempt=record.attempt,
        last_seq=last_seq,
        time=record.ended or record.opened,
        outcome=record.outcome,
        message=record.message,
        exit_status=record.exit_status,
    )


def _names(states: list[Any]) -> list[str]:
    found = []
    for state in states:
        capability = state.get("capability") if isinstance(state, dict) else None
        name = capability.get("name") if isinstance(capability, dict) else None
        if isinstance(name, str):
            found.append(name)
    return found
