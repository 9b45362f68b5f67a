"""Tells somebody who looks elsewhere: a notification of the desktop's, and a beep."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QProcess
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from helm_desktop.storage.preferences import Preferences
from helm_desktop.storage.storage_thread import Storage

PROGRAM = "notify-send"  # where a desktop has no tray, such as GNOME


class Notifier(QObject):
    """As the preferences say. The window asks for attention in any case."""

    def __init__(
        self, window: QWidget, settings: Preferences, storage: Storage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._storage = storage
        self._program: str | None = None  # the path of PROGRAM, as it was found last
        self._window = window
        self._settings = settings
        self._tray: QSystemTrayIcon | None = None

    def notify(self, title: str, text: str, beep: bool) -> None:
        """Notify; beep if asked for."""
        QApplication.alert(self._window)
        if beep and self._settings.sounds:
            QApplication.beep()
        if self._settings.notifies:
            self._show(title, text)

    def find_program(self, done: Callable[[], None]) -> None:
        """Look for the program that notifies; `done` is called once that is known."""
        self._storage.run(partial(shutil.which, PROGRAM), partial(self._found, done))

    def _found(self, done: Callable[[], None], program: str | None) -> None:
        self._program = program
        done()

    def where(self) -> str:
        """Return where notifications appear on this desktop, as it was found last."""
        if tray_tells() or self._program is not None:
            return "As this desktop shows them, and in the window. Off: in the window alone."
        return (
            "This desktop shows none: it has no tray, and no program notify-send. What rules say appears in "
            "the window alone."
        )

    def close(self) -> None:
        """Take the icon out of the tray."""
        if self._tray is not None:
            self._tray.hide()

    def _show(self, title: str, text: str) -> None:
        if tray_tells():
            if self._tray is None:
                self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.show()
            self._tray.showMessage(title, text)
            return
        self.find_program(partial(self._start, title, text))

    def _start(self, title: str, text: str) -> None:
        if self._program is not None:
            QProcess.startDetached(self._program, ["--app-name=Helm", "--", title, text])


def tray_tells() -> bool:
    """Return True when this desktop has a tray that shows messages."""
    return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
