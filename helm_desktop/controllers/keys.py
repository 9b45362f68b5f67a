"""Between the list of trusted keys in the settings and the folder of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from helm_desktop.views.settings.keys import KeysSection


class KeysController(QObject):
    """Reads the folder whenever the section is shown: the shell changes it too."""

    said = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._section: KeysSection | None = None

    def serve(self, section: KeysSection) -> None:
        """Look after this section."""
        self._section = section
        section.copy_requested.connect(self._copy)
        section.trust_requested.connect(self._trust)
        section.revoke_requested.connect(self._revoke)

    def refresh(self) -> None:
        """Show the keys as they are."""
        from helm_sdk.keys import KeysError, load_keys, own_name, trusted

        if self._section is None:
            return
        own, problem = "", ""
        try:
            own = load_keys().public
        except KeysError as error:
            problem = str(error)
        self._section.show_keys(own_name(), own, trusted(), problem)

    def _copy(self) -> None:
        from helm_sdk.keys import KeysError, export_public

        try:
            QGuiApplication.clipboard().setText(export_public())
        except KeysError as error:
            self.said.emit(str(error))
        else:
            self.said.emit("Copied your public key")

    def _trust(self, name: str, key: str) -> None:
        from helm_sdk.keys import KeysError, trust

        assert self._section is not None
        try:
            trust(name, key)
        except (KeysError, OSError) as error:
            self._section.complain(str(error))
            return
        self._section.taken()
        self.refresh()
        self.said.emit(f"{name} may watch and steer your runs now")

    def _revoke(self, name: str) -> None:
        from helm_sdk.keys import KeysError, revoke

        try:
            revoke(name)
        except (KeysError, OSError) as error:
            self.said.emit(str(error))
        else:
            self.said.emit(f"{name} is trusted no more")
        self.refresh()
