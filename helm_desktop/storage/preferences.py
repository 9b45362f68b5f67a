"""The app's preferences, typed and versioned, in one file of the configuration folder."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from helm_desktop.storage.storage_thread import Storage

ThemeChoice = Literal["system", "dark", "light"]
RuleAct = Literal["run", "webhook", "send"]
VERSION: Final = 1
FILE: Final = "desktop.ini"
SCALES: Final = (1.0, 1.25, 1.5, 2.0)
PACES: Final = (0.03, 0.1, 0.5, 2.0)  # seconds between two renewals of what is shown


class Preferences(QObject):
    """Reads what an older or newer version wrote as far as it fits; what does not fit is its default.

    The file is read once, when this is made, before there is a window; it is written on the storage thread.

    A file that is no settings at all is kept aside, and `complaint` says so. Without a folder nothing is read
    or kept: pictures for scripts look the same for everybody.
    """

    changed = Signal(str)  # the name of a preference, never of a size or a place

    def __init__(self, folder: Path | None, storage: Storage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.complaint = ""  # one sentence about the file
        self._storage = storage
        self._path: Path | None = None
        self._values: dict[str, object] = {}
        self._changing = threading.Lock()  # guards what follows
        self._changes: dict[str, object] = {}  # not written yet; None: to be removed
        if folder is not None:
            self._open(folder)

    @property
    def theme(self) -> ThemeChoice:
        """Which theme the reader chose."""
        text = self._get("theme")
        return text if text in ("system", "dark", "light") else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._change("theme", choice)

    @property
    def scale(self) -> float:
        """How large everything is drawn; a window has the one that it was opened with."""
        return self._one_of("scale", SCALES, 1.0)

    @scale.setter
    def scale(self, scale: float) -> None:
        self._change("scale", scale)

    @property
    def update_seconds(self) -> float:
        """Seconds between two renewals of charts and figures."""
        return self._one_of("pace", PACES, PACES[0])

    @update_seconds.setter
    def update_seconds(self, seconds: float) -> None:
        self._change("pace", seconds)

    @property
    def notifies(self) -> bool:
        """Whether a rule's notification is shown on the desktop too."""
        return self.flag("notifies", True)

    @notifies.setter
    def notifies(self, on: bool) -> None:
        self._change("flags/notifies", on, "notifies")

    @property
    def sounds(self) -> bool:
        """Whether a rule may beep."""
        return self.flag("sounds", True)

    @sounds.setter
    def sounds(self, on: bool) -> None:
        self._change("flags/sounds", on, "sounds")

    def rules_may(self, act: RuleAct) -> bool:
        """Return what rules may do besides telling."""
        return self.flag(f"rules_{act}", True)

    def let_rules(self, act: RuleAct, on: bool) -> None:
        """Let rules do this, or not."""
        self._change(f"flags/rules_{act}", on, "rules")

    @property
    def home(self) -> str:
        """The folder of all runs that was chosen; empty: where runs are written by themselves."""
        return str(self._get("home") or "")

    @home.setter
    def home(self, folder: str) -> None:
        self._change("home", folder)

    def shortcuts(self, actions: Iterable[str]) -> dict[str, str]:
        """Return the keys that somebody gave to actions; empty text: none."""
        kept = {action: self._get(f"shortcuts/{action}") for action in actions}
        return {action: str(keys) for action, keys in kept.items() if keys is not None}

    def set_shortcut(self, action: str, keys: str | None) -> None:
        """Keep an action's keys; None: its own again."""
        if keys is None:
            self._forget(f"shortcuts/{action}")
        else:
            self._set(f"shortcuts/{action}", keys)

    @property
    def last_run(self) -> str:
        """The folder of the run that was open last."""
        return str(self._get("last_run") or "")

    @last_run.setter
    def last_run(self, folder: str) -> None:
        self._set("last_run", folder)

    @property
    def geometry(self) -> QByteArray:
        """Where the window stood, empty when never kept."""
        value = self._get("layout/window")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, state: QByteArray) -> None:
        self._set("layout/window", state)

    def size(self, name: str, default: int) -> int:
        """Return how wide or high a panel was left."""
        try:
            value = int(str(self._get(f"layout/{name}")))
        except ValueError:
            return default
        return value if 0 < value < 10_000 else default

    def set_size(self, name: str, pixels: int) -> None:
        """Keep how wide or high a panel is."""
        self._set(f"layout/{name}", pixels)

    def flag(self, name: str, default: bool) -> bool:
        """Return a yes-or-no preference."""
        value = self._get(f"flags/{name}")
        return default if value is None else str(value).lower() in ("true", "1")

    def set_flag(self, name: str, on: bool) -> None:
        """Keep a yes-or-no preference."""
        self._set(f"flags/{name}", on)

    # The file ----------------------------------------------------------------------------------

    def _open(self, folder: Path) -> None:
        path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if path.exists() and not is_settings(path.read_bytes()):
                kept = path.with_suffix(".unread.ini")
                path.replace(kept)
                self.complaint = f"{path} holds no settings: it was moved to {kept.name}, all are as at first"
        except OSError as error:
            self.complaint = f"Settings cannot be kept in {folder}: {error.strerror or error}"
            return
        self._path = path
        self._values = _all_of(QSettings(str(path), QSettings.Format.IniFormat))
        if int(self._one_of("version", range(VERSION, 100), 0)) < VERSION:
            self._set("version", VERSION)

    def _one_of(self, name: str, known: Iterable[float], default: float) -> float:
        try:
            value = float(str(self._get(name)))
        except ValueError:
            return default
        return value if value in known else default

    def _change(self, key: str, value: object, name: str = "") -> None:
        """Told in any case: the command line may have had something else hold until now."""
        self._set(key, value)
        self.changed.emit(name or key)

    def _get(self, name: str) -> object:
        return self._values.get(name)

    def _set(self, name: str, value: object) -> None:
        self._values[name] = value
        self._write(name, value)

    def _forget(self, name: str) -> None:
        self._values.pop(name, None)
        self._write(name, None)

    def _write(self, name: str, value: object) -> None:
        """Changes that come together are written together."""
        if self._path is None:
            return
        with self._changing:
            first = not self._changes
            self._changes[name] = value
        if first:
            self._storage.run(partial(self._write_changes, self._path), self._written)

    def _write_changes(self, path: Path) -> dict[str, object]:
        """On the storage thread: what the file holds then, other windows' changes with it."""
        with self._changing:
            changes, self._changes = self._changes, {}
        return _write(path, changes)

    def _written(self, values: dict[str, object]) -> None:
        with self._changing:
            newer = dict(self._changes)
        self._values = values | newer
        for name in [name for name, value in newer.items() if value is None]:
            del self._values[name]


def _all_of(store: QSettings) -> dict[str, object]:
    return {name: store.value(name) for name in store.allKeys()}


def _write(path: Path, changes: Mapping[str, object]) -> dict[str, object]:
    store = QSettings(str(path), QSettings.Format.IniFormat)
    for name, value in changes.items():
        if value is None:
            store.remove(name)
        else:
            store.setValue(name, value)
    store.sync()
    return _all_of(store)


def saved_scale(folder: Path) -> float:
    """Return the scale that was chosen, before there is an app or anything else that reads settings."""
    path = folder / FILE
    try:
        if not is_settings(path.read_bytes()):
            return 1.0
        value = float(str(QSettings(str(path), QSettings.Format.IniFormat).value("scale")))
    except (OSError, ValueError):
        return 1.0
    return value if value in SCALES else 1.0


def is_settings(data: bytes) -> bool:
    """Return True when every line of a file is one that settings have: Qt reads anything and says nothing."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return False
    stripped = [line.strip() for line in lines]
    return all(
        not line
        or line[0] in ";#"
        or (line[0] == "[" and line[-1] == "]")
        or (line[0] != "[" and "=" in line and "\0" not in line)
        for line in stripped
    )
