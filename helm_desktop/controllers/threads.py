"""The app's threads: started behind the shown window, slowed while it is hidden, stopped when it closes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject

from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.link import LinkController
from helm_desktop.controllers.runs import RunsController
from helm_desktop.controllers.status_strip import StatusStripController
from helm_desktop.storage.board_files import BoardFiles
from helm_desktop.window.main_window import MainWindow


class Stoppable(Protocol):
    """What has work of its own to end."""

    def stop(self) -> None:
        """End it and wait. Safe to call more than once."""
        ...


class Threads(QObject):
    """`others` are stopped too, in this order."""

    def __init__(
        self,
        window: MainWindow,
        link: LinkController,
        sender: CommandSender,
        runs: RunsController,
        strip: StatusStripController,
        board_files: BoardFiles,
        home: Callable[[], Path | None],
        others: tuple[Stoppable, ...],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._link, self._sender, self._runs, self._strip = link, sender, runs, strip
        self._board_files, self._home, self._others = board_files, home, others
        window.closing.connect(self.stop)
        window.shown.connect(self._set_visible)

    @property
    def running(self) -> bool:
        """Whether all of them run."""
        return self._runs.listing and self._link.running

    def start(self) -> None:
        """Start them, once."""
        if self._runs.listing:
            return
        self._sender.set_port(self._link.start())
        self._runs.start(self._home())
        self._strip.start()

    def stop(self) -> None:
        """Stop them and wait for them. Safe to call more than once."""
        self._strip.stop()
        self._board_files.stop()
        self._link.stop()
        self._runs.stop()
        for part in self._others:
            part.stop()

    def _set_visible(self, visible: bool) -> None:
        if self._runs.listing:
            self._runs.set_slow(not visible)
            self._board_files.set_watching(visible)
            (self._strip.start if visible else self._strip.stop)()
