"""Between charts and Activity, where notes on steps are asked for, and the run's user.json."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from helm_desktop import format
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.controllers.link import LinkController
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.activity import ActivityView
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.note_field import NoteField
from helm_desktop.window.main_window import MainWindow
from helm_sdk.record.user import set_step_note

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView


class NotesController(QObject):
    """What was written is shown when the link has read it back, here and in every other window."""

    notified = Signal(str)

    def __init__(
        self,
        current: CurrentRun,
        link: LinkController,
        board: BoardView,
        activity: ActivityView,
        window: MainWindow,
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._link, self._window, self._storage = link, window, storage
        self._session: Session | None = None
        self._field: NoteField | None = None
        board.charts.built.connect(self._attach)
        activity.note_requested.connect(self._open)
        activity.note_removed.connect(self._remove)
        current.changed.connect(self._run_changed)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        """What is being typed is kept with the run before."""
        self._store_draft()
        self._session = now

    def stop(self) -> None:
        """Have what is left written. Safe to call more than once."""
        self._store_draft()

    def _attach(self, chart: ChartView) -> None:
        chart.notes.offered = True
        chart.notes.requested.connect(partial(self._open_on, chart))
        chart.notes.removed.connect(self._remove)

    def _open_on(self, chart: ChartView, step: int) -> None:
        chart.pointer.hide_tip()
        x = chart.content.mark_positions.of(step)
        place = chart.parts.point_at(x) if x is not None else chart.rect().center()
        self._open(step, chart.mapToGlobal(place))

    def _open(self, step: int, place: QPoint) -> None:
        session, window = self._session, self._window
        if session is None:
            return
        if self._field is None:
            self._field = NoteField(window)
            self._field.save_requested.connect(self._save)
        self._store_draft()
        self._field.open(step, session.notes.text(step), window.mapFromGlobal(place))

    def _store_draft(self) -> None:
        draft = self._field.close_and_return_draft() if self._field is not None else None
        if draft is not None:
            self._save(*draft)

    def _remove(self, step: int) -> None:
        self._save(step, "")

    def _save(self, step: int, text: str) -> None:
        if self._session is not None:
            folder = self._session.key
            work = partial(set_step_note, Path(folder), step=step, text=text)
            self._storage.run(
                work, partial(self._on_saved, folder, step, text), partial(self._failed, step, text)
            )

    def _on_saved(self, folder: str, step: int, text: str, _: object) -> None:
        field = self._field
        if field is not None and field.step == step and text in ("", field.text):
            field.discard()
        self.notified.emit(f"{'Noted' if text else 'Deleted the note on'} step {format.step(step)}")
        self._link.refresh(folder)

    def _failed(self, step: int, text: str, why: Exception) -> None:
        kept = "kept" if text else "deleted"
        sentence = f"The note on step {format.step(step)} was not {kept}: {why}"
        if self._field is not None and self._field.step == step:
            self._field.show_problem(sentence)
        self.notified.emit(sentence)
