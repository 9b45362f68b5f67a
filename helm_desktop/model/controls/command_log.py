"""The commands to the controls of a run, as the run recorded them, and what became of them at its end."""

from __future__ import annotations

from typing import Any

from helm_sdk.protocol.commands import AWAITING_APPROVAL
from helm_sdk.protocol.history import CommandHistory, CommandRecord, CurrentValue
from helm_sdk.protocol.messages import Capability, Command, Event


class CommandLog:
    """The commands by their events. One that was open when its run or attempt ended counts as failed."""

    def __init__(self) -> None:
        self.history = CommandHistory()  # as the run recorded it
        self._ended = False
        self._closed: CommandHistory | None = (
            None  # the same with commands closed that can no longer take effect
        )

    def declare(self, capability: Capability, process: str) -> None:
        """Store the value that a control started with."""
        self.history.declare(capability, process)
        self._closed = None

    def add(self, event: Event, process: str, attempt: int) -> CommandRecord | None:
        """Apply a command event; return the command that it changed, or None."""
        record = self.history.add(event, process, attempt)
        if record is not None:
            self._closed = None
        return record

    def begin_attempt(self, process: str, attempt: int) -> None:
        """Begin the next attempt of a process: values that were set in it before no longer hold."""
        self.history.begin(process, attempt)
        self._closed = None

    def set_ended(self, ended: bool) -> None:
        """Set whether the run has ended."""
        self._ended = ended
        self._closed = None

    def of(self, name: str) -> list[CommandRecord]:
        """Return all commands to a control, newest first."""
        return self._view().of(name)[::-1]

    def waiting(self, name: str) -> CommandRecord | None:
        """Return the newest command to a control that may still take effect, or None."""
        return next((record for record in self.of(name) if record.open), None)

    def awaiting_approval(self) -> list[CommandRecord]:
        """Return the commands that wait for approval, oldest first."""
        return [record for record in self._view().open() if record.state == AWAITING_APPROVAL]

    def current(self, capability: Capability) -> CurrentValue:
        """Return the value that a control is set to."""
        return self._view().current(capability)

    def knows(self, command_id: str) -> bool:
        """Return True when a process has recorded this command."""
        return bool(self.history.each(command_id))

    def inputs_before(self, change: CommandRecord) -> list[Any]:
        """Return the inputs that were applied to the same control before a change, newest first."""
        applied = change.applied
        return [
            record.input
            for record in self.of(change.capability)
            if applied is not None
            and record.id != change.id
            and record.applied is not None
            and record.applied.time <= applied.time
        ]

    def copy_of(self, record: CommandRecord) -> Command:
        """Return a copy of a command without an id; to all processes where it went to several."""
        to_several = len(self.history.each(record.id)) > 1
        return Command(
            id="",
            capability=record.capability,
            input=record.input,
            reason=record.reason,
            process="all" if to_several else record.process,
        )

    def _view(self) -> CommandHistory:
        if self._closed is None:
            self._closed = self.history.ended(self._ended)
        return self._closed
