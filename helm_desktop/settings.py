"""The app's preferences, typed and versioned, in one file of the configuration folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QSettings

ThemeChoice = Literal["system", "dark", "light"]
VERSION = 1


class Settings:
    """Reads what an older or newer version wrote as far as it fits; what does not fit is its default.

    Without a folder nothing is read or kept: pictures for scripts look the same for everybody.
    """

    def __init__(self, folder: Path | None) -> None:
        self._store: QSettings | None = None
        self._passing: dict[str, object] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._store = QSettings(str(folder / "desktop.ini"), QSettings.Format.IniFormat)
            self._store.setValue("version", VERSION)

    @property
    def theme(self) -> ThemeChoice:
        """Which theme the reader chose."""
        text = self._get("theme")
        return text if text in ("system", "dark", "light") else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._set("theme", choice)

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
        """How wide or high a panel was left."""
        try:
            value = int(str(self._get(f"layout/{name}")))
        except ValueError:
            return default
        return value if 0 < value < 10_000 else default

    def set_size(self, name: str, pixels: int) -> None:
        """Keep how wide or high a panel is."""
        self._set(f"layout/{name}", pixels)

    def flag(self, name: str, default: bool) -> bool:
        """A yes-or-no preference."""
        value = self._get(f"flags/{name}")
        return default if value is None else str(value).lower() in ("true", "1")

    def set_flag(self, name: str, on: bool) -> None:
        """Keep a yes-or-no preference."""
        self._set(f"flags/{name}", on)

    def sync(self) -> None:
        """Write now."""
        if self._store is not None:
            self._store.sync()

    def _get(self, name: str) -> object:
        return self._store.value(name) if self._store is not None else self._passing.get(name)

    def _set(self, name: str, value: object) -> None:
        if self._store is not None:
            self._store.setValue(name, value)
        else:
            self._passing[name] = value
