"""The draft that was sent last, until the outcome of its command is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helm_desktop.model.schedule.saved_draft import SavedDraft, outcome

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

NOT_RECEIVED = "The run never received it"


class SentDraft:
    """At most one sent draft: the next one replaces it."""

    def __init__(self) -> None:
        self.saved: SavedDraft | None = None

    def set(self, saved: SavedDraft | None) -> None:
        """Set the draft whose command was sent; None for no draft."""
        self.saved = saved

    def pop(self) -> SavedDraft | None:
        """Return the draft and forget it."""
        saved, self.saved = self.saved, None
        return saved

    def is_command(self, command_id: str) -> bool:
        """Return True when this is the command of the draft."""
        return self.saved is not None and self.saved.sent == command_id

    def is_to(self, control: str) -> bool:
        """Return True when the draft was sent to this control."""
        return self.saved is not None and self.saved.control == control

    def answer(self, session: Session) -> str | None:
        """Return why the run did not accept the draft; empty when it did; None while that is not known."""
        saved = self.saved
        if saved is None:
            return None
        records = [
            record for record in session.controls.commands.of(saved.control) if record.id == saved.sent
        ]
        control = session.controls.control(saved.control)
        sent = control.sent if control is not None else None
        pending = sent is not None and sent.command.id == saved.sent
        if not records and session.complete and not pending:
            return NOT_RECEIVED
        return outcome(records)
