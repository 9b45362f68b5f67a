"""Lines that the cards of controls show in place of what ran, such as the last checkpoint and its age."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CardNote:
    """A line, and the kind of mark beside it."""

    text: str = ""
    mark: str = ""


NO_NOTE = CardNote()


class CardNotes:
    """One note a control."""

    def __init__(self) -> None:
        self._notes: dict[str, CardNote] = {}

    def set(self, name: str, note: CardNote) -> bool:
        """Set the note of a control; whether it differs from the one before."""
        before, self._notes[name] = self.of(name), note
        return note != before

    def of(self, name: str) -> CardNote:
        """Return the note of a control; one without text where there is none."""
        return self._notes.get(name, NO_NOTE)
