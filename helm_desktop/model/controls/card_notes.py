"""Notes on the cards of controls, in place of the value that ran: such as the last checkpoint and its age."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CardNote:
    """The text of a note, and the kind of the mark beside it; empty for none."""

    text: str = ""
    mark: str = ""


NO_NOTE = CardNote()


class CardNotes:
    """At most one note for each control."""

    def __init__(self) -> None:
        self._notes: dict[str, CardNote] = {}

    def set(self, name: str, note: CardNote) -> bool:
        """Set the note of a control; return True when it differs from the one before."""
        before, self._notes[name] = self.of(name), note
        return note != before

    def of(self, name: str) -> CardNote:
        """Return the note of a control; NO_NOTE where there is none."""
        return self._notes.get(name, NO_NOTE)
