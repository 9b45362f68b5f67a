"""What a client knows of a process: which sequence numbers have come, and whether the process lives."""

from __future__ import annotations

import enum
from dataclasses import dataclass

LOST_AFTER_SECONDS = 15.0
QUIET_AFTER_SECONDS = 20.0


class BatchDecision(enum.Enum):
    """What to do with a batch that has just arrived."""

    APPLY = "apply"
    STALE = "stale"  # all of it is known already
    GAP = "gap"  # something before it is missing


@dataclass
class SequenceTracker:
    """Tracks the sequence number up to which every batch has come, and what was repaired."""

    have: int = 0  # every batch up to this number has come
    seen: int = 0  # the highest number that was mentioned
    gaps: int = 0
    repaired: int = 0

    def offer(self, first: int, last: int) -> BatchDecision:
        """Decide on a batch that covers first to last; one that is to be applied moves `have` forward."""
        self.seen = max(self.seen, last)
        if last <= self.have:
            return BatchDecision.STALE
        if first > self.have + 1:
            return BatchDecision.GAP
        self.have = last
        return BatchDecision.APPLY

    def on_last_number(self, last: int) -> bool:
        """Note the process's last number, of a heartbeat; return True when batches are missing."""
        self.seen = max(self.seen, last)
        return self.have < self.seen

    def repair(self, upto: int) -> None:
        """Note that every batch up to `upto` has come from the file or in pages."""
        if upto > self.have:
            self.repaired += upto - self.have
            self.have = upto


class RunState(enum.StrEnum):
    """The states of a run, named the same everywhere."""

    LIVE = "live"
    QUIET = "quiet"
    LOST = "lost"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    KILLED = "killed"

    @property
    def ended(self) -> bool:
        """Whether the run has ended."""
        return self in {RunState.FINISHED, RunState.INTERRUPTED, RunState.FAILED, RunState.KILLED}


@dataclass(frozen=True)
class LifeSigns:
    """What a reader knows of a process; ages are in seconds, by the reader's monotonic clock."""

    outcome: str = ""  # what the process itself wrote at its end
    process_gone: bool | None = None  # None: unknown, as it is on another host or pid namespace
    heartbeat_age: float | None = None
    points_age: float | None = None
    file_age: float | None = None  # since the file last grew


def derive_state(signs: LifeSigns) -> RunState:
    """Return the state that follows from the signs of life."""
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
