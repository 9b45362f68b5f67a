"""The identity of a recording process, and its ending."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from helm_sdk.keys import Keys
from helm_sdk.protocol.messages import Event, ProcessRecord, RunRecord


@dataclass(frozen=True)
class RecorderIdentity:
    """The folder, run and process under which a process records."""

    home: Path
    folder: Path
    run: RunRecord
    process: ProcessRecord
    keys: Keys | None = None  # None: without sockets
    earlier: tuple[tuple[int, int], ...] = ()  # (attempt, last number) of this process's earlier files
    earlier_commands: tuple[tuple[int, Event], ...] = ()


@dataclass(frozen=True)
class RunEnding:
    """The outcome of a process's part of a run."""

    outcome: str = "finished"  # or "interrupted", "failed"
    message: str = ""
    exit_status: int | None = None
    timeout: float = 30.0  # seconds that a disk that works has to store what is left
