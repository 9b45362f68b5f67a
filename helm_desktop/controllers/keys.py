"""Between the list of trusted keys in the settings and the folder of keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.storage.storage_thread import Storage

if TYPE_CHECKING:
    from helm_desktop.views.settings.keys import KeysSection


class KeysController(QObject):
    """Reads the folder whenever the section is shown: the shell changes it too."""

    said = Signal(str)

    def __init__(self, storage: Storage, parent: QObject) -> None:
        super().__init__(parent)
        self._storage = storage
        self._own = ""  # the public key, as it was read last
        self._section: KeysSection | None = None

    def serve(self, section: KeysSection) -> None:
        """Look after this section."""
        self._section = section
        section.copy_requested.connect(self._copy)
        section.trust_requested.connect(self._trust)
        section.revoke_requested.connect(self._revoke)

    def refresh(self) -> None:
        """Show the keys as they are."""
        if self._section is not None:
            self._storage.run(_read_keys, self._show)

    def _show(self, found: _Found) -> None:
        assert self._section is not None
        self._own = found.own
        self._section.show_keys(found.name, found.own, found.trusted, found.problem)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._own)
        self.said.emit("Copied your public key")

    def _trust(self, name: str, key: str) -> None:
        from helm_sdk.keys import trust

        self._storage.run(partial(trust, name, key), partial(self._trusted, name), self._not_trusted)

    def _trusted(self, name: str, _: Path) -> None:
        assert self._section is not None
        self._section.taken()
        self.refresh()
        self.said.emit(f"{name} may watch and steer your runs now")

    def _not_trusted(self, error: Exception) -> None:
        assert self._section is not None
        self._section.complain(str(error))

    def _revoke(self, name: str) -> None:
        from helm_sdk.keys import revoke

        self._storage.run(partial(revoke, name), partial(self._revoked, name), self._not_revoked)

    def _revoked(self, name: str, _: None) -> None:
        self.said.emit(f"{name} is no longer trusted")
        self.refresh()

    def _not_revoked(self, error: Exception) -> None:
        self.said.emit(str(error))
        self.refresh()


@dataclass(frozen=True)
class _Found:
    """What the folder of keys holds."""

    name: str
    own: str
    trusted: dict[str, str]
    problem: str


def _read_keys() -> _Found:
    from helm_sdk.keys import KeysError, load_keys, own_name, trusted

    own, problem = "", ""
    try:
        own = load_keys().public
    except KeysError as error:
        problem = str(error)
    return _Found(own_name(), own, trusted(), problem)
