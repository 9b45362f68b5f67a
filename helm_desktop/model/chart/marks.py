"""What is marked on every chart: changes ◆, checkpoints ▮, rules ▲ and notes."""

from __future__ import annotations

from dataclasses import dataclass

CHANGE = "change"
CHECKPOINT = "checkpoint"
RULE = "rule"
NOTE = "note"


@dataclass(frozen=True)
class Mark:
    """One mark at a step, with what hovering over it says."""

    kind: str
    step: int
    text: str
    own: bool = False  # put there by the reader, who can change it
