"""Boards on disk: one versioned file a project, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.layout import BoardLayout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import stamp_of, write_plain
from helm_sdk.record.layout import lock_file, safe_name
from helm_sdk.record.lock import FileLock

VERSION: Final = 1
WAIT_MS: Final = 400
LOOK_MS: Final = 1_000
LOCK_SECONDS: Final = 1.0

Plain = dict[str, Any]


class BoardError(ValueError):
    """A board that cannot be read or kept; the message is a sentence."""


MIGRATIONS: Final[dict[int, Callable[[Plain], Plain]]] = {}  # one step a version: from it to the next


class NewerBoard(BoardError):
    """A board of a version that is not known here yet."""


def encode(layout: BoardLayout, project: str) -> Plain:
    """A board as it is kept."""
    return {"helm_board": VERSION, "project": project, "board": msgspec.to_builtins(layout)}


def decode(data: bytes, source: str = "the file") -> BoardLayout:
    """A board from what was kept, by this version or an older one; raises BoardError."""
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


def write(path: Path, layout: BoardLayout, project: str) -> None:
    """Keeps a board in a file; raises BoardError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_plain(path, encode(layout, project))
    except Exception as error:  # the record layer has errors of its own for a full disk and the like
        raise BoardError(f"the board was not written to {path}: {error}") from error


class BoardFiles(QObject):
    """Opens a project's board, keeps it as it is edited, and takes what another window makes of it. Without
    a folder nothing is read or kept."""

    said = Signal(str)

    def __init__(self, model: BoardModel, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._folder = folder / "boards" if folder is not None else None
        self._locked: set[str] = set()  # projects whose file is a newer version's: it stays as it is
        self._base = BoardLayout()  # what the file said last
        self._stamp: object = None
        self._waiting, self._watching = False, True
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(WAIT_MS)
        self._clock.timeout.connect(self.flush)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._look_at_file)
        model.edited.connect(self._edited)

    def path(self, project: str) -> Path | None:
        """Where a project's board is kept."""
        return self._folder / f"{safe_name(project)}.json" if self._folder is not None and project else None

    def open(self, project: str) -> None:
        """Shows a project's board; the one of the same project stays as it is, its undo too."""
        if project == self._model.project:
            return
        self.flush()
        path = self.path(project)
        self._stamp = stamp_of(path) if path is not None else None
        self._base = self._read(project, path, "the board starts by the rules") or BoardLayout()
        self._model.open(project, self._base)
        if path is not None and self._watching:
            self._look.start()

    def set_watching(self, on: bool) -> None:
        """Looks for what other windows write, at once and from now on; not while nobody sees the board."""
        self._watching = on
        if not on or self.path(self._model.project) is None:
            self._look.stop()
        elif not self._look.isActive():
            self._look.start()
            self._look_at_file()

    def stop(self) -> None:
        """Writes what is not written yet and looks no more. Safe to call more than once."""
        self.flush()
        self._look.stop()

    def flush(self) -> None:
        """Writes what is not written yet, joined to what another window has written meanwhile."""
        waiting, self._waiting = self._waiting, False
        self._clock.stop()
        path = self.path(self._model.project)
        if not waiting or path is None or self._model.project in self._locked:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(lock_file(path), "another window", wait_s=LOCK_SECONDS):
                self._take(path)
                if self._model.project not in self._locked:
                    self._write(path)
        except BoardError as error:
            self.said.emit(str(error))
        except (RecordError, OSError) as error:
            self.said.emit(f"The board was not kept: {error}")

    def _write(self, path: Path) -> None:
        model = self._model
        if model.by_the_rules:
            path.unlink(missing_ok=True)
        else:
            write(path, model.layout, model.project)
        self._base, self._stamp = model.layout, stamp_of(path)

    def _look_at_file(self) -> None:
        """Not while the reader drags something about."""
        path = self.path(self._model.project)
        if path is not None and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._take(path)

    def _take(self, path: Path) -> None:
        """What the file says, when it is not what it said last."""
        stamp = stamp_of(path)
        if stamp == self._stamp or self._model.project in self._locked:
            return
        self._stamp = stamp
        theirs = self._read(self._model.project, path, "the board stays as it is here")
        if theirs is None:  # it was set aside: what is shown is written anew
            self._base = BoardLayout()
            self._edited()
            return
        base, self._base = self._base, theirs
        self._model.rebase(base, theirs)

    def _edited(self) -> None:
        self._waiting = True
        self._clock.start()

    def _read(self, project: str, path: Path | None, instead: str) -> BoardLayout | None:
        """The file's layout; nothing when it cannot be read."""
        try:
            return decode(path.read_bytes(), str(path)) if path is not None else BoardLayout()
        except FileNotFoundError:
            return BoardLayout()
        except NewerBoard as error:
            self._locked.add(project)
            self.said.emit(f"{error}; changes to this board are not kept")
        except (BoardError, OSError) as error:
            if path is not None:
                self._set_aside(path, project, str(error), instead)
        return None

    def _set_aside(self, path: Path, project: str, sentence: str, instead: str) -> None:
        """A file that cannot be read is never written over."""
        kept = path.with_suffix(".unread.json")
        try:
            path.replace(kept)
            self.said.emit(f"{sentence}; it was moved to {kept.name} and {instead}")
        except OSError:
            self._locked.add(project)
            self.said.emit(sentence)
