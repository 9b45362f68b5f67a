"""Finds the processes of a run: the files they write and where those that live answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from helm_sdk._client.address import Address
from helm_sdk.protocol.messages import LiveEntry

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class FoundFile:
    """A process file; its name says the attempt, the file itself says the process."""

    attempt: int
    path: Path


@dataclass(frozen=True)
class FoundProcess:
    """A process that lives and where it answers; without endpoints it can only be followed by its file."""

    entry: LiveEntry

    @property
    def address(self) -> Address | None:
        """Where it answers; None when it opened no sockets, or only on the loopback of another host."""
        from helm_sdk.record.host import host_name

        entry = self.entry
        if not entry.publish or not entry.request or not entry.public_key:
            return None
        if entry.host != host_name() and any(name in entry.publish for name in _LOOPBACK):
            return None
        return Address(entry.run_id, entry.publish, entry.request, entry.public_key, entry.process)

    @property
    def identity(self) -> tuple[object, ...]:
        """What changes when it has to be connected to anew."""
        entry = self.entry
        return (entry.attempt, entry.pid, entry.started, entry.publish, entry.request, entry.public_key)


class Discovery:
    """Looks into one run folder and the index of live processes beside it."""

    def __init__(self, folder: Path, run_id: str, home: Path | None) -> None:
        self._folder = folder
        self._run_id = run_id
        self._home = home  # None: a copy, whose processes do not live here

    def files(self, known: set[Path]) -> list[FoundFile]:
        """Process files that are not known yet, the oldest attempt first."""
        from helm_sdk.record.layout import parse_process_file

        found = []
        try:
            paths = [path for path in self._folder.iterdir() if path not in known]
        except OSError:
            return []
        for path in paths:
            parsed = parse_process_file(path.name)
            if parsed is not None:
                found.append(FoundFile(parsed[0], path))
        return sorted(found, key=lambda file: (file.attempt, file.path.name))

    def living(self) -> dict[str, FoundProcess]:
        """Return the processes that live now, by name. Those known to be dead are left out."""
        from helm_sdk.record.host import process_gone
        from helm_sdk.record.live import live_entries

        entries = [] if self._home is None else live_entries(self._home, self._run_id)
        return {entry.process: FoundProcess(entry) for entry in entries if not process_gone(entry)}
