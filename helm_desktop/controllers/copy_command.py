"""Copies the `helmctl send` that does again what a line of the activity tells."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.views.activity import ActivityView


class CopyCommandController(QObject):
    """Of the open run."""

    notified = Signal(str)

    def __init__(self, current: CurrentRun, activity: ActivityView, parent: QObject) -> None:
        super().__init__(parent)
        self._current = current
        activity.shell_requested.connect(self._copy)

    def _copy(self, command_id: str) -> None:
        controls = self._current.session.controls if self._current.session is not None else None
        record = controls.commands.history.by_id(command_id) if controls is not None else None
        if controls is None or record is None:
            self.notified.emit("This change is no longer known, and was not copied")
            return
        QGuiApplication.clipboard().setText(controls.shell_command(controls.commands.copy_of(record)))
        self.notified.emit("Copied the change as a shell command")
