"""List the runs of a home, and find one by its id, name or path."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from helm_sdk.protocol.peer import RunState
from helm_sdk.record import layout
from helm_sdk.record.errors import AmbiguousRun, RecordError, RunNotFound
from helm_sdk.record.live import live_entries, remove_live_entry, write_live_entry
from helm_sdk.record.run import ProcessStatus, RunFolder, marks
from helm_sdk.record.stats import StreamSummary

__all__ = [
    "RunIndex",
    "RunSummary",
    "find_run",
    "list_runs",
    "live_entries",
    "remove_live_entry",
    "write_live_entry",
]

_PREFERRED: Final = ("train/loss", "loss", "train_loss")
_MOST_NAMED: Final = 5
_CLOCK_TICK_SECONDS: Final = 0.05


@dataclass(frozen=True)
class RunSummary:
    """A run, as a list shows it."""

    path: Path
    run_id: str
    project: str
    name: str
    created: float
    state: RunState
    state_text: str
    step: int | None
    attempt: int  # the newest; 0: none has written yet
    processes: int  # in the newest attempt
    metric: str  # the stream whose last value is `value`; empty: there is none
    value: float | None
    tags: tuple[str, ...]
    notes: str
    pinned: bool
    archived: bool
    host: str
    fork_from: str


class RunIndex:
    """Lists runs repeatedly; it opens only files that have changed since the last time."""

    def __init__(self, home: Path | None = None) -> None:
        self._homes = layout.homes(home)
        self._folders: dict[Path, tuple[tuple[object, ...], RunFolder]] = {}
        self._ended: dict[Path, tuple[tuple[int, str | None], RunSummary]] = {}
        self.problems: list[str] = []  # errors of folders that could not be read, of the last list

    def list(self, project: str | None = None, metric: str | None = None) -> list[RunSummary]:
        """Return every run, or those of a project, the newest first.

        metric: the stream whose last value is in the list; None: the loss.
        """
        self.problems = []
        present = {path for home in self._homes for path in _run_paths(home, project)}
        if project is None:
            self._folders = {path: known for path, known in self._folders.items() if path in present}
            self._ended = {path: known for path, known in self._ended.items() if path in present}
        live = {entry.run_id for home in self._homes for entry in live_entries(home)}
        found = []
        for path in present:
            try:
                found.append(self._summary(path, metric, live))
            except RecordError as error:
                self.problems.append(str(error))
            except OSError as error:
                self.problems.append(f"{path} could not be read: {error.strerror}")
        return sorted(found, key=lambda run: (run.created, run.run_id), reverse=True)

    def folder(self, path: Path) -> RunFolder:
        """Return the folder of a listed run, which remembers what it has read."""
        return self._folder(path)

    def _summary(self, path: Path, metric: str | None, live: set[str]) -> RunSummary:
        """Return the summary of a run; of one that has ended, read again only when its folder has changed.

        A new attempt and a new user.json both change the modification time of the folder.
        """
        changed = os.stat(path)
        mark = (changed.st_mtime_ns, metric)
        known = self._ended.get(path)
        if known is not None and known[0] == mark:
            return known[1]
        summary = summarise(self._folder(path), metric, known_live=live)
        if summary.state.ended and time.time() - changed.st_mtime > _CLOCK_TICK_SECONDS:
            self._ended[path] = (mark, summary)
        return summary

    def _folder(self, path: Path) -> RunFolder:
        mark = marks([path / layout.RUN_FILE])
        known = self._folders.get(path)
        if known is None or known[0] != mark:
            known = self._folders[path] = (mark, RunFolder(path))
        return known[1]


def list_runs(
    home: Path | None = None, project: str | None = None, metric: str | None = None
) -> list[RunSummary]:
    """Return every run of a home (and of the fallback home, where there is one), the newest first."""
    return RunIndex(home).list(project, metric)


def summarise(
    folder: RunFolder, metric: str | None = None, *, known_live: set[str] | None = None
) -> RunSummary:
    """Return the summary of one run.

    known_live: ids of the runs in the index of live processes; None: read the index.
    """
    indexed = known_live is None or folder.run_id in known_live
    statuses = folder.statuses(indexed=indexed)
    state, text = folder.status(statuses)
    user, record = folder.user, folder.record
    newest = statuses[0].overview.record.attempt if statuses else 0
    chosen = _metric(statuses[:1], metric)
    return RunSummary(
        path=folder.path,
        run_id=record.run_id,
        project=record.project,
        name=user.name or record.name or record.run_id,
        created=record.created,
        state=state,
        state_text=text,
        step=statuses[0].overview.step if statuses else None,
        attempt=newest,
        processes=sum(status.overview.record.attempt == newest for status in statuses),
        metric=chosen.stream.name if chosen else "",
        value=chosen.last_value if chosen else None,
        tags=record.tags if user.tags is None else user.tags,
        notes=record.notes if user.notes is None else user.notes,
        pinned=user.pinned,
        archived=user.archived,
        host=record.host,
        fork_from=record.fork_from,
    )


def find_run(home: Path | None, text: str) -> RunFolder:
    """Return the run with this id, beginning of an id, name or path; "latest" is the newest.

    Raises RunNotFound or AmbiguousRun, with a sentence that names runs to choose from.
    """
    with suppress(RecordError, OSError, ValueError):
        path = Path(text).expanduser()
        if (path / layout.RUN_FILE).is_file():
            return RunFolder(path)
        if path.suffix == layout.SUFFIX and path.is_file():
            return RunFolder(path.parent)
    runs = list(_folders(layout.homes(home)))
    if text == "latest":
        if not runs:
            raise RunNotFound(f"there is no run in {layout.homes(home)[0]}")
        return max(runs, key=lambda run: (run.record.created, run.run_id))
    for matching in (
        [run for run in runs if run.run_id == text],
        [run for run in runs if text and run.run_id.startswith(text)],
        [run for run in runs if text and run.name == text],
        [run for run in runs if text and run.record.name == text],
    ):
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise AmbiguousRun(f"{text} may be any of {_named(matching)}: give more of its id")
    if not runs:
        raise RunNotFound(f"there is no run {text}: {layout.homes(home)[0]} holds none yet")
    raise RunNotFound(f"there is no run {text}: the newest are {_named(runs)}")


def _folders(homes: Sequence[Path]) -> Iterator[RunFolder]:
    for home in homes:
        for path in _run_paths(home, None):
            with suppress(RecordError, OSError):
                yield RunFolder(path)


def _run_paths(home: Path, project: str | None) -> Iterator[Path]:
    """Yield the folders of a home that hold a run.json."""
    root = layout.runs_folder(home)
    projects = _subfolders(root) if project is None else [root / layout.safe_name(project)]
    for folder in projects:
        for path in _subfolders(folder):
            if os.path.exists(f"{path}{os.sep}{layout.RUN_FILE}"):
                yield path


def _subfolders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir()]
    except OSError:
        return []


def _metric(statuses: Sequence[ProcessStatus], name: str | None) -> StreamSummary | None:
    """Return the stream of that name; for None the loss, else the first stream. None when there is none."""
    streams = {summary.stream.name: summary for each in statuses for summary in each.overview.streams}
    if name is not None:
        return streams.get(name)
    for preferred in _PREFERRED:
        if preferred in streams:
            return streams[preferred]
    losses = [summary for key, summary in streams.items() if "loss" in key]
    own = [summary for key, summary in streams.items() if not key.startswith("system/")]
    return next(iter(losses + own), None)


def _named(runs: Sequence[RunFolder]) -> str:
    newest = sorted(runs, key=lambda run: run.record.created, reverse=True)
    shown = ", ".join(f"{run.run_id} ({run.name})" for run in newest[:_MOST_NAMED])
    return f"{shown} and {len(runs) - _MOST_NAMED} more" if len(runs) > _MOST_NAMED else shown
