"""The folder of one run: its record, what people changed, its process files, and its state."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from helm_sdk.protocol.messages import LiveEntry, RunRecord, UserRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.record import layout
from helm_sdk.record.errors import DamagedFile, NotBegun, RecordError
from helm_sdk.record.json_file import read_message, write_message
from helm_sdk.record.live import live_entries
from helm_sdk.record.overview import Overview, read_overview
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.signs import LastChanges, log_of, process_state, state_text
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.user import read_user, step_notes

MAIN_PROCESS = "rank-0"
_CLOCK_TICK_SECONDS = 0.02


@dataclass(frozen=True)
class ProcessFile:
    """A process file, as its name describes it."""

    attempt: int
    process: str  # as in the file's name, which is not always the process's own name
    path: Path


@dataclass(frozen=True)
class ProcessStatus:
    """The status of one process in its newest attempt."""

    file: ProcessFile
    overview: Overview
    state: RunState
    text: str


class RunFolder:
    """A run, by its folder. Kept for later calls, it reads only files that have changed.

    Raises RecordError when the folder does not exist or has no run in it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_dir():
            raise RecordError(f"{path} is not a folder")
        self._ages = LastChanges()
        self._overviews: dict[Path, tuple[tuple[object, ...], Overview]] = {}
        self.record = self._read_record()
        self.damaged: list[str] = []  # names of process files that cannot be read, as of the last `statuses`

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.record.run_id

    @property
    def home(self) -> Path | None:
        """The home that the folder is in; None for a folder that was copied elsewhere."""
        parents = self.path.resolve().parents
        return parents[2] if len(parents) > 2 and parents[1].name == "runs" else None

    @property
    def user(self) -> UserRecord:
        """What people changed; unchanged when the file cannot be read, which `verify` reports."""
        try:
            return read_user(self.path)
        except RecordError:
            return UserRecord()

    @property
    def name(self) -> str:
        """The name that people gave it, else the one it began with, else its id."""
        return self.user.name or self.record.name or self.record.run_id

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags, as changed by people."""
        tags = self.user.tags
        return self.record.tags if tags is None else tags

    @property
    def notes(self) -> str:
        """The notes, as changed by people."""
        notes = self.user.notes
        return self.record.notes if notes is None else notes

    @property
    def step_notes(self) -> dict[int, str]:
        """The notes of people, by step."""
        return step_notes(self.user)

    def process_files(self) -> list[ProcessFile]:
        """Return the process files, by attempt, the main process first."""
        found = []
        for name in os.listdir(self.path):
            parsed = layout.parse_process_file(name)
            if parsed is not None:
                found.append(ProcessFile(*parsed, self.path / name))
        return sorted(found, key=lambda file: (file.attempt, file.process != MAIN_PROCESS, file.process))

    def next_attempt(self) -> int:
        """Return the number of the next attempt."""
        return max((file.attempt for file in self.process_files()), default=0) + 1

    def readers(self) -> list[ProcessReader]:
        """Return a reader for each process file that can be read; the caller closes them."""
        readers = []
        for file in self.process_files():
            try:
                readers.append(ProcessReader(file.path))
            except RecordError:
                continue
        return readers

    def live(self) -> list[LiveEntry]:
        """Return this run's entries in the index of live processes."""
        return live_entries(self.home, self.run_id) if self.home is not None else []

    def overview(self, file: ProcessFile) -> Overview:
        """Return the overview of a process file; the file is read only when it has changed."""
        mark = marks([file.path, log_of(file.path)])
        known = self._overviews.get(file.path)
        if known is None or known[0] != mark:
            source = ProcessFileAccess(file.path)
            try:
                known = (mark, read_overview(source))
            finally:
                source.close()
            # A file that has only just changed may change again without a new time or size.
            if (self._ages.of_files([file.path, log_of(file.path)]) or 0.0) > _CLOCK_TICK_SECONDS:
                self._overviews[file.path] = known
        return known[1]

    def statuses(self, *, indexed: bool = True) -> list[ProcessStatus]:
        """Return the status of each process, the one that stands for the run first.

        indexed=False: the caller knows that the index of live processes has no entry of this run.
        """
        newest = {file.process: file for file in self.process_files()}
        self.damaged = []
        entries = {layout.safe_name(entry.process): entry for entry in (self.live() if indexed else [])}
        statuses = []
        for file in newest.values():
            try:
                overview = self.overview(file)
            except NotBegun:
                continue
            except RecordError as error:
                self._overviews.pop(file.path, None)
                if isinstance(error, DamagedFile):
                    self.damaged.append(file.path.name)
                    continue
                raise
            state, age = process_state(overview.record, file.path, entries.get(file.process), self._ages)
            text = state_text(state, overview.record, overview.step, age)
            statuses.append(ProcessStatus(file, overview, state, text))
        return sorted(statuses, key=_order)

    def state(self) -> RunState:
        """Return the state of the run: that of its main process in the newest attempt."""
        return self.status()[0]

    def state_text(self) -> str:
        """Return the state as text, with the step or the reason."""
        return self.status()[1]

    def status(self, statuses: Sequence[ProcessStatus] | None = None) -> tuple[RunState, str]:
        """Return (state, text), from these statuses, or by reading them when None."""
        known = self.statuses() if statuses is None else statuses
        if known:
            left_out = f" ({', '.join(self.damaged)} cannot be read)" if self.damaged else ""
            return known[0].state, known[0].text + left_out
        if self.damaged:
            return RunState.LOST, f"damaged: {', '.join(self.damaged)} cannot be read"
        return RunState.LOST, "lost: no process has written yet"

    def _read_record(self) -> RunRecord:
        record = read_message(self.path / layout.RUN_FILE, RunRecord)
        if record is None:
            raise RecordError(f"{self.path} holds no run: it has no {layout.RUN_FILE}")
        return record


def create_run(home: Path, record: RunRecord) -> RunFolder:
    """Create the folder of a new run, with its run.json."""
    folder = layout.run_folder(home, record.project, record.run_id)
    write_message(folder / layout.RUN_FILE, record)
    return RunFolder(folder)


def marks(paths: Sequence[Path]) -> tuple[object, ...]:
    """Return a value that changes when one of these files does."""
    found: list[object] = []
    for path in paths:
        try:
            stat = os.stat(path)
        except OSError:
            found.append(None)
        else:
            found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return tuple(found)


def _order(status: ProcessStatus) -> tuple[int, bool, bool, float]:
    record = status.overview.record
    return (-record.attempt, record.process != MAIN_PROCESS, record.role != "trainer", record.opened)
