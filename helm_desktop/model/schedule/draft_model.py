"""The change of a schedule that the user drafts on a chart of the open run."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.axis_projection import RATE_TOLERANCE, AxisConversion
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.rules.approvers import ApprovalNeed
from helm_desktop.model.schedule.draft_check import draft_approval, draft_problem, draft_value
from helm_desktop.model.schedule.draft_offers import DraftOffers
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.schedule.run_context import (
    current_position,
    make_draft,
    projection_for,
    refresh_draft,
)
from helm_desktop.model.schedule.saved_draft import SavedDraft
from helm_desktop.model.schedule.sent_draft import SentDraft
from helm_sdk.protocol.errors import InvalidValue

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class DraftModel(QObject):
    """At most one draft. It is kept, also over restarts, until the run accepts it or it is discarded."""

    offers_changed = Signal()  # the streams on whose charts a change can be drafted
    changed = Signal()  # the draft, its reason, or whether it can be sent
    advanced = Signal()  # the run made progress: the draft has to be drawn again
    sent = Signal(object)  # Command

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.offers = DraftOffers()
        self.draft: KeyframesDraft | None = None
        self.target: DraftTarget | None = None
        self.reason = ""
        self.answer = ""  # the answer of the run when this draft was sent, if it was not accepted
        self._typing = ""
        self._last_check: object = None
        self._per_step = 0.0
        self._session: Session | None = None
        self._restored: SavedDraft | None = None  # a stored draft, until the run offers what it changes
        self._sent = SentDraft()

    @property
    def run_id(self) -> str:
        """The id of the run of the draft; empty while it is not known."""
        record = self._session.record if self._session is not None else None
        return record.run_id if record is not None else ""

    def set_session(self, session: Session | None) -> None:
        """Set the run, and drop the draft of the run before."""
        if self._session is not None:
            for signal, slot in self._connections(self._session):
                signal.disconnect(slot)
        self._session = session
        self.offers.set_session(session)
        self._clear()
        self._sent.set(None)
        if session is not None:
            for signal, slot in self._connections(session):
                signal.connect(slot)
        self._refresh_offers()
        self.changed.emit()

    def _connections(self, session: Session) -> list[tuple[Any, Any]]:
        return [
            (session.plan_changed, self._on_plan_changed),
            (session.status_changed, self._advance),
            (session.caught_up, self._follow_sent),
            (session.refused, self._refused),
            (session.controls.controls_changed, self._refresh_offers),
            (session.controls.control_changed, self._control_changed),
        ]

    def conversion(self, axis: str) -> AxisConversion | None:
        """Return the conversion from the axis of the draft to that of a chart; None where there is none."""
        return self.offers.conversion(axis, self.target.axis if self.target is not None else STEP)

    @property
    def stride(self) -> int:
        """The distance that a key moves a keyframe: one step of the run, on the axis of the draft."""
        if self._session is None or self.target is None:
            return 1
        return max(1, round(projection_for(self._session, self.target).per_step))

    # Edits -------------------------------------------------------------------------------------

    def start(self, stream: str, axis: str = STEP) -> None:
        """Begin a draft for this stream, with one keyframe on the planned curve."""
        session, target = self._session, self.offers.at(stream, axis)
        if session is None or target is None:
            return
        if self.target != target or self.draft is None:
            self.target, self.reason, self.answer = target, "", ""
            self.draft = make_draft(session, target)
            self.draft.begin()
        self.changed.emit()

    def discard(self) -> None:
        """Discard the draft."""
        self._clear()
        self.changed.emit()

    def _clear(self) -> None:
        self.draft, self.target, self.reason, self.answer = None, None, "", ""
        self._typing, self._restored = "", None

    def move(self, index: int, at: float, value: float | Decimal) -> None:
        """Move a keyframe."""
        if self.draft is not None:
            self.draft.move(index, at, value)
            self._edited()

    def add(self, at: float, value: float | Decimal) -> int | None:
        """Add a keyframe and return its index; None where none can be."""
        index = self.draft.add(at, value) if self.draft is not None else None
        if index is not None:
            self._edited()
        return index

    def remove(self, index: int) -> None:
        """Remove a keyframe, unless it is the only one."""
        if self.draft is not None:
            self.draft.remove(index)
            self._edited()

    def type(self, index: int, at: str, value: str) -> str:
        """Set a keyframe exactly as typed; return why that is not possible, in one sentence, else empty."""
        if self.draft is None:
            return ""
        try:
            self.draft.type(index, at, value)
        except InvalidValue as error:
            return error.sentence
        self._edited()
        return ""

    def set_typing(self, sentence: str) -> None:
        """Set the problem of the text in the fields; empty when they have what is drafted."""
        if sentence != self._typing:
            self._typing = sentence
            self.changed.emit()

    def hold(self, on: bool) -> None:
        """Set whether the value of the last keyframe is held after it."""
        if self.draft is not None and self.draft.hold != on:
            self.draft.hold = on
            self._edited()

    def move_ahead(self) -> None:
        """Move a stale draft so that it begins after the present step."""
        if self.draft is not None:
            self.draft.move_ahead()
            self._edited()

    def set_reason(self, reason: str) -> None:
        """Set the reason of the user for the change."""
        if reason != self.reason:
            self.reason = reason
            self.changed.emit()

    def _edited(self) -> None:
        self.answer = ""  # it was the answer to another draft
        self.changed.emit()

    def send(self) -> None:
        """Send the draft if it can be. It becomes the draft again when the run does not accept it."""
        session, target, draft = self._session, self.target, self.draft
        if session is None or target is None or draft is None or self.problem():
            return
        command = session.controls.compose(target.control, self.value(), self.reason.strip())
        self._sent.set(SavedDraft.of(draft, target, self.reason, sent=command.id))
        self.discard()
        self.sent.emit(command)

    def value(self) -> Any:
        """Return the input that is sent for the draft."""
        assert self.target is not None
        assert self.draft is not None
        return draft_value(self.draft, self.target)

    def problem(self) -> str:
        """Return why the draft cannot be sent; empty when it can."""
        session, draft, target = self._session, self.draft, self.target
        if session is None or draft is None or target is None:
            return "Nothing is drafted"
        return draft_problem(session, draft, target, self._typing)

    def approval_need(self) -> ApprovalNeed:
        """Return who has to approve the draft, as the run will decide."""
        session, draft, target = self._session, self.draft, self.target
        if session is None or draft is None or target is None:
            return ApprovalNeed()
        return draft_approval(session, draft, target)

    # Storage, and answers of the run -----------------------------------------------------------

    def to_plain(self) -> dict[str, Any] | None:
        """Return the draft, or else the sent one, as it is stored in a file; None when there is none."""
        if self.draft is not None and self.target is not None:
            return SavedDraft.of(self.draft, self.target, self.reason, answer=self.answer).plain()
        saved = self._restored or self._sent.saved
        return saved.plain() if saved is not None else None

    def restore(self, plain: dict[str, Any]) -> None:
        """Restore a stored draft, as soon as the run offers what it changes."""
        saved = SavedDraft.read(plain)
        if saved is not None and saved.sent:
            self._sent.set(saved)
            self._follow_sent()
        elif saved is not None:
            self._restored = saved
            self._apply_saved()

    def _apply_saved(self) -> None:
        saved, session = self._restored, self._session
        target = self.offers.target_of(saved) if saved is not None else None
        if saved is None or session is None or target is None or self.draft is not None:
            return
        self._restored = None
        if target.control == saved.control:
            self.target, self.reason, self.answer = target, saved.reason, saved.answer
            self.draft = make_draft(session, target)
            self.draft.keyframes, self.draft.hold = saved.frames, saved.hold
            self.changed.emit()

    def _follow_sent(self) -> None:
        """Check whether the run has answered to the draft that was sent last."""
        message = self._sent.answer(self._session) if self._session is not None else None
        if message is not None:
            self._on_answer(message)

    def _on_answer(self, answer: str) -> None:
        """Forget the sent draft; with a sentence as the answer restore it, unless there is another draft."""
        sent = self._sent.pop()
        ended = self._session is None or self._session.status.state.ended
        if sent is not None and answer and not ended and self.draft is None and self._restored is None:
            self._restored = replace(sent, sent="", answer=answer)
            self._apply_saved()
        self.changed.emit()

    def _refused(self, command_id: str, message: str) -> None:
        if self._sent.is_command(command_id):
            self._on_answer(f"not sent: {message}")

    # Updates of the run ------------------------------------------------------------------------

    def _refresh_offers(self) -> None:
        if self.offers.refresh():
            self.offers_changed.emit()
            self._apply_saved()
            if self.draft is not None:
                self.changed.emit()

    def _control_changed(self, name: str) -> None:
        """Check for an answer to the sent draft, and whether the present draft can still be sent."""
        if self._sent.is_to(name):
            self._follow_sent()
        if self.draft is None or self.target is None or name != self.target.control:
            return
        check = self.problem(), self.approval_need()
        if check != self._last_check:
            self._last_check = check
            self.changed.emit()

    def _on_plan_changed(self) -> None:
        session, target = self._session, self.target
        if session is not None and self.draft is not None and target is not None:
            refresh_draft(self.draft, session, target)
            self.changed.emit()
        self._refresh_offers()

    def _advance(self) -> None:
        session, draft, target = self._session, self.draft, self.target
        if session is None:
            return
        if draft is not None and target is not None:
            projection = projection_for(session, target)
            if not np.isclose(projection.per_step, self._per_step, rtol=RATE_TOLERANCE):
                self._per_step = projection.per_step
                refresh_draft(draft, session, target)
            if draft.advance(current_position(session, projection)):
                self.changed.emit()
            else:
                self.advanced.emit()
        self._refresh_offers()
