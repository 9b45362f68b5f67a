"""Boards on disk: one versioned file a project, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.model.board.merge import merged
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.record.json_file import stamp_of, write_plain
from helm_sdk.record.layout import lock_file, safe_name
from helm_sdk.record.lock import FileLock

VERSION: Final = 1
WAIT_MS: Final = 400
LOOK_MS: Final = 1_000
LOCK_SECONDS: Final = 1.0

Plain = dict[str, Any]
Stamp = tuple[int, int, int] | None


class BoardError(ValueError):
    """A board that cannot be read or kept; the message is a sentence."""


MIGRATIONS: Final[dict[int, Callable[[Plain], Plain]]] = {}  # one step a version: from it to the next


class NewerBoard(BoardError):
    """A board of a version that is not known here yet."""


def encode(layout: BoardLayout, project: str) -> Plain:
    """Return a board as it is kept."""
    return {"helm_board": VERSION, "project": project, "board": msgspec.to_builtins(layout)}


def decode(data: bytes, source: str = "the file") -> BoardLayout:
    """Return a board from what was kept, by this version or an older one; raises BoardError."""
    try:
        plain = json.loads(data)
    except ValueError as error:
        raise BoardError(f"{source} holds no board: {error}") from None
    version = plain.get("helm_board") if isinstance(plain, dict) else None
    if not isinstance(version, int) or version < 1:
        raise BoardError(f"{source} holds no board")
    if version > VERSION:
        raise NewerBoard(f"{source} was written by a newer Helm (board version {version})")
    while version < VERSION:
        plain = MIGRATIONS[version](plain)
        version += 1
    try:
        return msgspec.convert(plain["board"], BoardLayout)
    except (msgspec.ValidationError, KeyError) as error:
        raise BoardError(f"{source} holds a board that does not fit: {error}") from None


def read(path: Path) -> BoardLayout:
    """Return the board in a file; raises BoardError or OSError."""
    return decode(path.read_bytes(), str(path))


def write(path: Path, layout: BoardLayout, project: str) -> None:
    """Keep a board in a file; raise BoardError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_plain(path, encode(layout, project))
    except Exception as error:  # the record layer has errors of its own for a full disk and the like
        raise BoardError(f"the board was not written to {path}: {error}") from error


@dataclass(frozen=True)
class _Reading:
    """What the file says. `layout`: None where that could not be read, or where it is as before."""

    stamp: Stamp
    layout: BoardLayout | None = None
    said: str = ""
    locked: bool = False  # the file has to stay as it is
    set_aside: bool = False  # it could not be read, and is out of the way


@dataclass(frozen=True)
class _Written:
    """What was written: nothing where the file is locked. `theirs`: what another window had made of it."""

    reading: _Reading | None
    layout: BoardLayout | None
    stamp: Stamp


