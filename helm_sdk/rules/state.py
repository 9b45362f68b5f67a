"""How one rule stands over all the streams that it watches."""

from __future__ import annotations

from dataclasses import dataclass, field

from helm_sdk.rules.spec import Rule
from helm_sdk.rules.watches import Hit, NoDataWatch, Watch

QUIET, PENDING, FIRED, OFF, NOTHING = "quiet", "pending", "fired", "off", "no such metric"


@dataclass
class RuleState:
    """The rule, its watches, and when it fired."""

    rule: Rule
    watches: list[Watch] = field(default_factory=list)
    fired: int = 0
    last: Hit | None = None

    @property
    def status(self) -> str:
        """quiet, pending, fired (and so still), off, or that there is no such metric (yet)."""
        if not self.rule.enabled:
            return OFF
        if any(watch.lasted for watch in self.watches):
            return FIRED
        if self.pending is not None:
            return PENDING
        return QUIET if self.watches else NOTHING

    @property
    def pending(self) -> Watch | None:
        """The watch that has waited longest."""
        waiting = [watch for watch in self.watches if watch.began is not None and not watch.lasted]
        return min(waiting, key=lambda watch: watch.began or (0, 0.0), default=None)

    def silence(self, now: float) -> float | None:
        """Seconds since the last point, the longest of all streams; only where no data is waited for."""
        seen = [
            watch.seen for watch in self.watches if isinstance(watch, NoDataWatch) and watch.seen is not None
        ]
        return max(0.0, now - min(seen)) if seen else None

    def count_firing(self, hit: Hit) -> None:
        """It fired. History may come out of order: the last is the last by its time."""
        self.fired += 1
        if self.last is None or hit.time >= self.last.time:
            self.last = hit
