"""The marks that every chart of a run shows: changes, checkpoints, notes and firings of rules."""

from __future__ import annotations

from helm_desktop.model.chart.marks import CHANGE, CHECKPOINT, NOTE, RULE, Mark
from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.activity import ActivityEntry, fired_text
from helm_desktop.model.run.notes import NotesModel
from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import Event

_MARK_OF = {"checkpoint": CHECKPOINT, "rule": RULE, "note": NOTE}


class RunMarks:
    """The marks of a run: those of events, of rules and of notes."""

    def __init__(self, rules: RulesModel, notes: NotesModel) -> None:
        self._rules = rules
        self._notes = notes
        self._events: dict[str, Mark] = {}  # by the key of the activity entry

    def add(self, event: Event, entry: ActivityEntry | None) -> bool:
        """Mark an event that has a step and an activity entry; return True when it is marked."""
        kind = _MARK_OF.get(entry.kind) if entry is not None else None
        if event.kind == "command" and event.body.get("state") == commands.APPLIED:
            kind = CHANGE
        if kind is None or event.step is None or entry is None:
            return False
        self._events[entry.key] = Mark(kind, event.step, entry.text)
        return True

    def all(self) -> list[Mark]:
        """Return all marks by step, in the order in which they are drawn."""
        fired = [
            Mark(RULE, firing.step, fired_text(firing))
            for firing in self._rules.marks()
            if firing.step is not None
        ]
        return sorted([*self._events.values(), *fired, *self._notes.marks()], key=_order)


def _order(mark: Mark) -> tuple[int, bool]:
    """Return a sort key: by step, and a checkpoint over the change that requested it."""
    return mark.step, mark.kind == CHECKPOINT
