"""The change of a schedule that somebody drafts on a chart of the open run."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.axis_projection import OTHER_PACE, AxisConversion
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.rules.approvers import ApprovalNeed
from helm_desktop.model.schedule.draft_check import draft_problem, draft_ruling, draft_value
from helm_desktop.model.schedule.draft_offers import DraftOffers
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.schedule.run_context import make_draft, pace_for, refresh_draft, stands_at
from helm_desktop.model.schedule.saved_draft import SavedDraft
from helm_desktop.model.schedule.sent_draft import SentDraft
from helm_sdk.protocol.errors import InvalidValue

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class DraftModel(QObject):
    """One draft at a time. It lives until the run has taken it or it is discarded, over restarts too."""

    offers_changed = Signal()  # on which streams' charts a change can be drafted
    changed = Signal()  # the draft, its reason, or whether it fits the run
    advanced = Signal()  # the run went on: the draft is to be drawn anew
    sent = Signal(object)  # Command

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.offers = DraftOffers()
        self.draft: KeyframesDraft | None = None
        self.target: DraftTarget | None = None
        self.reason = ""
        self.said = ""  # what the run answered when this draft was sent
        self._typing = ""
        self._judged: object = None
        self._pace = 0.0
        self._session: Session | None = None
        self._kept: SavedDraft | None = None  # from before a restart, until the run is known well enough
        self._sent = SentDraft()

    @property
    def run_id(self) -> str:
        """The run that the draft is for; empty while it is not known."""
        record = self._session.record if self._session is not None else None
        return record.run_id if record is not None else ""

    def set_session(self, session: Session | None) -> None:
        """Set the run; its draft is another one."""
        if self._session is not None:
            for signal, slot in self._wires(self._session):
                signal.disconnect(slot)
        self._session = session
        self.offers.set_session(session)
        self._clear()
        self._sent.set(None)
        if session is not None:
            for signal, slot in self._wires(session):
                signal.connect(slot)
        self._refresh_offers()
        self.changed.emit()

    def _wires(self, session: Session) -> list[tuple[Any, Any]]:
        return [
            (session.plan_changed, self._replan),
            (session.status_changed, self._advance),
            (session.caught_up, self._follow_sent),
            (session.refused, self._refused),
            (session.controls.controls_changed, self._refresh_offers),
            (session.controls.control_changed, self._control_changed),
        ]

    def bridge(self, axis: str) -> AxisConversion | None:
        """Return the way from the axis of the draft to that of a chart; None where there is none."""
        return self.offers.conversion(axis, self.target.axis if self.target is not None else STEP)

    @property
    def stride(self) -> int:
        """The least that a key moves a keyframe: one step of the run."""
        if self._session is None or self.target is None:
            return 1
        return max(1, round(pace_for(self._session, self.target).per_step))

    # The hand ----------------------------------------------------------------------------------

    def start(self, stream: str, axis: str = STEP) -> None:
        """Draft a change of what this stream shows; one keyframe ahead, where the plan goes anyway."""
        session, target = self._session, self.offers.at(stream, axis)
        if session is None or target is None:
            return
        if self.target != target or self.draft is None:
            self.target, self.reason, self.said = target, "", ""
            self.draft = make_draft(session, target)
            self.draft.begin()
        self.changed.emit()

    def discard(self) -> None:
        """Give the draft up."""
        self._clear()
        self.changed.emit()

    def _clear(self) -> None:
        self.draft, self.target, self.reason, self.said = None, None, "", ""
        self._typing, self._kept = "", None

    def move(self, index: int, at: float, value: float | Decimal) -> None:
        """Move a keyframe."""
        if self.draft is not None:
            self.draft.move(index, at, value)
            self._edited()

    def add(self, at: float, value: float | Decimal) -> int | None:
        """Add a keyframe; its index."""
        index = self.draft.add(at, value) if self.draft is not None else None
        if index is not None:
            self._edited()
        return index

    def remove(self, index: int) -> None:
        """Remove a keyframe; the last one stays."""
        if self.draft is not None:
            self.draft.remove(index)
            self._edited()

    def type(self, index: int, at: str, value: str) -> str:
        """Set a keyframe to the letter as typed; else why not, in one sentence."""
        if self.draft is None:
            return ""
        try:
            self.draft.type(index, at, value)
        except InvalidValue as error:
            return error.sentence
        self._edited()
        return ""

    def set_typing(self, sentence: str) -> None:
        """Set what is wrong with what is in the fields now; empty when they hold what is drafted."""
        if sentence != self._typing:
            self._typing = sentence
            self.changed.emit()

    def hold(self, on: bool) -> None:
        """Set whether the value stays after the last keyframe."""
        if self.draft is not None and self.draft.hold != on:
            self.draft.hold = on
            self._edited()

    def move_ahead(self) -> None:
        """Let a stale draft begin again from now."""
        if self.draft is not None:
            self.draft.move_ahead()
            self._edited()

    def set_reason(self, reason: str) -> None:
        """Set why, in the reader's words."""
        if reason != self.reason:
            self.reason = reason
            self.changed.emit()

    def _edited(self) -> None:
        self.said = ""  # it was of another draft
        self.changed.emit()

    def send(self) -> None:
        """Send the draft, where it can be. If the run does not take it, it comes back."""
        session, target, draft = self._session, self.target, self.draft
        if session is None or target is None or draft is None or self.problem():
            return
        command = session.controls.compose(target.control, self.value(), self.reason.strip())
        self._sent.set(SavedDraft.of(draft, target, self.reason, sent=command.id))
        self.discard()
        self.sent.emit(command)

    def value(self) -> Any:
        """Return the input that would be sent."""
        assert self.target is not None
        assert self.draft is not None
        return draft_value(self.draft, self.target)

    def problem(self) -> str:
        """Return why the draft cannot be sent; empty when it can."""
        session, draft, target = self._session, self.draft, self.target
        if session is None or draft is None or target is None:
            return "nothing is drafted"
        return draft_problem(session, draft, target, self._typing)

    def ruling(self) -> ApprovalNeed:
        """Return who has to approve the draft, as the run will judge."""
        session, draft, target = self._session, self.draft, self.target
        if session is None or draft is None or target is None:
            return ApprovalNeed()
        return draft_ruling(session, draft, target)

    # Kept over restarts, and until the run has answered --------------------------------------------

    def to_plain(self) -> dict[str, Any] | None:
        """Return the draft as a file keeps it; None when there is none."""
        if self.draft is not None and self.target is not None:
            return SavedDraft.of(self.draft, self.target, self.reason, said=self.said).plain()
        kept = self._kept or self._sent.saved
        return kept.plain() if kept is not None else None

    def restore(self, plain: dict[str, Any]) -> None:
        """Take a kept draft up again, as soon as the run offers what it changes."""
        kept = SavedDraft.read(plain)
        if kept is not None and kept.sent:
            self._sent.set(kept)
            self._follow_sent()
        elif kept is not None:
            self._kept = kept
            self._apply_saved()

    def _apply_saved(self) -> None:
        kept, session = self._kept, self._session
        target = self.offers.target_of(kept) if kept is not None else None
        if kept is None or session is None or target is None or self.draft is not None:
            return
        self._kept = None
        if target.control == kept.control:
            self.target, self.reason, self.said = target, kept.reason, kept.said
            self.draft = make_draft(session, target)
            self.draft.keyframes, self.draft.hold = kept.frames, kept.hold
            self.changed.emit()

    def _follow_sent(self) -> None:
        """Find out what came of the draft that was sent last."""
        message = self._sent.answer(self._session) if self._session is not None else None
        if message is not None:
            self._back(message)

    def _back(self, said: str) -> None:
        """The run has answered: with a sentence the draft comes back as it was, unless another took its
        place."""
        sent = self._sent.pop()
        over = self._session is None or self._session.status.state.ended
        if sent is not None and said and not over and self.draft is None and self._kept is None:
            self._kept = replace(sent, sent="", said=said)
            self._apply_saved()
        self.changed.emit()

    def _refused(self, command_id: str, message: str) -> None:
        if self._sent.is_command(command_id):
            self._back(f"not sent: {message}")

    # Keeping up --------------------------------------------------------------------------------

    def _refresh_offers(self) -> None:
        if self.offers.refresh():
            self.offers_changed.emit()
            self._apply_saved()
            if self.draft is not None:
                self.changed.emit()

    def _control_changed(self, name: str) -> None:
        """What was sent has an answer; or the control can no longer be used, or another policy holds."""
        if self._sent.is_to(name):
            self._follow_sent()
        if self.draft is None or self.target is None or name != self.target.control:
            return
        judged = self.problem(), self.ruling()
        if judged != self._judged:
            self._judged = judged
            self.changed.emit()

    def _replan(self) -> None:
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
            pace = pace_for(session, target)
            if not np.isclose(pace.per_step, self._pace, rtol=OTHER_PACE):
                self._pace = pace.per_step
                refresh_draft(draft, session, target)
            if draft.advance(stands_at(session, pace)):
                self.changed.emit()
            else:
                self.advanced.emit()
        self._refresh_offers()
