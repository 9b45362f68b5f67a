"""Commands that were sent from here and that the run has not recorded yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from helm_sdk.protocol.messages import Command


@dataclass(frozen=True)
class SentCommand:
    """A command on its way to the run."""

    command: Command
    refused: str = ""  # why it could not be received, in one sentence


class SentCommands:
    """The last command sent to each control."""

    def __init__(self) -> None:
        self._sent: dict[str, SentCommand] = {}  # by control

    def add(self, command: Command) -> None:
        """Store a command as it leaves, in place of an earlier one to its control."""
        self._sent[command.capability] = SentCommand(command)

    def refuse(self, command_id: str, sentence: str) -> str:
        """Store why a command could not be received; its control, empty where nothing is known of it."""
        for name, sent in self._sent.items():
            if sent.command.id == command_id:
                self._sent[name] = replace(sent, refused=sentence)
                return name
        return ""

    def remove(self, name: str) -> None:
        """Forget the command to a control: the run has recorded it."""
        self._sent.pop(name, None)

    def of(self, name: str) -> SentCommand | None:
        """Return the command to a control that is on its way."""
        return self._sent.get(name)
