"""Folders and files that other users of the machine cannot read, from their first byte on.

HELM_RUN_GROUP=1 lets the user's group read and write them too.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def shares_with_group() -> bool:
    """Return True when HELM_RUN_GROUP asks for files that the group can read and write."""
    return os.environ.get("HELM_RUN_GROUP", "").strip().lower() in ("1", "true", "yes", "on")


def folder_mode() -> int:
    """Return the permissions of new folders."""
    return 0o770 if shares_with_group() else 0o700


def file_mode() -> int:
    """Return the permissions of new files."""
    return 0o660 if shares_with_group() else 0o600


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, all of them private. Raises OSError."""
    missing = []
    at = path
    while not at.exists() and at != at.parent:
        missing.append(at)
        at = at.parent
    for one in reversed(missing):
        with suppress(FileExistsError):
            os.mkdir(one, folder_mode())
    path.mkdir(exist_ok=True)  # raises where something else has the name


def opener(path: str, flags: int) -> int:
    """Open a file with private permissions: for `open(…, opener=opener)`."""
    return os.open(path, flags, file_mode())


def touch(path: Path) -> None:
    """Make an empty private file where there is none, before a library opens it. Raises OSError."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), file_mode()))


def is_own_folder(path: Path) -> bool:
    """Return True for a folder of this user, no link, that others can neither read nor write.

    An own folder that is open to others, as an older version made it, is closed to them first.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True  # Windows: the temporary folder is the user's own
    if found.st_uid != os.getuid():
        return False
    if found.st_mode & 0o077:
        with suppress(OSError):
            os.chmod(path, 0o700)
            found = os.lstat(path)
    return not found.st_mode & 0o077
