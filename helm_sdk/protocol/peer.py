"""What one peer knows of another: which numbers have come, and whether it lives."""

from __future__ import annotations

import enum
from dataclasses import dataclass

LOST_AFTER_SECONDS = 15.0
QUIET_AFTER_SECONDS = 20.0


class BatchDecision(enum.Enum):
    """What to do with a batch that has just come."""

    APPLY = "apply"
    STALE = "stale"  # all of it is known
    GAP = "gap"  # something before it is missing


@dataclass
class SequenceTracker:
    """Keeps the last number up to which everything is known, and what was lost on the way."""

    have: int = 0
    seen: int = 0  # the highest number heard of
    gaps: int = 0
    repaired: int = 0

    def offer(self, first: int, last: int) -> BatchDecision:
        """Judge a batch that covers first..last; moves `have` on when it is to be applied."""
        self.seen = max(self.seen, last)
        if last <= self.have:
            return BatchDecision.STALE
        if first > self.have + 1:
            return BatchDecision.GAP
        self.have = last
        return BatchDecision.APPLY

    def on_last_number(self, last: int) -> bool:
        """Take note of a peer's last number; whether something is missing."""
        self.seen = max(self.seen, last)
        return self.have < self.seen

    def repair(self, upto: int) -> None:
        """Everything up to `upto` has come another way."""
        if upto > self.have:
            self.repaired += upto - self.have
            self.have = upto


class RunState(enum.StrEnum):
    """The one vocabulary for how a run stands."""

    LIVE = "live"
    QUIET = "quiet"
    LOST = "lost"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    KILLED = "killed"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self in {RunState.FINISHED, RunState.INTERRUPTED, RunState.FAILED, RunState.KILLED}


@dataclass(frozen=True)
class LifeSigns:
    """What is known of a process; ages are monotonic seconds at the reader."""

    outcome: str = ""  # what the process itself wrote at its end
    process_gone: bool | None = None  # None: not on this host and pid namespace, cannot be told
    heartbeat_age: float | None = None
    points_age: float | None = None
    file_age: float | None = None  # since the file last grew


def derive_state(signs: LifeSigns) -> RunState:
    """Live, quiet, lost or how it ended, from what a reader can see."""
    if signs.outcome:
        return RunState(signs.outcome)
    if signs.process_gone:
        return RunState.KILLED
    ages = [age for age in (signs.heartbeat_age, signs.file_age) if age is not None]
    fresh = bool(ages) and min(ages) < LOST_AFTER_SECONDS
    if not fresh and signs.process_gone is None:
        return RunState.LOST
    if not fresh or (signs.points_age is not None and signs.points_age > QUIET_AFTER_SECONDS):
        return RunState.QUIET
    return RunState.LIVE
