"""The commands that this app sent and that the run has not recorded yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from helm_sdk.protocol.messages import Command


@dataclass(frozen=True)
class SentCommand:
    """A command that was sent, and why it was refused."""

    command: Command
    refused: str = ""  # why it was not received, in one sentence


class SentCommands:
    """The last command sent to each control."""

    def __init__(self) -> None:
        self._sent: dict[str, SentCommand] = {}  # by control

    def add(self, command: Command) -> None:
        """Store a command that is sent, in place of an earlier one to the same control."""
        self._sent[command.capability] = SentCommand(command)

    def refuse(self, command_id: str, sentence: str) -> str:
        """Store why a command was not received; return its control, empty for an unknown command."""
        for name, sent in self._sent.items():
            if sent.command.id == command_id:
                self._sent[name] = replace(sent, refused=sentence)
                return name
        return ""

    def remove(self, name: str) -> None:
        """Forget the command to a control: the run has recorded it."""
        self._sent.pop(name, None)

    def of(self, name: str) -> SentCommand | None:
        """Return the command to a control that is not recorded yet, or None."""
        return self._sent.get(name)
