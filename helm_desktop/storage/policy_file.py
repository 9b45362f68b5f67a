"""The policy file as the storage thread read it last: whoever judges by it never waits for a disk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from helm_desktop.storage.storage_thread import Storage
from helm_sdk.policy import Policy, PolicyError
from helm_sdk.policy.file import PolicyFile
from helm_sdk.record.json_file import write_plain


@dataclass(frozen=True)
class _Reading:
    """What `PolicyFile` said at one moment. `broken`: there never was a policy to go by."""

    policy: Policy | None = None
    problem: str = ""
    broken: str = ""


class CachedPolicyFile(QObject):
    """A `PolicySource` whose `current` touches no file. `look` has the file read where it has changed."""

    changed = Signal()  # it was read for the first time, or says something else than before

    def __init__(self, path: Path, storage: Storage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._storage = storage
        self._file = PolicyFile(path)  # used on the storage thread alone
        self._reading: _Reading | None = None
        self._looking = False
        self.problem = ""  # what is wrong with the file as it is now; the last good one still holds

    def current(self) -> Policy | None:
        """Return the policy as it was read last. Raises PolicyError where there never was one to go by."""
        reading = self._reading or _Reading()
        if reading.broken:
            raise PolicyError(reading.broken)
        return reading.policy

    def check(self) -> None:
        """Have the file looked at, unless that is under way."""
        if not self._looking:
            self._looking = True
            self._storage.run(partial(_read, self._file), self._apply, self._not_read)

    def _apply(self, reading: _Reading) -> None:
        self._looking = False
        before, self._reading, self.problem = self._reading, reading, reading.problem
        if before != reading:
            self.changed.emit()

    def _not_read(self, error: Exception) -> None:
        self._apply(_Reading(problem=str(error), broken=str(error)))


def _read(file: PolicyFile) -> _Reading:
    try:
        policy = file.current()
    except PolicyError as error:
        return _Reading(None, file.problem, str(error))
    return _Reading(policy, file.problem)


def write_policy(path: Path, policy: Policy) -> Policy:
    """Replace the policy file; the policy. Raises a RecordError."""
    write_plain(path, msgspec.to_builtins(policy))
    return policy
