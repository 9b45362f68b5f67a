"""The watched schedulers: how often they have stepped, and whether they step with each optimizer step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helm_sdk.torch._schedules.scheduler_calls import original_step

PER_STEP = 1
STANDING = 0  # does not step with the loop: a plateau, or not yet known


class WatchedSchedulers:
    """All schedulers of a run, told of each optimizer step."""

    def __init__(self, schedulers: Sequence[Any]) -> None:
        self.schedulers = tuple(schedulers)
        self.every = STANDING if self._is_plateau() or not schedulers else PER_STEP
        self.since = 0  # optimizer steps since it last stepped
        self._at_step: tuple[Any, ...] | None = None  # the counts at the last optimizer step

    def counts(self) -> tuple[Any, ...]:
        """Return how often each scheduler has stepped."""
        return tuple(getattr(scheduler, "last_epoch", None) for scheduler in self.schedulers)

    def note_step(self) -> bool:
        """Learn the cadence at an optimizer step; True when it differs from what was thought."""
        counts = self.counts()
        before, self._at_step = self._at_step, counts
        thought = self.every
        if before is None or not self.schedulers:
            self.since = 1
        elif counts != before:
            self.every = STANDING if self._is_plateau() else self.since
            self.since = 1
        else:
            self.since += 1
            if self.every and self.since > self.every:
                self.every = STANDING
        return self.every != thought

    @property
    def ahead(self) -> bool:
        """Whether the rates now in the optimizer are those of the next step already."""
        return self._at_step is None or self.counts() != self._at_step

    @property
    def until_next(self) -> int:
        """Optimizer steps from the next one on that still run with the rate they begin with; 0: for good."""
        if not self.every:
            return 0
        return self.every if self.ahead else max(0, self.every - self.since)

    @property
    def due(self) -> bool:
        """Whether the loop has yet to step it before the next optimizer step."""
        return bool(self.every) and not self.ahead and not self.until_next

    def catch_up(self) -> None:
        """Step it once, where a checkpoint was taken in a loop's step before the schedule's turn."""
        for scheduler in self.schedulers:
            original_step(scheduler)()

    def restart(self) -> None:
        """Forget counts of before a load: the rates that stand now are those of the next step."""
        self._at_step = None

    def _is_plateau(self) -> bool:
        return any(hasattr(scheduler, "num_bad_epochs") for scheduler in self.schedulers)
