"""Read and change user.json: what people change about a run, from several programs at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from helm_sdk.protocol.messages import UserRecord
from helm_sdk.record import layout
from helm_sdk.record.errors import DamagedFile, ReadOnly
from helm_sdk.record.json_file import read_plain, write_plain
from helm_sdk.record.lock import FileLock

_WAIT_SECONDS: Final = 5.0
_FIELDS: Final = frozenset(field.name for field in msgspec.structs.fields(UserRecord))


def read_user(folder: Path) -> UserRecord:
    """Return what people have changed so far; raises DamagedFile when the file cannot be read."""
    return _record(folder, read_plain(folder / layout.USER_FILE) or {})


def change_user(folder: Path, change: Callable[[UserRecord], UserRecord]) -> UserRecord:
    """Change user.json under a lock, so that two programs do not overwrite each other's changes.

    Fields of a newer version stay. Raises ReadOnly, DiskFull or DamagedFile; then nothing has changed.
    """
    path = folder / layout.USER_FILE
    try:
        lock = FileLock(layout.lock_file(path), "another program", wait_s=_WAIT_SECONDS)
    except ReadOnly:
        raise ReadOnly(f"the run's folder {folder} may not be written") from None
    with lock:
        plain = read_plain(path) or {}
        changed = change(_record(folder, plain))
        unknown = {name: value for name, value in plain.items() if name not in _FIELDS}
        write_plain(path, {**unknown, **msgspec.to_builtins(changed)})
    return changed


def set_user(folder: Path, **fields: Any) -> UserRecord:
    """Set some fields and leave the others as they are."""
    return change_user(folder, lambda user: msgspec.structs.replace(user, **fields))


def set_step_note(folder: Path, step: int, text: str) -> UserRecord:
    """Set the note on a step; an empty text removes it."""

    def change(user: UserRecord) -> UserRecord:
        notes = {key: note for key, note in user.step_notes.items() if key != str(step)}
        return msgspec.structs.replace(user, step_notes={**notes, str(step): text} if text else notes)

    return change_user(folder, change)


def step_notes(user: UserRecord) -> dict[int, str]:
    """Return the notes by step, in order; keys that are no step are left out."""
    found = {}
    for key, text in user.step_notes.items():
        with suppress(ValueError):
            found[int(key)] = text
    return dict(sorted(found.items()))


def _record(folder: Path, plain: dict[str, Any]) -> UserRecord:
    try:
        return msgspec.convert(plain, UserRecord)
    except msgspec.ValidationError as error:
        raise DamagedFile(f"{folder / layout.USER_FILE} does not fit: {error}") from None
