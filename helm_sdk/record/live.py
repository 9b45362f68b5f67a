"""The index of live processes: one small file each, rewritten every few seconds, removed at a clean exit."""

from __future__ import annotations

from pathlib import Path

from helm_sdk.protocol.messages import LiveEntry
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError, from_os
from helm_sdk.record.json_file import read_message, write_message


def write_live_entry(home: Path, entry: LiveEntry) -> Path:
    """Write the entry of a process, and return its path."""
    path = layout.live_file(home, entry.run_id, entry.process)
    write_message(path, entry, sync=False)
    return path


def remove_live_entry(home: Path, run_id: str, process: str) -> None:
    """Remove the entry of a process."""
    path = layout.live_file(home, run_id, process)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise from_os(error, path) from None


def live_entries(home: Path, run_id: str | None = None) -> list[LiveEntry]:
    """Return all entries, or those of one run; files that cannot be read are left out."""
    start = f"{layout.safe_name(run_id)}-" if run_id is not None else ""
    try:
        paths = sorted(layout.live_folder(home).glob(f"{start}*.json"))
    except OSError:
        return []
    entries = []
    for path in paths:
        if path.name.startswith("."):
            continue
        try:
            entry = read_message(path, LiveEntry)
        except RecordError:
            continue
        if entry is not None and run_id in (None, entry.run_id):
            entries.append(entry)
    return entries
