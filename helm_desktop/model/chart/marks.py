"""The marks that every chart shows at steps: changes ◆, checkpoints ▮, rules ▲ and notes."""

from __future__ import annotations

from dataclasses import dataclass

CHANGE = "change"
CHECKPOINT = "checkpoint"
RULE = "rule"
NOTE = "note"


@dataclass(frozen=True)
class Mark:
    """One mark at a step, with the text of its tooltip."""

    kind: str
    step: int
    text: str
    own: bool = False  # a note of the user, who can change it
