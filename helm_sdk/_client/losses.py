"""Counts of what was lost on the way from a run to a client."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Losses:
    """Counts of what was lost on the way and what became of it, in batches unless said otherwise.

    Attributes:
        gaps: How many times something was missing.
        missing: Batches that did not come live.
        repaired: Of those, the ones that came from the file or in pages.
        dropped: Live batches that were put aside because their history was not there yet; they are read again
            later.
        malformed: Messages that did not fit and were left out.
        unknown: Messages of a type that this version does not know.
    """

    gaps: int = 0  # times that something was missing
    missing: int = 0  # batches that did not come live
    repaired: int = 0  # of those, how many came from the file or by pages
    dropped: int = 0  # live batches put aside because history was not there yet; read again later
    malformed: int = 0  # messages that did not fit and were left out
    unknown: int = 0  # messages of a type that this version does not know

    @property
    def outstanding(self) -> int:
        """Batches that are missing now."""
        return self.missing - self.repaired

    def add(self, other: Losses) -> None:
        """Add what another counted."""
        for name in vars(other):
            setattr(self, name, getattr(self, name) + getattr(other, name))
