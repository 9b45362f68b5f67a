"""A draft as it is stored in a file, over restarts and until the run has answered to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.controls.labels import ended_text
from helm_desktop.model.schedule.curve import Keyframe
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_sdk.protocol.commands import EXPIRED, FAILED, REJECTED
from helm_sdk.protocol.history import CommandRecord

NOT_ACCEPTED = (REJECTED, FAILED, EXPIRED)


@dataclass(frozen=True)
class SavedDraft:
    """A draft. `sent`: the id of its command, if it was sent; `answer`: why the run did not accept it."""

    control: str
    stream: str
    axis: str
    frames: tuple[Keyframe, ...]
    hold: bool
    reason: str
    sent: str = ""
    answer: str = ""

    @classmethod
    def of(
        cls, draft: KeyframesDraft, target: DraftTarget, reason: str, *, sent: str = "", answer: str = ""
    ) -> SavedDraft:
        """Return the present state of a draft."""
        where = target.control, target.stream, target.axis
        return cls(*where, draft.keyframes, draft.hold, reason, sent, answer)

    @classmethod
    def read(cls, plain: dict[str, Any]) -> SavedDraft | None:
        """Read the result of `plain`; return None when that is not a draft."""
        try:
            frames = tuple(sorted(Keyframe(Decimal(at), Decimal(value)) for at, value in plain["points"]))
        except (KeyError, TypeError, ValueError, InvalidOperation):
            return None
        if not frames or any(not own.at.is_finite() or not own.value.is_finite() for own in frames):
            return None
        texts = {name: str(plain.get(name, "")) for name in ("control", "stream", "reason", "sent")}
        texts["answer"] = str(plain.get("said", ""))
        return cls(axis=str(plain.get("axis", STEP)), frames=frames, hold=bool(plain.get("hold")), **texts)

    def plain(self) -> dict[str, Any]:
        """Return the draft as values for JSON. The key of the answer is "said", as in stored files."""
        made: dict[str, Any] = {"control": self.control, "stream": self.stream, "axis": self.axis}
        made["points"] = [[str(own.at), str(own.value)] for own in self.frames]
        made |= {"hold": self.hold, "reason": self.reason}
        return made | {name: text for name, text in (("sent", self.sent), ("said", self.answer)) if text}


def outcome(records: Sequence[CommandRecord]) -> str | None:
    """Return the outcome of a command: why it was not accepted; empty when it was or was cancelled.

    None while the command is open.
    """
    for record in records:
        if record.state in NOT_ACCEPTED:
            return ended_text(record.state, record.message)
    return "" if records and not any(record.open for record in records) else None
