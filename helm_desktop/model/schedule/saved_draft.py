"""A draft as a file keeps it, over restarts and until the run has said what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.controls.labels import ended_words
from helm_desktop.model.schedule.curve import Keyframe
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_sdk.protocol.commands import EXPIRED, FAILED, REJECTED
from helm_sdk.protocol.history import CommandRecord

BACK = (REJECTED, FAILED, EXPIRED)


@dataclass(frozen=True)
class SavedDraft:
    """What was drafted. `sent` is the command that it became; `said` what the run answered to one."""

    control: str
    stream: str
    axis: str
    frames: tuple[Keyframe, ...]
    hold: bool
    reason: str
    sent: str = ""
    said: str = ""

    @classmethod
    def of(
        cls, draft: KeyframesDraft, target: DraftTarget, reason: str, *, sent: str = "", said: str = ""
    ) -> SavedDraft:
        """Return a draft as it stands."""
        where = target.control, target.stream, target.axis
        return cls(*where, draft.keyframes, draft.hold, reason, sent, said)

    @classmethod
    def read(cls, plain: dict[str, Any]) -> SavedDraft | None:
        """From what `plain` gave; None where that is no draft."""
        try:
            frames = tuple(sorted(Keyframe(Decimal(at), Decimal(value)) for at, value in plain["points"]))
        except (KeyError, TypeError, ValueError, InvalidOperation):
            return None
        if not frames or any(not own.at.is_finite() or not own.value.is_finite() for own in frames):
            return None
        words = {name: str(plain.get(name, "")) for name in ("control", "stream", "reason", "sent", "said")}
        return cls(axis=str(plain.get("axis", STEP)), frames=frames, hold=bool(plain.get("hold")), **words)

    def plain(self) -> dict[str, Any]:
        """As JSON keeps it."""
        made: dict[str, Any] = {"control": self.control, "stream": self.stream, "axis": self.axis}
        made["points"] = [[str(own.at), str(own.value)] for own in self.frames]
        made |= {"hold": self.hold, "reason": self.reason}
        return made | {name: text for name, text in (("sent", self.sent), ("said", self.said)) if text}


def outcome(records: Sequence[CommandRecord]) -> str | None:
    """What the run made of a command: why it was not taken; empty when it was, or nobody wants it any more;
    None while that is open."""
    for record in records:
        if record.state in BACK:
            return ended_words(record.state, record.message)
    return "" if records and not any(record.open for record in records) else None
