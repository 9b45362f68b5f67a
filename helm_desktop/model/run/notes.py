"""The notes of users on steps of a run: marks on its charts and entries of its activity."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.marks import NOTE, Mark
from helm_desktop.model.run.activity import ActivityEntry, ActivityModel

KEY = "step note/"


class NotesModel(QObject):
    """The notes in user.json of the run. `time_of` returns the time (unix seconds) of a step."""

    changed = Signal()

    def __init__(
        self, activity: ActivityModel, time_of: Callable[[int], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._activity = activity
        self._time_of = time_of
        self._notes: dict[int, str] = {}

    def text(self, step: int) -> str:
        """Return the note on a step; empty where there is none."""
        return self._notes.get(step, "")

    def marks(self) -> list[Mark]:
        """Return one mark for each note."""
        return [Mark(NOTE, step, text, own=True) for step, text in self._notes.items()]

    def set_notes(self, notes: Mapping[int, str]) -> None:
        """Set all notes."""
        before, self._notes = self._notes, dict(notes)
        if self._notes == before:
            return
        for step in before.keys() - self._notes.keys():
            self._activity.remove(f"{KEY}{step}")
        for step, text in self._notes.items():
            if before.get(step) != text:
                self._mark(step, text)
        self.changed.emit()

    def update_times(self) -> None:
        """Set the times of all notes again, after all points have been read."""
        for step, text in self._notes.items():
            self._mark(step, text)

    def _mark(self, step: int, text: str) -> None:
        key = f"{KEY}{step}"
        self._activity.remove(key)
        self._activity.add(ActivityEntry(key, step, self._time_of(step), "note", text))


def noted_step(entry: ActivityEntry) -> int | None:
    """Return the step of an entry that is a note of a user; None for every other entry."""
    return entry.step if entry.key.startswith(KEY) else None
