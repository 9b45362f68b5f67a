"""The checks of a draft before it is sent to the open run, and who has to approve it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helm_desktop.model.rules.approvers import ApprovalNeed
from helm_desktop.model.schedule.draft_labels import stale_text
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

UNCHANGED = "Nothing is changed yet: drag the handle on the chart"


def draft_value(draft: KeyframesDraft, target: DraftTarget) -> Any:
    """Return the input that is sent for a draft."""
    return target.value(draft.points(), draft.hold)


def draft_problem(session: Session, draft: KeyframesDraft, target: DraftTarget, typing: str) -> str:
    """Return why a draft cannot be sent; empty when it can. `typing`: the problem in the fields, if any."""
    control = session.controls.control(target.control)
    if control is None:
        return f"The run declares no control {target.control}"
    if control.blocked:
        return control.blocked
    if draft.stale:
        return stale_text(draft)
    if typing:
        return typing
    if not draft.changes:
        return UNCHANGED
    value = draft_value(draft, target)
    problem = session.controls.problem_of(target.control, value)
    return problem or session.controls.approval_need(target.control, value).refused


def draft_approval(session: Session, draft: KeyframesDraft, target: DraftTarget) -> ApprovalNeed:
    """Return who has to approve a draft, as the run will decide."""
    if session.controls.control(target.control) is None:
        return ApprovalNeed()
    return session.controls.approval_need(target.control, draft_value(draft, target))
