"""The only way by which the app sends a command, and what becomes of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from helm_desktop.controllers.current_run import CurrentRun
from helm_sdk.protocol.messages import Command

NO_RUN = "no run is open"
NOT_STARTED = "the connection has not started yet"
RUN_LEFT = "another run was opened before this one answered"


class CommandPort(Protocol):
    """Where commands go: the thread that owns the sockets."""

    def send(self, folder: str, command: Command, via: str) -> None:
        """Send a command to the run in this folder."""
        ...

    def cancel(self, folder: str, process: str, command_id: str) -> None:
        """Withdraw a command."""
        ...

    def approve(self, folder: str, process: str, command_id: str, yes: bool, reason: str) -> None:
        """Approve or refuse a command that waits for it."""
        ...


class CommandTrack(QObject):
    """What became of one command: on its way, recorded by the run, or not sent and why."""

    settled = Signal(str)  # once: empty when the run has recorded it, else why it was not sent

    def __init__(self, command: Command, parent: QObject) -> None:
        super().__init__(parent)
        self.command = command
        self.is_settled = False
        self.problem = ""  # why it was not sent, in one sentence

    def when_settled(self, callback: Callable[[str], object]) -> None:
        """Call back with `problem` as soon as it is known, at once if it is."""
        if self.is_settled:
            callback(self.problem)
        else:
            self.settled.connect(callback)

    def resolve(self, problem: str) -> None:
        """Set what became of it; only the first time counts."""
        if not self.is_settled:
            self.is_settled, self.problem = True, problem
            self.settled.emit(problem)


class CommandSender(QObject):
    """Sends for cards, drafts of schedules and rules alike; cancels and approves."""

    def __init__(self, current: CurrentRun, parent: QObject) -> None:
        super().__init__(parent)
        self._current = current
        self._port: CommandPort | None = None
        self._open: dict[str, CommandTrack] = {}
        current.changed.connect(self._run_changed)
        current.follow("refused", self._refused)
        current.follow("command_recorded", self._recorded)

    def set_port(self, port: CommandPort) -> None:
        """Send through this from now on."""
        self._port = port

    def send(self, command: Command, via: str = "") -> CommandTrack:
        """Send a command to the shown run, on behalf of `via` such as a rule, and return its track."""
        track, session = CommandTrack(command, self), self._current.session
        if session is None:
            track.resolve(NO_RUN)
            return track
        session.controls.on_sent(command)
        if self._port is None:
            session.controls.on_refused(command.id, NOT_STARTED)
            track.resolve(NOT_STARTED)
            return track
        self._open[command.id] = track
        self._port.send(session.key, command, via)
        return track

    def cancel(self, process: str, command_id: str) -> None:
        """Withdraw a command that has not been applied."""
        if self._current.session is not None and self._port is not None:
            self._port.cancel(self._current.session.key, process, command_id)

    def approve(self, process: str, command_id: str, yes: bool, reason: str = "") -> None:
        """Approve or refuse a command that waits for it."""
        if self._current.session is not None and self._port is not None:
            self._port.approve(self._current.session.key, process, command_id, yes, reason)

    def _refused(self, command_id: str, sentence: str) -> None:
        self._resolve(command_id, sentence)

    def _recorded(self, command_id: str) -> None:
        self._resolve(command_id, "")

    def _run_changed(self, before: object, now: object) -> None:
        for command_id in list(self._open):
            self._resolve(command_id, RUN_LEFT)

    def _resolve(self, command_id: str, problem: str) -> None:
        track = self._open.pop(command_id, None)
        if track is not None:
            track.resolve(problem)
            track.deleteLater()
