"""Between the draft of a schedule, the charts it is drawn on, the bar below the window, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.storage.draft_files import DraftFiles
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.change_bar import ChangeBar
from helm_desktop.window.regions import Regions
from helm_sdk.protocol.messages import Command

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView
    from helm_desktop.views.board.plan.editor import PlanEditor


class ScheduleDraftController(QObject):
    """Gives every chart its editor, and sends what was drafted."""

    send_requested = Signal(object)  # Command
    said = Signal(str)

    def __init__(self, screen: Regions, folder: Path | None, storage: Storage, parent: QObject) -> None:
        super().__init__(parent)
        self.model = DraftModel(self)
        self.bar = ChangeBar(self.model)
        screen.window.set_change_bar(self.bar)
        self._files = DraftFiles(self.model, folder, storage, self)
        self._session: Session | None = None
        screen.board.charts.built.connect(self._edit)
        self.bar.copy_requested.connect(self._copy)
        self.model.sent.connect(self._send)

    def set_session(self, session: Session) -> None:
        """Another run; the draft of the one before is kept for when it is opened again."""
        before, self._session = self._session, session
        if before is not None:
            before.about_changed.disconnect(self._files.open)
        self._files.close()
        self.model.set_session(session)
        session.about_changed.connect(self._files.open)
        self._files.open()

    def flush(self) -> None:
        """Writes the draft now."""
        self._files.flush()

    def _edit(self, chart: ChartView) -> None:
        from helm_desktop.views.board.plan.editor import PlanEditor

        editor: PlanEditor = PlanEditor(chart, self.model)
        editor.done.connect(self.bar.take_focus)
        chart.setProperty("plan", editor)

    def _send(self, command: Command) -> None:
        if self._session is not None:
            self._session.controls.sent(command)
            self.send_requested.emit(command)

    def _copy(self) -> None:
        model, session = self.model, self._session
        if session is None or model.target is None or model.problem():
            return
        command = session.controls.compose(model.target.control, model.value(), model.reason.strip())
        QGuiApplication.clipboard().setText(session.controls.shell_command(command))
        self.said.emit("Copied the change as a shell command")
