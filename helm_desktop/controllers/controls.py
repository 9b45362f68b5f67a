"""Between the cards of the controls, what waits for approval, and the sender of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.dock import Dock
from helm_desktop.views.watch import WatchPanel
from helm_sdk.protocol.messages import Command

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class ControlsController(QObject):
    """Of the shown run."""

    def __init__(
        self,
        current: CurrentRun,
        sender: CommandSender,
        panel: ControlsPanel,
        watch: WatchPanel,
        dock: Dock,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._sender, self._panel, self._dock = sender, panel, dock
        current.changed.connect(self._run_changed)
        current.follow("refused", panel.show_problem)
        panel.send_requested.connect(self._send)
        panel.cancel_requested.connect(sender.cancel)
        panel.approval_requested.connect(sender.approve)
        watch.approval_decided.connect(sender.approve)
        watch.waiting_changed.connect(self._show_waiting)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._panel.set_model(now.controls)

    def _send(self, command: Command) -> None:
        self._sender.send(command)

    def _show_waiting(self, count: int) -> None:
        self._dock.set_note("Watch", str(count) if count else "")
