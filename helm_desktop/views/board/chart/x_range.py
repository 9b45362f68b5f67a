"""Which stretch of x a chart shows: following the run, or where the reader stays."""

from __future__ import annotations

import math

from helm_desktop.model.chart.rebased import FARTHEST
from helm_desktop.views.board.canvas import ranges
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.content import ChartContent

DECADES = 6.0  # below its end that a logarithmic axis shows where its begin is not above zero


class XRange:
    """In the content's own numbers; `own` says that x is the drawing's and not the board's."""

    def __init__(self, content: ChartContent) -> None:
        self._content = content
        self.follows = True  # covers the data as they grow
        self.own = False
        self.shown: Range = (0.0, 1.0)  # as drawn last
        self.drafted_until: float | None = None  # the x that a draft may reach
        self._held: Range | None = None
        self._held_own: Range | None = None
        self._reach: Range | None = None
        self._now: float | None = None

    # What to show ------------------------------------------------------------------------------

    def follow(self) -> None:
        """Cover the data from now on, whatever x is."""
        self.forget()
        self.forget_own()

    def forget(self) -> None:
        """Cover the data over the board's x."""
        self.follows, self._held = True, None

    def stay(self, x0: float, x1: float, *, own: bool) -> bool:
        """Stay at a range; False where floats cannot tell its ends apart."""
        span = x1 - x0
        if not max(abs(x0), abs(x1)) <= FARTHEST or span <= max(abs(x0), abs(x1), 1e-12) * 1e-12:
            return False
        if own:
            self._held_own = x0, x1
        else:
            self.follows, self._held = False, (x0, x1)
        return True

    def forget_own(self) -> None:
        """Fit the range of a drawing whose x is its own anew."""
        self._held_own = None

    def fit_again(self) -> None:
        """Fit the followed range to the data, without the room that it had."""
        if self.follows:
            self._held = None

    def set_now(self, x: float | None) -> bool:
        """Return where the run is; whether that changed."""
        changed, self._now = x != self._now, x
        return changed

    def set_drafted_until(self, x: float | None) -> None:
        """How far a draft may go; without one the room that was made for it goes."""
        if x is None:
            self.fit_again()
        self.drafted_until = x

    def set_reach(self, first: float, last: float) -> bool:
        """Set how far the run goes, in steps; return True when the chart has to be drawn again."""
        if (first, last) == self._reach:
            return False
        self._reach = first, last
        held = self._held
        return self.follows and (held is None or not self._content.live or first < held[0] or last > held[1])

    # What is shown -----------------------------------------------------------------------------

    def choose(self, ends: Range | None) -> Range:
        """Return the range for data with these ends."""
        low, high = ranges.drawable(self._choose(ends))
        if self._content.spec.log_x and not self.own and low <= 0:
            return 1e-290, max(high, 1e-289)
        return low, high

    def _choose(self, ends: Range | None) -> Range:
        if self.own:
            return self._held_own or (ends if ends is not None and ends[1] > ends[0] else _around(ends))
        chosen = self._held if not self.follows and self._held is not None else self._following(ends)
        if self._content.spec.log_x and chosen[0] <= 0:
            first = self._first_positive(chosen[1])
            return first, max(chosen[1], first * 1.001)
        return chosen

    def _following(self, ends: Range | None) -> Range:
        plan = self._content.ahead
        if ends is None and plan is None:
            return (0.0, 1.0)
        first, last = ends or (float(plan.x[0]), float(plan.x[0])) if plan else ends or (0.0, 1.0)
        if self._reach is not None and self._content.x.on_steps:
            first, last = min(first, self._reach[0]), max(last, self._reach[1])
        if plan is not None:
            first, last = min(first, float(plan.x[0])), max(last, float(plan.x[-1]))
        if self.drafted_until is not None:
            last = max(last, self.drafted_until)
        fixed = self.drafted_until is not None or (plan is not None and last <= plan.x[-1])
        self._held = ranges.grow_x(first, last, self._held if self._content.live and not fixed else None)
        return self._held

    def _first_positive(self, last: float) -> float:
        """Return where a logarithmic axis begins when the data begin at or below zero."""
        least = math.inf
        column_name, origin = self._content.x.column, self._content.x.origin()
        for one in self._content.source.shown:
            for segment in one.series.segments.values():
                track = segment.pyramid(column_name)
                column = track.axis(column_name)
                at = column.search(origin, "right")
                if at < len(track):
                    least = min(least, float(column.at(at)) - origin)
        floor = last / 10.0**DECADES if last > 0 else 1e-6
        return max(least, floor) if math.isfinite(least) else max(floor, 1e-12)

    def now(self, ends: Range | None) -> float | None:
        """The x where the run is, for data with these ends: the last point where nothing else is known."""
        if self._now is not None:
            return self._now
        if self._reach is not None and self._content.x.on_steps:
            return self._reach[1]
        return ends[1] if ends else None

    # Between the content's numbers and the axis's ----------------------------------------------

    def to_axis(self, x: Range) -> Range:
        """Return a range in the numbers of the axis: exponents where it is logarithmic."""
        if self.own or not self._content.spec.log_x:
            return x
        return math.log10(max(x[0], 1e-300)), math.log10(max(x[1], 1e-300))

    def from_axis(self, x: Range) -> Range:
        """Return a range of the axis in the content's numbers."""
        if self.own or not self._content.spec.log_x:
            return x
        return 10.0 ** max(-300.0, min(300.0, x[0])), 10.0 ** max(-300.0, min(300.0, x[1]))


def _around(ends: Range | None) -> Range:
    if ends is None:
        return 0.0, 1.0
    away = abs(ends[0]) * 0.1 or 1.0
    return ends[0] - away, ends[0] + away
