"""Folders and file names of runs, keys and the index of live processes."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tempfile
import time
from pathlib import Path
from typing import Final

import platformdirs

from helm_sdk.record.private import is_own_folder

APPLICATION: Final = "helm-desktop"
RUN_FILE: Final = "run.json"
USER_FILE: Final = "user.json"
SUFFIX: Final = ".helm"

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_PROCESS_FILE = re.compile(r"^a(\d+)-(.+)\.helm$")
_LONGEST_NAME = 80


def home() -> Path:
    """Return the folder of all runs: HELM_RUN_HOME, else the user's data folder."""
    chosen = os.environ.get("HELM_RUN_HOME")
    try:
        return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir(APPLICATION, False))
    except (RuntimeError, KeyError):  # no HOME, and no entry for this user
        return fallback_home()


def fallback_home() -> Path:
    """Return the home that is used when the chosen one cannot be written."""
    user = str(os.getuid()) if hasattr(os, "getuid") else safe_name(os.environ.get("USERNAME", "user"))
    return Path(tempfile.gettempdir()) / f"helm-{user}"


def homes(first: Path | None = None) -> list[Path]:
    """Return the homes to look for runs in: `first` or the chosen one, then the fallback if it exists."""
    chosen = first if first is not None else home()
    fallback = fallback_home()
    return [chosen, fallback] if fallback != chosen and is_own_folder(fallback) else [chosen]


def config_home() -> Path:
    """Return the folder of keys and settings: HELM_CONFIG_HOME, else the user's configuration folder."""
    chosen = os.environ.get("HELM_CONFIG_HOME")
    try:
        return Path(chosen).expanduser() if chosen else Path(platformdirs.user_config_dir(APPLICATION, False))
    except (RuntimeError, KeyError):
        return fallback_home() / "config"


def runs_folder(home: Path) -> Path:
    """Return the folder that holds a folder per project."""
    return home / "runs"


def run_folder(home: Path, project: str, run_id: str) -> Path:
    """Return the folder of one run."""
    return runs_folder(home) / safe_name(project) / safe_name(run_id)


def live_folder(home: Path) -> Path:
    """Return the index of live processes."""
    return home / "live"


def live_file(home: Path, run_id: str, process: str) -> Path:
    """Return the index entry of one process."""
    return live_folder(home) / f"{safe_name(run_id)}-{safe_name(process)}.json"


def process_file(folder: Path, attempt: int, process: str) -> Path:
    """Return the file that one process writes during one attempt."""
    return folder / f"a{attempt}-{safe_name(process)}{SUFFIX}"


def lock_file(path: Path) -> Path:
    """Return the lock beside a file."""
    return path.with_name(f".{path.name}.lock")


def parse_process_file(name: str) -> tuple[int, str] | None:
    """Return (attempt, safe process name) from a process file's name; None for another file."""
    match = _PROCESS_FILE.match(name)
    return (int(match[1]), match[2]) if match else None


def spill_file(process_file: Path, number: int) -> Path:
    """Return the file beside a process file in which batches from this number on wait to be stored."""
    return process_file.with_suffix(f".spill-{number}")


def parse_spill_file(name: str, process_file: Path) -> int | None:
    """Return the number in the name of a spill file of this process file; None for another file."""
    head = f"{process_file.stem}.spill-"
    number = name.removeprefix(head)
    return int(number) if number != name and number.isdecimal() else None


def safe_name(text: str) -> str:
    """Return a file name for any text; different texts get different names."""
    safe = _UNSAFE.sub("-", text).strip("-. ")
    if safe and safe == text and len(safe) <= _LONGEST_NAME and not _RESERVED.match(safe):
        return safe
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    kept = safe[: _LONGEST_NAME - 7].strip("-. ")
    return f"{kept}-{mark}" if kept and not _RESERVED.match(kept) else f"x{kept}-{mark}"


def new_run_id(now: float | None = None) -> str:
    """Return a new id: `<yyyymmdd-hhmmss>-<6 hex>` in UTC. `now`: unix seconds, None for the present."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    return f"{stamp}-{secrets.token_hex(3)}"