class BoardFiles(QObject):
    """Opens a project's board, keeps it as it is edited, and takes what another window makes of it. Without
    a folder nothing is read or kept.

    One job at a time is under way on the storage thread: what it finds is joined to the model before the
    next one begins, so that every edit is compared with the state of the file that it was made on.
    """

    notified = Signal(str)

    def __init__(
        self, model: BoardModel, folder: Path | None, storage: Storage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._model, self._storage = model, storage
        self._folder = folder / "boards" if folder is not None else None
        self._locked: set[str] = set()  # projects whose file is a newer version's: it stays as it is
        self._base = BoardLayout()  # what the file said last
        self._stamp: Stamp = None
        self._edited_since, self._watching = False, True  # since it was last asked to write
        self._under_way = self._write_due = self._look_due = False
        self._opening: str | None = None  # the project whose board is shown next
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(WAIT_MS)
        self._clock.timeout.connect(self.flush)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._check_file)
        model.edited.connect(self._edited)

    def path(self, project: str) -> Path | None:
        """Return where a project's board is kept."""
        return self._folder / f"{safe_name(project)}.json" if self._folder is not None and project else None

    def open(self, project: str) -> None:
        """Show a project's board once it is read. The board that is shown already stays, its undo too."""
        self.flush()
        self._opening = project if project != self._model.project else None
        self._next()

    def set_watching(self, on: bool) -> None:
        """Look for what other windows write, at once and from now on; not while nobody sees the board."""
        self._watching = on
        if not on or self.path(self._model.project) is None:
            self._look.stop()
        elif not self._look.isActive():
            self._look.start()
            self._check_file()

    def stop(self) -> None:
        """Has written what is not written yet, and looks no more. Safe to call more than once."""
        self.flush()
        self._look.stop()

    def flush(self) -> None:
        """Has written what is not written yet, joined to what another window has written meanwhile."""
        self._write_due |= self._edited_since
        self._edited_since = False
        self._clock.stop()
        self._next()

    # One job at a time ---------------------------------------------------------------------------

    def _next(self) -> None:
        """Begin the most urgent job, unless one is under way."""
        if self._under_way:
            return
        project = self._model.project
        path = self.path(project)
        if path is None or project in self._locked:
            self._write_due = self._look_due = False
        if self._write_due and path is not None:
            self._write_due = False
            layout = self._model.layout
            work = partial(_write_joined, path, project, self._base, layout, self._stamp)
            self._begin(work, self._written, self._not_written)
        elif self._opening is not None:
            self._begin_opening(self._opening)
        elif self._look_due and path is not None:
            self._look_due = False
            self._begin(partial(_read_changed, path, self._stamp), self._looked, self._not_looked)

    def _begin(
        self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[Exception], None]
    ) -> None:
        self._under_way = True
        self._storage.run(work, done, failed)

    def _ended(self) -> None:
        self._under_way = False
        self._next()

    def _begin_opening(self, project: str) -> None:
        path = self.path(project)
        if path is None:
            self._show(project, BoardLayout(), None)
        else:
            work = partial(_read_board, path, "the board starts with the default layout")
            self._begin(work, partial(self._opened, project), partial(self._not_opened, project))

    def _opened(self, project: str, reading: _Reading) -> None:
        self._report(project, reading)
        if project == self._opening and self._edited_since:  # the board before is written first
            self._under_way = False
            self.flush()
            return
        if project == self._opening:  # and not another one meanwhile
            self._show(project, reading.layout or BoardLayout(), reading.stamp)
        self._ended()

    def _not_opened(self, project: str, error: Exception) -> None:
        self._opened(project, _Reading(None, None, str(error), locked=True))

    def _show(self, project: str, layout: BoardLayout, stamp: Stamp) -> None:
        self._opening, self._base, self._stamp = None, layout, stamp
        self._model.open(project, layout)
        if self._watching and self.path(project) is not None:
            self._look.start()

    def _written(self, written: _Written) -> None:
        project = self._model.project
        if written.reading is not None:
            self._report(project, written.reading)
            if written.reading.layout is not None:
                self._model.rebase(self._base, written.reading.layout)
        if written.layout is not None:
            self._base = written.layout
        self._stamp = written.stamp
        self._ended()

    def _not_written(self, error: Exception) -> None:
        self.notified.emit(
            str(error) if isinstance(error, BoardError) else f"The board was not kept: {error}"
        )
        self._ended()

    def _check_file(self) -> None:
        """Not while the reader drags something about."""
        if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._look_due = True
            self._next()

    def _looked(self, reading: _Reading) -> None:
        """What the file says, when it is not what it said last; looked at again after what is dragged."""
        dragging = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if reading.stamp != self._stamp and not (dragging and reading.layout is not None):
            self._report(self._model.project, reading)
            self._stamp = reading.stamp
            if reading.layout is not None:
                base, self._base = self._base, reading.layout
                self._model.rebase(base, reading.layout)
            elif reading.set_aside:  # what is shown is written anew
                self._base = BoardLayout()
                self._edited()
        self._ended()

    def _not_looked(self, error: Exception) -> None:
        self._ended()

    def _report(self, project: str, reading: _Reading) -> None:
        if reading.locked:
            self._locked.add(project)
        if reading.said:
            self.notified.emit(reading.said)

    def _edited(self) -> None:
        self._edited_since = True
        self._clock.start()


# On the storage thread ---------------------------------------------------------------------------


def _read_board(path: Path, instead: str) -> _Reading:
    """Return the file's layout. A file that cannot be read is set aside and never written over."""
    stamp = stamp_of(path)
    try:
        return _Reading(stamp, decode(path.read_bytes(), str(path)))
    except FileNotFoundError:
        return _Reading(stamp, BoardLayout())
    except NewerBoard as error:
        return _Reading(stamp, None, f"{error}; changes to this board are not kept", locked=True)
    except (BoardError, OSError) as error:
        kept = path.with_suffix(".unread.json")
        try:
            path.replace(kept)
        except OSError:
            return _Reading(stamp, None, str(error), locked=True)
        return _Reading(stamp, None, f"{error}; it was moved to {kept.name} and {instead}", set_aside=True)


def _read_changed(path: Path, known: Stamp) -> _Reading:
    stamp = stamp_of(path)
    return _Reading(stamp) if stamp == known else _read_board(path, "the board stays as it is here")


def _write_joined(path: Path, project: str, base: BoardLayout, mine: BoardLayout, known: Stamp) -> _Written:
    """Write a layout, joined to what another window has made of the same base; raises BoardError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock_file(path), "another window", wait_s=LOCK_SECONDS):
        reading = _read_changed(path, known)
        if reading.locked:
            return _Written(reading, None, reading.stamp)
        layout = mine if reading.layout is None else merged(base, mine, reading.layout)
        if layout == BoardLayout():
            path.unlink(missing_ok=True)
        else:
            write(path, layout, project)
        return _Written(reading, layout, stamp_of(path))
