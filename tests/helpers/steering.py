"""A run of this process and a client of it over real sockets: commands are sent, their life is followed."""

from __future__ import annotations

import time
import uuid
from types import TracebackType
from typing import Any

from helm_sdk._run.run import Run
from helm_sdk.client import AnswerUpdate, BatchUpdate, RefusalUpdate, RunClient
from helm_sdk.keys import load_keys
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Catalogue, Command, Event
from helm_sdk.record.run import RunFolder

PATIENCE_S = 20.0


class Line:
    """The wire to one run. Everything waits for what it asks for, never for time to pass."""

    def __init__(self, run: Run) -> None:
        assert run.folder is not None
        self.run = run
        self.client = RunClient(RunFolder(run.folder), keys=load_keys(), via="test")
        self.history = CommandHistory()
        self.catalogues: dict[str, Catalogue] = {}
        self.events: list[Event] = []
        self.points: dict[str, list[tuple[int, float]]] = {}
        self._names: dict[int, str] = {}

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()

    def send(self, capability: str, value: Any = None, *, queued: bool = True) -> str:
        """Send, and wait until the run has written how it stands; the command's id.

        queued: wait also until the loop could take it; not for a loop that goes on by itself meanwhile.
        """
        command = Command(id=str(uuid.uuid4()), capability=capability, input=value)
        self.client.send(command)
        self.wait(
            lambda: (record := self.history.by_id(command.id)) is not None and record.state != "received"
        )
        if queued and self.record(command.id).state == "waiting":
            assert self.run.trainer_port.wait(
                TRAINER_SAFE_POINT, PATIENCE_S
            )  # on disk first, then handed to the loop
        return command.id

    def record(self, command_id: str) -> CommandRecord:
        """What is known of a command now."""
        record = self.history.by_id(command_id)
        assert record is not None
        return record

    def until(self, command_id: str, *states: str) -> CommandRecord:
        """Wait until a command has come to one of these states."""
        self.wait(lambda: self.record(command_id).state in states)
        return self.record(command_id)

    def settle(self) -> None:
        """Wait until everything logged so far has come."""
        mark = str(uuid.uuid4())
        self.run.flush()
        self.run.trainer_port.event("note", None, {"mark": mark})
        self.wait(lambda: any(event.body.get("mark") == mark for event in self.events))

    def wait(self, condition: Any) -> None:
        """Follow the run until the condition holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, "the run did not do what was waited for"
            for update in self.client.poll(0.2):
                if isinstance(update, BatchUpdate):
                    self._take(update)
                elif isinstance(update, RefusalUpdate):
                    raise AssertionError(update.message)
                else:
                    assert not isinstance(update, AnswerUpdate) or update.event.kind == "command"

    def _take(self, update: BatchUpdate) -> None:
        batch = update.batch
        self._names.update({stream.id: stream.name for stream in batch.streams})
        for group in batch.groups:
            steps, values = memoryview(group.steps).cast("q"), memoryview(group.values).cast("d")
            for place, stream in enumerate(group.streams):
                kept = self.points.setdefault(self._names[stream], [])
                rows = range(group.rows)
                kept.extend((steps[row], values[place * group.rows + row]) for row in rows)
        for event in batch.events:
            self.events.append(event)
            self.history.add(event, update.process, update.attempt)
        self.catalogues.update({catalogue.kind: catalogue for catalogue in batch.catalogues})
