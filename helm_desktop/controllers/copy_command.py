"""Copies the `helmctl send` that does again what a line of the activity tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.window.regions import Regions

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class CopyCommandController(QObject):
    """Of the open run."""

    said = Signal(str)

    def __init__(self, screen: Regions, parent: QObject) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        screen.activity.shell_requested.connect(self._copy)

    def set_session(self, session: Session) -> None:
        """Another run."""
        self._session = session

    def _copy(self, command_id: str) -> None:
        controls = self._session.controls if self._session is not None else None
        record = controls.commands.history.by_id(command_id) if controls is not None else None
        if controls is None or record is None:
            self.said.emit("This change is no longer known, and was not copied")
            return
        QGuiApplication.clipboard().setText(controls.shell_command(controls.commands.again(record)))
        self.said.emit("Copied the change as a shell command")
