"""The drafts that the charts of the open run offer, and over which axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from helm_desktop.model.chart.axis_projection import AxisConversion, projection_of
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.schedule.draft_target import DraftTarget, offered, targets
from helm_desktop.model.schedule.saved_draft import SavedDraft

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class DraftOffers(Mapping[str, tuple[DraftTarget, ...]]):
    """The targets of drafts by stream; empty without a run, or when nothing can be drafted."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._targets: dict[str, tuple[DraftTarget, ...]] = {}

    def __getitem__(self, stream: str) -> tuple[DraftTarget, ...]:
        return self._targets[stream]

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)

    def set_session(self, session: Session | None) -> None:
        """Set the run; call `refresh` after it."""
        self._session = session

    def refresh(self) -> bool:
        """Read the run again; return True when it offers other targets than before."""
        before = self._targets
        self._targets = targets(self._session) if self._session is not None else {}
        return self._targets != before

    def at(self, stream: str, axis: str = STEP) -> DraftTarget | None:
        """Return the target for a chart of this stream over this axis, or None."""
        return offered(self._targets, stream, axis) if self.conversion(axis) is not None else None

    def target_of(self, saved: SavedDraft) -> DraftTarget | None:
        """Return the target of a saved draft; None while the run does not offer it."""
        found = self._targets.get(saved.stream, ())
        return next((target for target in found if target.axis == saved.axis), None)

    def conversion(self, axis: str, source: str = STEP) -> AxisConversion | None:
        """Return the conversion from the axis `source` to `axis`; None where one of them is not known."""
        if self._session is None:
            return None
        begin, end = (projection_of(self._session.store, one) for one in (source, axis))
        return AxisConversion(begin, end) if begin is not None and end is not None else None
