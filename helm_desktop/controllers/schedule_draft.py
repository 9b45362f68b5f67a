"""Between the draft of a schedule, the charts it is drawn on, the bar below the window, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.storage.draft_files import DraftFiles
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.change_bar import ChangeBar
from helm_desktop.window.main_window import MainWindow
from helm_sdk.protocol.messages import Command

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView
    from helm_desktop.views.board.plan.editor import PlanEditor


class ScheduleDraftController(QObject):
    """Gives every chart its editor, and sends what was drafted."""

    said = Signal(str)

    def __init__(
        self,
        current: CurrentRun,
        sender: CommandSender,
        board: BoardView,
        window: MainWindow,
        folder: Path | None,
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.model = DraftModel(self)
        self.bar = ChangeBar(self.model)
        self._current, self._sender = current, sender
        self._files = DraftFiles(self.model, folder, storage, self)
        window.set_change_bar(self.bar)
        board.charts.built.connect(self._edit)
        self.bar.copy_requested.connect(self._copy)
        self.model.sent.connect(self._send)
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._files.open)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        """Another run; the draft of the one before is kept for when it is opened again."""
        self._files.close()
        self.model.set_session(now)
        self._files.open()

    def stop(self) -> None:
        """Write the draft now."""
        self._files.flush()

    def _edit(self, chart: ChartView) -> None:
        from helm_desktop.views.board.plan.editor import PlanEditor

        editor: PlanEditor = PlanEditor(chart, self.model)
        editor.done.connect(self.bar.take_focus)
        chart.setProperty("plan", editor)

    def _send(self, command: Command) -> None:
        self._sender.send(command)

    def _copy(self) -> None:
        model, session = self.model, self._current.session
        if session is None or model.target is None or model.problem():
            return
        command = session.controls.compose(model.target.control, model.value(), model.reason.strip())
        QGuiApplication.clipboard().setText(session.controls.shell_command(command))
        self.said.emit("Copied the change as a shell command")
