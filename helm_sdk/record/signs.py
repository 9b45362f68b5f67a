"""The state of a process from its files: its outcome, whether it lives, and when a file last changed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

from helm_sdk.protocol.messages import LiveEntry, ProcessRecord
from helm_sdk.protocol.peer import LOST_AFTER_SECONDS, LifeSigns, RunState, derive_state
from helm_sdk.record.host import process_gone, rebooted_since

_ENDS = {state.value: state for state in RunState if state.ended}


class LastChanges:
    """How long ago things last changed: by the system clock at first, later by the monotonic clock."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[object, float]] = {}

    def of(self, key: str, mark: object, wall_time: float) -> float:
        """Return the seconds since the mark of a key last changed; `wall_time`: when, for a new key."""
        now = time.monotonic()
        known = self._seen.get(key)
        if known is None:
            self._seen[key] = (mark, now - max(0.0, time.time() - wall_time))
        elif known[0] != mark:
            self._seen[key] = (mark, now)
        return now - self._seen[key][1]

    def of_files(self, paths: Iterable[Path]) -> float | None:
        """Return the seconds since one of these files last changed; None when none exists."""
        ages = []
        for path in paths:
            try:
                stat = os.stat(path)
            except OSError:
                continue
            ages.append(self.of(str(path), (stat.st_size, stat.st_mtime_ns), stat.st_mtime))
        return min(ages, default=None)


def log_of(path: Path) -> Path:
    """Return the write-ahead log beside a process file."""
    return path.with_name(path.name + "-wal")


def process_state(
    record: ProcessRecord, path: Path, entry: LiveEntry | None, ages: LastChanges
) -> tuple[RunState, float | None]:
    """Return (state, seconds since its last sign of life) of a process in one attempt.

    The seconds are None when there is no file and no heartbeat.
    """
    file_age = ages.of_files([path, log_of(path)])
    if record.outcome:
        return _ENDS.get(record.outcome, RunState.FINISHED), file_age
    if entry is not None and (entry.attempt != record.attempt or _is_copy(entry, path.parent)):
        entry = None
    heartbeat_age = None
    if entry is not None and entry.heartbeat:
        heartbeat_age = ages.of(f"heartbeat {path}", entry.heartbeat, entry.heartbeat)
    age = min((age for age in (file_age, heartbeat_age) if age is not None), default=None)
    gone = process_gone(record)
    if gone is None and rebooted_since(record) and (age is None or age > LOST_AFTER_SECONDS):
        gone = True
    signs = LifeSigns(process_gone=gone, heartbeat_age=heartbeat_age, points_age=file_age, file_age=file_age)
    return derive_state(signs), age


def state_text(state: RunState, record: ProcessRecord, step: int | None, age: float | None) -> str:
    """Return the state as text: "killed at step 240", "failed: ValueError: …", "lost: nothing for 40 s"."""
    if state is RunState.KILLED:
        return f"killed at step {step}" if step is not None else "killed before its first step"
    if state in (RunState.FAILED, RunState.INTERRUPTED):
        message = f"{state.value}: {record.message}" if record.message else state.value
        if state is RunState.FAILED and not record.message and record.exit_status is not None:
            message = f"failed: exit status {record.exit_status}"
        return message
    if state in (RunState.LOST, RunState.QUIET) and age is not None:
        return f"{state.value}: nothing for {_duration(age)}"
    return state.value


def _is_copy(entry: LiveEntry, folder: Path) -> bool:
    """Return True when the index entry is of another folder, of which this one is a copy."""
    try:
        return not os.path.samefile(entry.folder, folder)
    except OSError:
        return False  # the same folder may have another name in a container


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"
