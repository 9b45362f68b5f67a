"""The thread that looks through the home folder for runs."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from helm_desktop.link.translate import row_of
from helm_desktop.link.worker import Worker
from helm_desktop.model.run.updates import RunRow
from helm_sdk.protocol.messages import Plan
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import live_entries, summarise

SCAN_SECONDS = 1.0
PLAN_SECONDS = 5.0
HIDDEN_FACTOR = 10
REST_FACTOR = 50  # a look may take 2% of a core
FIRST_SECONDS = 0.2

_log = logging.getLogger(__name__)


@dataclass
class _Known:
    """What is remembered of a run between two looks."""

    folder: RunFolder
    stamp: int
    row: RunRow
    plan_step: int | None = None
    plan_at: float = 0.0


class ReaderThread(Worker):
    """Lists every run of the home and of the fallback home; `listed` comes only when something changed."""

    listed = Signal(list)  # RunRow, the newest first
    found_so_far = Signal(list)  # the newest of them, while the first look goes on

    def __init__(self, home: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._awake = threading.Event()
        self._slow = False
        self._known: dict[str, _Known] = {}
        self._told: list[RunRow] | None = None

    def set_home(self, home: Path | None) -> None:
        """List the runs of another home."""
        self._home = home
        self.wake()

    def set_slow(self, slow: bool) -> None:
        """Look less often while nobody sees the list."""
        self._slow = slow
        if not slow:
            self.wake()

    def wake(self) -> None:
        """Look now."""
        self._awake.set()

    def run(self) -> None:
        """Qt's: until stop."""
        while not self._stopping:
            self._awake.clear()
            began = time.monotonic()
            try:
                rows = self._scan()
            except Exception:
                _log.exception("looking for runs failed")
                rows = self._told or []
            if rows != self._told and not self._stopping:
                self._told = rows
                self.listed.emit(rows)
            pace = max(SCAN_SECONDS, REST_FACTOR * (time.monotonic() - began))
            self._awake.wait(pace * (HIDDEN_FACTOR if self._slow else 1))

    def _scan(self) -> list[RunRow]:
        homes = layout.homes(self._home)
        live = {entry.run_id for home in homes for entry in live_entries(home)}
        found: dict[str, _Known] = {}
        told_at = time.monotonic()
        for path, stamp in sorted(_run_folders(homes), key=_newest_first, reverse=True):
            if self._stopping:
                break
            if self._told is None and time.monotonic() - told_at > FIRST_SECONDS:
                told_at = time.monotonic()
                self.found_so_far.emit([known.row for known in found.values()])
            known = self._known.get(path)
            if known is None or not known.row.state.ended or known.stamp != stamp:
                with suppress(RecordError, OSError):
                    found[path] = self._scan_run(path, stamp, known, live)
            else:
                found[path] = known
        self._known = found
        rows = [known.row for known in found.values()]
        return sorted(rows, key=lambda row: (row.created, row.run_id), reverse=True)

    def _scan_run(self, path: str, stamp: int, known: _Known | None, live: set[str]) -> _Known:
        folder = known.folder if known is not None else RunFolder(Path(path))
        summary = summarise(folder, known_live=live)
        plan_step, plan_at = (known.plan_step, known.plan_at) if known is not None else (None, 0.0)
        if not summary.state.ended and time.monotonic() - plan_at > PLAN_SECONDS:
            plan_step, plan_at = _plan_step(folder), time.monotonic()
        return _Known(folder, stamp, row_of(summary, folder, plan_step), plan_step, plan_at)


def _run_folders(homes: list[Path]) -> Iterator[tuple[str, int]]:
    """Yield each run's folder, and what changes when a file is made or replaced in it."""
    for home in homes:
        for project in _folders(str(layout.runs_folder(home))):
            for path in _folders(project):
                with suppress(OSError):
                    os.stat(os.path.join(path, layout.RUN_FILE))
                    yield path, os.stat(path).st_mtime_ns


def _newest_first(found: tuple[str, int]) -> str:
    """Return the time at which a run was made, from its folder's name."""
    return os.path.basename(found[0])


def _folders(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return [entry.path for entry in entries if entry.is_dir()]
    except OSError:
        return []


def _plan_step(folder: RunFolder) -> int | None:
    """Return how many steps the run is planned to take."""
    files = folder.process_files()
    for file in reversed(files):
        with suppress(RecordError, OSError, msgspec.ValidationError), ProcessReader(file.path) as reader:
            plan = reader.catalogues().get("plan")
            if plan is not None:
                return msgspec.convert(plan.body, Plan).step
    return None
