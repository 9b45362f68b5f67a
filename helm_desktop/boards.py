"""Boards on disk: one versioned file a project, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.model.board_layout import Layout
from helm_desktop.model.board_model import BoardModel
from helm_sdk.record.json_file import write_plain
from helm_sdk.record.layout import safe_name

VERSION: Final = 1
WAIT_MS: Final = 400

Plain = dict[str, Any]


class BoardError(ValueError):
    """A board that cannot be read or kept; the message is a sentence."""


MIGRATIONS: Final[dict[int, Callable[[Plain], Plain]]] = {}  # one step a version: from it to the next


class NewerBoard(BoardError):
    """A board of a version that is not known here yet."""


def encode(layout: Layout, project: str) -> Plain:
    """A board as it is kept."""
    return {"helm_board": VERSION, "project": project, "board": msgspec.to_builtins(layout)}


def decode(data: bytes, source: str = "the file") -> Layout:
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
        return msgspec.convert(plain["board"], Layout)
    except (msgspec.ValidationError, KeyError) as error:
        raise BoardError(f"{source} holds a board that does not fit: {error}") from None


def write(path: Path, layout: Layout, project: str) -> None:
    """Keeps a board in a file; raises BoardError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_plain(path, encode(layout, project))
    except Exception as error:  # the record layer has errors of its own for a full disk and the like
        raise BoardError(f"the board was not written to {path}: {error}") from error


class BoardFiles(QObject):
    """Opens a project's board and keeps it as it is edited. Without a folder nothing is read or kept."""

    said = Signal(str)

    def __init__(self, model: BoardModel, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._folder = folder / "boards" if folder is not None else None
        self._locked: set[str] = set()  # projects whose file is a newer version's: it stays as it is
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(WAIT_MS)
        self._clock.timeout.connect(self.flush)
        self._waiting = False
        model.edited.connect(self._edited)

    def path(self, project: str) -> Path | None:
        """Where a project's board is kept."""
        return self._folder / f"{safe_name(project)}.json" if self._folder is not None and project else None

    def open(self, project: str) -> None:
        """Shows a project's board; the one of the same project stays as it is, its undo too."""
        if project == self._model.project:
            return
        self.flush()
        self._model.open(project, self._read(project))

    def flush(self) -> None:
        """Writes what is not written yet."""
        waiting, self._waiting = self._waiting, False
        self._clock.stop()
        model = self._model
        path = self.path(model.project)
        if not waiting or path is None or model.project in self._locked:
            return
        try:
            if model.by_the_rules:
                path.unlink(missing_ok=True)
            else:
                write(path, model.layout, model.project)
        except (BoardError, OSError) as error:
            self.said.emit(str(error))

    def _edited(self) -> None:
        self._waiting = True
        self._clock.start()

    def _read(self, project: str) -> Layout:
        path = self.path(project)
        if path is None or not path.is_file():
            return Layout()
        try:
            return decode(path.read_bytes(), str(path))
        except NewerBoard as error:
            self._locked.add(project)
            self.said.emit(f"{error}; changes to this board are not kept")
        except (BoardError, OSError) as error:
            self._set_aside(path, project, str(error))
        return Layout()

    def _set_aside(self, path: Path, project: str, sentence: str) -> None:
        """A file that cannot be read is never written over."""
        kept = path.with_suffix(".unread.json")
        try:
            path.replace(kept)
            self.said.emit(f"{sentence}; it was moved to {kept.name} and the board starts by the rules")
        except OSError:
            self._locked.add(project)
            self.said.emit(sentence)
