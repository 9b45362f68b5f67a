"""The marks that every chart of a run shows: changes, checkpoints, notes, and where rules fired."""

from __future__ import annotations

from helm_desktop.model.chart.marks import CHANGE, CHECKPOINT, NOTE, RULE, Mark
from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.activity import ActivityEntry, fired_words
from helm_desktop.model.run.notes import NotesModel
from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import Event

_MARK_OF = {"checkpoint": CHECKPOINT, "rule": RULE, "note": NOTE}


class RunMarks:
    """The marks of events, together with those of the rules and of the notes."""

    def __init__(self, rules: RulesModel, notes: NotesModel) -> None:
        self._rules = rules
        self._notes = notes
        self._events: dict[str, Mark] = {}  # by the key of the activity's line

    def add(self, event: Event, entry: ActivityEntry | None) -> bool:
        """Mark an event that has a step and a line in the activity; whether it is marked."""
        kind = _MARK_OF.get(entry.kind) if entry is not None else None
        if event.kind == "command" and event.body.get("state") == commands.APPLIED:
            kind = CHANGE
        if kind is None or event.step is None or entry is None:
            return False
        self._events[entry.key] = Mark(kind, event.step, entry.text)
        return True

    def all(self) -> list[Mark]:
        """Return every mark by step, in the order to draw them."""
        fired = [
            Mark(RULE, firing.step, fired_words(firing))
            for firing in self._rules.marks()
            if firing.step is not None
        ]
        return sorted([*self._events.values(), *fired, *self._notes.marks()], key=_order)


def _order(mark: Mark) -> tuple[int, bool]:
    """By step; a slim checkpoint is drawn over the change that asked for it."""
    return mark.step, mark.kind == CHECKPOINT
