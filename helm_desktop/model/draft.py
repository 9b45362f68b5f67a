"""The change of a schedule that somebody drafts on a chart of the open run."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from helm_desktop import format as fmt
from helm_desktop.model.draft_target import (
    Target,
    end_of,
    now_of,
    planned_of,
    running_of,
    schedule_of,
    targets,
)
from helm_desktop.model.plan_draft import Keyframe, PlanDraft
from helm_desktop.model.policy import Ruling
from helm_sdk.protocol.errors import InvalidValue

if TYPE_CHECKING:
    from helm_desktop.model.session import Session


class DraftModel(QObject):
    """One draft at a time. It lives until it is sent or discarded, over restarts too."""

    offers_changed = Signal()  # on which streams' charts a change can be drafted
    changed = Signal()  # the draft, its reason, or whether it fits the run
    advanced = Signal()  # the run went on: the draft is to be drawn anew
    sent = Signal(object)  # Command

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.offers: dict[str, Target] = {}
        self.draft: PlanDraft | None = None
        self.target: Target | None = None
        self.reason = ""
        self._typing = ""
        self._judged: object = None
        self._session: Session | None = None
        self._kept: dict[str, Any] | None = None  # from before a restart, until the run is known well enough

    @property
    def run_id(self) -> str:
        """The run that it is for; empty while it is not known."""
        record = self._session.record if self._session is not None else None
        return record.run_id if record is not None else ""

    def set_session(self, session: Session | None) -> None:
        """Another run: its draft is another one."""
        if self._session is not None:
            for signal, slot in self._wires(self._session):
                signal.disconnect(slot)
        self._session = session
        self._clear()
        if session is not None:
            for signal, slot in self._wires(session):
                signal.connect(slot)
        self._renew_offers()
        self.changed.emit()

    def _wires(self, session: Session) -> list[tuple[Any, Any]]:
        return [
            (session.plan_changed, self._replan),
            (session.standing_changed, self._advance),
            (session.controls.controls_changed, self._renew_offers),
            (session.controls.control_changed, self._judge_anew),
        ]

    # The hand ----------------------------------------------------------------------------------

    def start(self, stream: str) -> None:
        """Drafts a change of what this stream shows; one keyframe ahead, where the plan goes anyway."""
        session, target = self._session, self.offers.get(stream)
        if session is None or target is None:
            return
        if self.target != target or self.draft is None:
            self.target, self.reason = target, ""
            self.draft = self._make(session, target)
            self.draft.begin()
        self.changed.emit()

    def discard(self) -> None:
        """Gives the draft up."""
        self._clear()
        self.changed.emit()

    def _clear(self) -> None:
        self.draft, self.target, self.reason, self._typing, self._kept = None, None, "", "", None

    def move(self, index: int, at: float, value: float | Decimal) -> None:
        """A keyframe goes elsewhere."""
        if self.draft is not None:
            self.draft.move(index, at, value)
            self.changed.emit()

    def add(self, at: float, value: float | Decimal) -> int | None:
        """A keyframe more; its place."""
        index = self.draft.add(at, value) if self.draft is not None else None
        if index is not None:
            self.changed.emit()
        return index

    def remove(self, index: int) -> None:
        """A keyframe less; the last one stays."""
        if self.draft is not None:
            self.draft.remove(index)
            self.changed.emit()

    def type(self, index: int, at: str, value: str) -> str:
        """What was typed is taken to the letter; else why not, in one sentence."""
        if self.draft is None:
            return ""
        try:
            self.draft.type(index, at, value)
        except InvalidValue as error:
            return error.sentence
        self.changed.emit()
        return ""

    def set_typing(self, sentence: str) -> None:
        """What is wrong with what stands in the fields right now; nothing when they hold what is drafted."""
        if sentence != self._typing:
            self._typing = sentence
            self.changed.emit()

    def hold(self, on: bool) -> None:
        """Whether the value stays after the last keyframe."""
        if self.draft is not None and self.draft.hold != on:
            self.draft.hold = on
            self.changed.emit()

    def move_ahead(self) -> None:
        """A stale draft begins again from now."""
        if self.draft is not None:
            self.draft.move_ahead()
            self.changed.emit()

    def set_reason(self, reason: str) -> None:
        """Why, in the reader's words."""
        if reason != self.reason:
            self.reason = reason
            self.changed.emit()

    def send(self) -> None:
        """Sends it, where nothing stands against that."""
        session, target = self._session, self.target
        if session is None or target is None or self.problem():
            return
        command = session.controls.compose(target.control, self.value(), self.reason.strip())
        self.discard()
        self.sent.emit(command)

    def value(self) -> Any:
        """The input that would be sent."""
        assert self.target is not None
        assert self.draft is not None
        return self.target.value(self.draft.points(), self.draft.hold)

    # In words ----------------------------------------------------------------------------------

    def problem(self) -> str:
        """Why it cannot be sent; empty when it can."""
        session, draft, target = self._session, self.draft, self.target
        if session is None or draft is None or target is None:
            return "nothing is drafted"
        control = session.controls.control(target.control)
        if control is None:
            return f"the run declares no {target.control}"
        if control.blocked:
            return control.blocked
        if draft.stale:
            return self.stale_words()
        if self._typing:
            return self._typing
        if not draft.changes:
            return "nothing is changed yet: drag the handle on the chart"
        value = self.value()
        said = session.controls.complaint(target.control, value)
        return said or session.controls.ruling(target.control, value).refused

    def stale_words(self) -> str:
        """That the run has passed the first keyframe; nothing when it has not."""
        draft = self.draft
        if draft is None or not draft.stale:
            return ""
        passed = next(own for own in draft.keyframes if own not in draft.running)
        return f"step {fmt.step(int(passed.at))} has passed, the run is at {fmt.step(draft.now)}"

    def figures(self) -> str:
        """2.29e-3 → 1.20e-3: what is planned for the first keyframe, and what is drafted."""
        draft = self.draft
        if draft is None:
            return ""
        first = draft.next
        was = draft.planned.at(float(first.at))
        return f"{fmt.number(was)} → {fmt.number(float(first.value))}"

    def words(self) -> str:
        """from step 260, then follows the schedule."""
        draft = self.draft
        if draft is None:
            return ""
        begin = f"from step {fmt.step(int(draft.next.at))}"
        if len(draft.keyframes) > 1:
            last = draft.keyframes[-1]
            begin += f", {fmt.plural(len(draft.keyframes), 'keyframe')} to {fmt.number(float(last.value))}"
            begin += f" at {fmt.step(int(last.at))}"
        if draft.hold:
            return f"{begin}, then holds"
        return f"{begin}, then follows the schedule" if draft.follows else begin

    def ruling(self) -> Ruling:
        """Who has to approve it, as the run will judge."""
        session, target = self._session, self.target
        control = session.controls.control(target.control) if session is not None and target else None
        if session is None or target is None or control is None:
            return Ruling()
        return session.controls.ruling(target.control, self.value())

    # Kept over restarts ------------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any] | None:
        """The draft as a file keeps it; None when there is none."""
        if self.draft is None or self.target is None:
            return self._kept
        points = [[str(own.at), str(own.value)] for own in self.draft.keyframes]
        more = {"points": points, "hold": self.draft.hold, "reason": self.reason}
        return {"control": self.target.control, "stream": self.target.stream, **more}

    def restore(self, plain: dict[str, Any]) -> None:
        """Takes a kept draft up again, as soon as the run offers what it changes."""
        self._kept = plain
        self._take_kept()

    def _take_kept(self) -> None:
        kept, session = self._kept, self._session
        target = self.offers.get(str(kept.get("stream"))) if kept is not None else None
        if kept is None or session is None or target is None or self.draft is not None:
            return
        self._kept = None
        try:
            frames = [Keyframe(Decimal(at), Decimal(value)) for at, value in kept["points"]]
        except (KeyError, TypeError, ValueError, InvalidOperation):
            return
        if target.control == kept.get("control") and frames:
            self.target, self.reason = target, str(kept.get("reason", ""))
            self.draft = self._make(session, target)
            self.draft.keyframes, self.draft.hold = tuple(sorted(frames)), bool(kept.get("hold"))
            self.changed.emit()

    # Keeping up --------------------------------------------------------------------------------

    def _make(self, session: Session, target: Target) -> PlanDraft:
        planned = planned_of(session, target)
        follows = bool(target.mode) and len(planned.steps) > 0
        end = end_of(session) or 0
        made = PlanDraft(planned, now_of(session), end, bounds=target.kind.bounds, follows=follows)
        made.schedule = schedule_of(session, target)
        made.running, made.hold = running_of(session, target)
        return made

    def _renew_offers(self) -> None:
        before, session = self.offers, self._session
        self.offers = targets(session) if session is not None else {}
        if self.offers != before:
            self.offers_changed.emit()
            self._take_kept()
            if self.draft is not None:
                self.changed.emit()

    def _judge_anew(self, name: str) -> None:
        """The control can no longer be used, or another policy holds."""
        if self.draft is None or self.target is None or name != self.target.control:
            return
        judged = self.problem(), self.ruling()
        if judged != self._judged:
            self._judged = judged
            self.changed.emit()

    def _replan(self) -> None:
        session, target = self._session, self.target
        if session is not None and self.draft is not None and target is not None:
            self.draft.planned = planned_of(session, target)
            self.draft.schedule = schedule_of(session, target)
            self.draft.end = end_of(session) or self.draft.end
            self.changed.emit()
        self._renew_offers()

    def _advance(self) -> None:
        session = self._session
        if session is None:
            return
        if self.draft is not None:
            if self.draft.advance(now_of(session)):
                self.changed.emit()
            else:
                self.advanced.emit()
        self._renew_offers()
