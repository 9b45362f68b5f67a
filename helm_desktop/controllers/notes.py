"""Between charts and Activity, where notes on steps are asked for, and the run's user.json."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from helm_desktop import format
from helm_desktop.link.user_writer import UserWriter
from helm_desktop.views.note_field import NoteField
from helm_desktop.window.regions import Regions
from helm_sdk.record.user import note_step

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView


class NotesController(QObject):
    """What was written is shown when the link has read it back, here and in every other window."""

    said = Signal(str)
    written = Signal(str)  # the run's folder: its user.json has been changed

    def __init__(self, screen: Regions, parent: QObject) -> None:
        super().__init__(parent)
        self._screen = screen
        self._session: Session | None = None
        self._field: NoteField | None = None
        self._writer = UserWriter(self)
        self._writer.kept.connect(self._kept)
        self._writer.failed.connect(self._failed)
        screen.board.charts.built.connect(self._look_after)
        screen.activity.note_requested.connect(self._open)
        screen.activity.note_removed.connect(self._remove)

    def set_session(self, session: Session) -> None:
        """Another run; what is being typed is kept with the one before."""
        self._keep_draft()
        self._session = session

    def stop(self) -> None:
        """Write what is left. Safe to call more than once."""
        self._keep_draft()
        self._writer.stop()

    def _look_after(self, chart: ChartView) -> None:
        chart.notes.offered = True
        chart.notes.requested.connect(partial(self._open_on, chart))
        chart.notes.removed.connect(self._remove)

    def _open_on(self, chart: ChartView, step: int) -> None:
        chart.pointer.hide_tip()
        x = chart.content.mark_positions.of(step)
        place = chart.parts.point_at(x) if x is not None else chart.rect().center()
        self._open(step, chart.mapToGlobal(place))

    def _open(self, step: int, place: QPoint) -> None:
        session, window = self._session, self._screen.window
        if session is None:
            return
        if self._field is None:
            self._field = NoteField(window)
            self._field.keep_requested.connect(self._keep)
        self._keep_draft()
        self._field.open(step, session.notes.text(step), window.mapFromGlobal(place))

    def _keep_draft(self) -> None:
        draft = self._field.take_draft() if self._field is not None else None
        if draft is not None:
            self._keep(*draft)

    def _remove(self, step: int) -> None:
        self._keep(step, "")

    def _keep(self, step: int, text: str) -> None:
        if self._session is not None:
            self._writer.change(self._session.key, partial(note_step, step=step, text=text), (step, text))

    def _kept(self, folder: str, called: tuple[int, str]) -> None:
        step, text = called
        field = self._field
        if field is not None and field.step == step and text in ("", field.text):
            field.give_up()
        self.said.emit(f"{'Noted' if text else 'Deleted the note on'} step {format.step(step)}")
        self.written.emit(folder)

    def _failed(self, folder: str, called: tuple[int, str], why: str) -> None:
        step, text = called
        kept = "kept" if text else "deleted"
        sentence = f"The note on step {format.step(step)} was not {kept}: {why}"
        if self._field is not None and self._field.step == step:
            self._field.say(sentence)
        self.said.emit(sentence)
