"""The process's entry in the index of live processes, rewritten with each heartbeat time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import msgspec

from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk.protocol.messages import LiveEntry, ProcessRecord
from helm_sdk.record.errors import RecordError
from helm_sdk.record.host import this_process
from helm_sdk.record.live import remove_live_entry, write_live_entry

REFRESH_SECONDS = 5.0


def process_record(run_id: str, process: str, role: str, attempt: int, opened: float) -> ProcessRecord:
    """Return the record of this process, by which readers can tell later whether it still lives."""
    return ProcessRecord(
        run_id=run_id,
        process=process,
        role=role,
        attempt=attempt,
        opened=opened,
        **asdict(this_process()),
    )


def live_entry(place: RecorderIdentity, publish: str, request: str) -> LiveEntry:
    """Return the index entry of a process; its endpoints are empty when it has no sockets."""
    record = place.process
    return LiveEntry(
        run_id=place.run.run_id,
        project=place.run.project,
        process=record.process,
        role=record.role,
        attempt=record.attempt,
        folder=str(place.folder),
        pid=record.pid,
        started=record.started,
        start_ticks=record.start_ticks,
        host=record.host,
        boot_id=record.boot_id,
        pid_namespace=record.pid_namespace,
        publish=publish,
        request=request,
        public_key=place.keys.public if place.keys and request else "",
    )


class LiveFile:
    """The index entry of this process."""

    def __init__(self, home: Path, entry: LiveEntry) -> None:
        self._home = home
        self._entry = entry

    def write(self, heartbeat: float) -> None:
        """Write the entry with this heartbeat time (unix seconds); ignore an error until the next time."""
        self._entry = msgspec.structs.replace(self._entry, heartbeat=heartbeat)
        with suppress(RecordError):
            write_live_entry(self._home, self._entry)

    def remove(self) -> None:
        """Remove the entry at a clean exit."""
        with suppress(RecordError):
            remove_live_entry(self._home, self._entry.run_id, self._entry.process)
