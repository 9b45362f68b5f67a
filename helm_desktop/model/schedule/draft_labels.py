"""A draft in the words of the change bar."""

from __future__ import annotations

from helm_desktop import format as fmt
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft


def value_words(value: float) -> str:
    """Return a value with the figures that a hand tells apart: 0.0204, 1.20e-3."""
    return fmt.number(value, 4 if 0.01 <= abs(value) < 0.1 else 3)


def figures(draft: KeyframesDraft | None) -> str:
    """2.29e-3 → 1.20e-3: what is planned for the first keyframe, and what is drafted; nothing without one."""
    if draft is None:
        return ""
    first = draft.next
    return f"{value_words(draft.planned.at(float(first.at)))} → {value_words(float(first.value))}"


def words(draft: KeyframesDraft | None) -> str:
    """from step 260, then follows the schedule; nothing without a draft."""
    if draft is None:
        return ""
    begin = f"from {draft.where(draft.next.at)}"
    if len(draft.keyframes) > 1:
        last = draft.keyframes[-1]
        end = draft.where(last.at).removeprefix("step ")
        count = fmt.plural(len(draft.keyframes), "keyframe")
        begin += f", {count} to {value_words(float(last.value))} at {end}"
    if draft.hold:
        return f"{begin}, then holds"
    return f"{begin}, then follows the schedule" if draft.follows else begin


def stale_words(draft: KeyframesDraft | None) -> str:
    """That the run has passed the first keyframe; nothing when it has not."""
    if draft is None or not draft.stale:
        return ""
    return draft.passed_words(next(own.at for own in draft.keyframes if own not in draft.running))
