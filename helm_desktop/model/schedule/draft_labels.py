"""Texts about a draft, for the change bar."""

from __future__ import annotations

from helm_desktop import format as fmt
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft


def value_text(value: float) -> str:
    """Return a value with as many digits as a drag can set: 0.0204, 1.20e-3."""
    return fmt.number(value, 4 if 0.01 <= abs(value) < 0.1 else 3)


def figures(draft: KeyframesDraft | None) -> str:
    """Return the planned and the drafted value of the next keyframe, "2.29e-3 → 1.20e-3"; empty for None."""
    if draft is None:
        return ""
    first = draft.next
    return f"{value_text(draft.planned.at(float(first.at)))} → {value_text(float(first.value))}"


def summary(draft: KeyframesDraft | None) -> str:
    """Return a text such as "from step 260, then follows the schedule"; empty without a draft."""
    if draft is None:
        return ""
    text = f"from {draft.position_text(draft.next.at)}"
    if len(draft.keyframes) > 1:
        last = draft.keyframes[-1]
        end = draft.position_text(last.at).removeprefix("step ")
        count = fmt.plural(len(draft.keyframes), "keyframe")
        text += f", {count} to {value_text(float(last.value))} at {end}"
    if draft.hold:
        return f"{text}, then holds"
    return f"{text}, then follows the schedule" if draft.follows else text


def stale_text(draft: KeyframesDraft | None) -> str:
    """Return that the run has passed a keyframe of the draft; empty when it has not."""
    if draft is None or not draft.stale:
        return ""
    return draft.passed_text(next(own.at for own in draft.keyframes if own not in draft.running))
