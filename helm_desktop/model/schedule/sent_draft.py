"""The draft that was sent last, until it is known what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helm_desktop.model.schedule.saved_draft import SavedDraft, outcome

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

NOT_RECEIVED = "the run never received it"


class SentDraft:
    """At most one: another that is sent takes its place."""

    def __init__(self) -> None:
        self.saved: SavedDraft | None = None

    def set(self, saved: SavedDraft | None) -> None:
        """Set the draft whose command is on its way; None: there is none."""
        self.saved = saved

    def pop(self) -> SavedDraft | None:
        """Return the draft and forget it."""
        saved, self.saved = self.saved, None
        return saved

    def is_command(self, command_id: str) -> bool:
        """Return whether this command was made of the draft."""
        return self.saved is not None and self.saved.sent == command_id

    def is_to(self, control: str) -> bool:
        """Return whether the draft was sent to this control."""
        return self.saved is not None and self.saved.control == control

    def answer(self, session: Session) -> str | None:
        """Return why the run did not take the draft; empty when it did; None while that is not known."""
        saved = self.saved
        if saved is None:
            return None
        records = [
            record for record in session.controls.commands.of(saved.control) if record.id == saved.sent
        ]
        control = session.controls.control(saved.control)
        sent = control.sent if control is not None else None
        on_its_way = sent is not None and sent.command.id == saved.sent
        if not records and session.complete and not on_its_way:
            return NOT_RECEIVED
        return outcome(records)
