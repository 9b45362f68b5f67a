"""The app's preferences, typed and versioned, in one file of the configuration folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QByteArray, QSettings

ThemeChoice = Literal["system", "dark", "light"]
VERSION = 1


class Settings:
    """Reads what an older or newer version wrote as far as it fits; what does not fit is its default."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._store = QSettings(str(folder / "desktop.ini"), QSettings.Format.IniFormat)
        self._store.setValue("version", VERSION)

    @property
    def theme(self) -> ThemeChoice:
        """Which theme the reader chose."""
        text = self._store.value("theme", "system")
        return cast(ThemeChoice, text) if text in ("system", "dark", "light") else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._store.setValue("theme", choice)

    @property
    def last_run(self) -> str:
        """The folder of the run that was open last."""
        return str(self._store.value("last_run", "") or "")

    @last_run.setter
    def last_run(self, folder: str) -> None:
        self._store.setValue("last_run", folder)

    def layout(self, name: str) -> QByteArray:
        """A geometry or a splitter's state, empty when never kept."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep_layout(self, name: str, state: QByteArray) -> None:
        """Keep a geometry or a splitter's state."""
        self._store.setValue(f"layout/{name}", state)

    def flag(self, name: str, default: bool) -> bool:
        """A yes-or-no preference."""
        value = self._store.value(f"flags/{name}", default)
        return value in (True, "true", "1", 1)

    def set_flag(self, name: str, on: bool) -> None:
        """Keep a yes-or-no preference."""
        self._store.setValue(f"flags/{name}", on)

    def sync(self) -> None:
        """Write now."""
        self._store.sync()
