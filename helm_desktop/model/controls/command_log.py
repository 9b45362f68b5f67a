"""The commands to the controls of a run, as the run recorded them and as the end of the run leaves them."""

from __future__ import annotations

from typing import Any

from helm_sdk.protocol.commands import AWAITING_APPROVAL
from helm_sdk.protocol.history import CommandHistory, CommandRecord, CurrentValue
from helm_sdk.protocol.messages import Capability, Command, Event


class CommandLog:
    """Folds command events. What was open when its run or its attempt ended counts as failed."""

    def __init__(self) -> None:
        self.history = CommandHistory()  # as recorded
        self._ended = False
        self._closed: CommandHistory | None = None  # the same with what can no longer happen closed

    def declare(self, capability: Capability, process: str) -> None:
        """Store what a control started with."""
        self.history.declare(capability, process)
        self._closed = None

    def add(self, event: Event, process: str, attempt: int) -> CommandRecord | None:
        """Fold an event in; the command that it changed, None where it changed none."""
        record = self.history.add(event, process, attempt)
        if record is not None:
            self._closed = None
        return record

    def begin_attempt(self, process: str, attempt: int) -> None:
        """Let a process start again: values given to it before no longer hold."""
        self.history.begin(process, attempt)
        self._closed = None

    def set_ended(self, ended: bool) -> None:
        """Set whether the run has ended."""
        self._ended = ended
        self._closed = None

    def of(self, name: str) -> list[CommandRecord]:
        """Return every command to a control, newest first."""
        return self._view().of(name)[::-1]

    def waiting(self, name: str) -> CommandRecord | None:
        """Return the newest command to a control that may still take effect."""
        return next((record for record in self.of(name) if record.open), None)

    def awaiting_approval(self) -> list[CommandRecord]:
        """Return the commands that wait for approval, oldest first."""
        return [record for record in self._view().open() if record.state == AWAITING_APPROVAL]

    def current(self, capability: Capability) -> CurrentValue:
        """Return what a control is set to."""
        return self._view().current(capability)

    def knows(self, command_id: str) -> bool:
        """Return whether a process has recorded this command."""
        return bool(self.history.each(command_id))

    def inputs_before(self, change: CommandRecord) -> list[Any]:
        """Return what was applied to the control of a change before it, newest first."""
        applied = change.applied
        return [
            record.input
            for record in self.of(change.capability)
            if applied is not None
            and record.id != change.id
            and record.applied is not None
            and record.applied.time <= applied.time
        ]

    def again(self, record: CommandRecord) -> Command:
        """Return the same command without an id: to all processes where it went to several."""
        several = len(self.history.each(record.id)) > 1
        return Command(
            id="",
            capability=record.capability,
            input=record.input,
            reason=record.reason,
            process="all" if several else record.process,
        )

    def _view(self) -> CommandHistory:
        if self._closed is None:
            self._closed = self.history.ended(self._ended)
        return self._closed
