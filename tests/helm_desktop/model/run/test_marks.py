"""The marks on the charts of a run, from its events, its rules and its notes."""

from __future__ import annotations

from PySide6.QtCore import QObject

from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.activity import ActivityModel, from_event
from helm_desktop.model.run.marks import RunMarks
from helm_desktop.model.run.notes import NotesModel
from helm_desktop.model.series.series_model import SeriesStore
from helm_sdk.protocol.messages import Event


def event(kind: str, step: int | None, **body: object) -> Event:
    return Event(id=1 + (step or 0), kind=kind, time=1.0, step=step, body=body)


def test_that_marks_are_sorted_by_step_with_a_checkpoint_over_its_change(qapp: QObject) -> None:
    parent = QObject()
    notes = NotesModel(ActivityModel(parent), lambda step: float(step), parent)
    marks = RunMarks(RulesModel(SeriesStore(), parent), notes)

    def add(one: Event) -> bool:
        return marks.add(one, from_event("rank-0", 1, one))

    assert add(event("checkpoint", 90, bytes=1))
    assert add(event("command", 90, command_id="c", capability="lr", state="applied", new=0.5))
    assert not add(event("command", 95, command_id="d", capability="lr", state="waiting"))
    assert not add(event("checkpoint", None))
    assert not add(event("span", 10, name="pause"))
    notes.set_notes({12: "spike"})
    assert [(mark.kind, mark.step) for mark in marks.all()] == [
        ("note", 12),
        ("change", 90),
        ("checkpoint", 90),
    ]
    parent.deleteLater()
