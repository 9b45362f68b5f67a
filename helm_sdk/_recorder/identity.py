"""Where and as whom a process records, and how it says that it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from helm_sdk.keys import Keys
from helm_sdk.protocol.messages import Event, ProcessRecord, RunRecord


@dataclass(frozen=True)
class RecorderIdentity:
    """Where and as whom a process records."""

    home: Path
    folder: Path
    run: RunRecord
    process: ProcessRecord
    keys: Keys | None = None  # None: no sockets
    earlier: tuple[tuple[int, int], ...] = ()  # (attempt, last number) of this process's earlier files
    earlier_commands: tuple[tuple[int, Event], ...] = ()


@dataclass(frozen=True)
class RunEnding:
    """How a process says that it ended."""

    outcome: str = "finished"
    message: str = ""
    exit_status: int | None = None
    patience: float = 30.0
