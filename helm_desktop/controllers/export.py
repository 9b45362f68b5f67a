"""Between charts, where files are asked for, and the storage thread that writes them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.storage.storage_thread import Cancelled, LongJob, Storage
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.export_notice import ExportNotice

if TYPE_CHECKING:
    from helm_desktop.storage.export import ExportContent

SHOW_MS = 250  # a shorter export shows no progress


class ExportController(QObject):
    """Exports are written one after the other; each can be cancelled."""

    said = Signal(str)

    def __init__(self, board: BoardView, storage: Storage, parent: QObject) -> None:
        super().__init__(parent)
        self._board, self._storage = board, storage
        self.notice: ExportNotice | None = None
        self._jobs: dict[int, tuple[LongJob, str]] = {}
        self._last = 0
        self._show = QTimer(self, singleShot=True, interval=SHOW_MS)
        self._show.timeout.connect(self._show_waiting)
        board.charts.save_requested.connect(self.save)

    def save(self, path: str, content: ExportContent) -> None:
        """Write a file; `said` tells what became of it."""
        from helm_desktop.storage.export import export_steps

        self._last += 1
        number = self._last
        steps = export_steps(Path(path), content)
        progress, done = partial(self._progress, number), partial(self._done, number, path)
        job = self._storage.run_steps(steps, progress, done, partial(self._failed, number))
        self._jobs[number] = job, path
        if not self._show.isActive():
            self._show.start()

    def stop(self) -> None:
        """Cancel what is not complete. Safe to call more than once."""
        self._show.stop()
        for job, _ in self._jobs.values():
            job.cancel()

    def _show_waiting(self) -> None:
        if self.notice is None:
            self.notice = ExportNotice(self._board)
            self.notice.cancel_requested.connect(self._cancel)
        for number, (job, path) in self._jobs.items():
            if number not in self.notice.rows:
                self.notice.add(number, Path(path).name)
                self.notice.set_share(number, job.share)

    def _cancel(self, number: int) -> None:
        if number in self._jobs:
            self._jobs[number][0].cancel()

    def _progress(self, number: int, share: float) -> None:
        if self.notice is not None:
            self.notice.set_share(number, share)

    def _done(self, number: int, path: str) -> None:
        self._ended(number)
        self.said.emit(f"Saved the chart to {path}")

    def _failed(self, number: int, error: Exception) -> None:
        self._ended(number)
        if isinstance(error, Cancelled):
            self.said.emit("Cancelled: nothing was saved")
        else:
            self.said.emit(f"The chart was not saved: {error}")

    def _ended(self, number: int) -> None:
        self._jobs.pop(number, None)
        if not self._jobs:
            self._show.stop()
        if self.notice is not None:
            self.notice.remove(number)
