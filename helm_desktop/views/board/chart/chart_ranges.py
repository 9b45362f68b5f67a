"""Which stretch of x and y a chart shows: following the run, or where the reader stays."""

from __future__ import annotations

import math

from helm_desktop.model.chart.rebased import FARTHEST
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.canvas import ranges
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView

_DECADES = 6.0  # below its last x that a logarithmic axis shows where its first is not above zero


class ChartRanges:
    """x in the content's own numbers; y in the axis's, exponents where it is logarithmic."""

    def __init__(self, content: ChartContent) -> None:
        self._content = content
        self.follow = True
        self.live = True
        self._x: Range | None = None
        self._own: Range | None = None  # of a drawing whose x is not the board's
        self._y: Range | None = None
        self._reach: Range | None = None
        self._now: float | None = None
        self.drafted: Range | None = None  # values that a draft reaches: they are to be in sight
        self.drafted_until: float | None = None  # the x that it may reach
        self.held_y: Range | None = None  # by a hand that drags, in the axis's numbers

    # What is told ------------------------------------------------------------------------------

    def spec_changed(self, before: ChartSpec, spec: ChartSpec) -> None:
        """Another x or another way to draw begins anew."""
        if spec.x != before.x:
            self._x, self.follow = None, True
        if spec.draw != before.draw:
            self._own = None
        self._y = None

    def forget_y(self) -> None:
        """The y range is fitted anew."""
        self._y = None

    def set_now(self, x: float | None) -> bool:
        """Where the run stands; whether that changed."""
        changed, self._now = x != self._now, x
        return changed

    def set_live(self, live: bool) -> bool:
        """Whether the run goes on; whether that changed."""
        changed, self.live = live != self.live, live
        if changed:
            self._x = None if self.follow else self._x
        return changed

    def set_drafted(self, values: Range | None, until: float | None) -> bool:
        """What a draft reaches, and how far it may go; whether that changed."""
        if (values, until) == (self.drafted, self.drafted_until):
            return False
        if until is None and self.follow:
            self._x = None  # it made room for the draft
        self.drafted, self.drafted_until = values, until
        return True

    def set_reach(self, first: float, last: float) -> bool:
        """How far the run goes in steps; whether the chart has to be drawn anew."""
        if (first, last) == self._reach:
            return False
        self._reach = first, last
        held = self._x
        return self.follow and (held is None or not self.live or first < held[0] or last > held[1])

    def stay(self, x0: float, x1: float, *, own: bool) -> bool:
        """Stays at a range, unless floats cannot tell its ends apart."""
        span = x1 - x0
        if not max(abs(x0), abs(x1)) <= FARTHEST or span <= max(abs(x0), abs(x1), 1e-12) * 1e-12:
            return False
        self._y = None
        if own:
            self._own = x0, x1
        else:
            self.follow, self._x = False, (x0, x1)
        return True

    def follow_again(self) -> None:
        """Covers the data from now on."""
        self.follow, self._x, self._own, self._y = True, None, None, None

    # What is shown -----------------------------------------------------------------------------

    def choose_x(self, ends: Range | None, *, own: bool) -> Range:
        """The x range for data with these ends."""
        low, high = ranges.drawable(self._choose_x(ends, own=own))
        if self._content.spec.log_x and not own and low <= 0:
            return 1e-290, max(high, 1e-289)
        return low, high

    def _choose_x(self, ends: Range | None, *, own: bool) -> Range:
        if own:
            return self._own or (ends if ends is not None and ends[1] > ends[0] else _around(ends))
        chosen = self._x if not self.follow and self._x is not None else self._following(ends)
        if self._content.spec.log_x and chosen[0] <= 0:
            first = self._first_positive(chosen[1])
            return first, max(chosen[1], first * 1.001)
        return chosen

    def _following(self, ends: Range | None) -> Range:
        on_steps, plan = self._content.on_steps, self._content.ahead
        if ends is None and plan is None:
            return (0.0, 1.0)
        first, last = ends or (float(plan.x[0]), float(plan.x[0])) if plan else ends or (0.0, 1.0)
        if self._reach is not None and on_steps:
            first, last = min(first, self._reach[0]), max(last, self._reach[1])
        if plan is not None:
            first, last = min(first, float(plan.x[0])), max(last, float(plan.x[-1]))
        if self.drafted_until is not None:
            last = max(last, self.drafted_until)
        fixed = self.drafted_until is not None or (plan is not None and last <= plan.x[-1])
        self._x = ranges.grow_x(first, last, self._x if self.live and not fixed else None)
        return self._x

    def _first_positive(self, last: float) -> float:
        """Where a logarithmic axis begins when the data begins at or below zero."""
        least = math.inf
        axis, origin = self._content.axis, self._content.origin()
        for one in self._content.source.shown:
            for segment in one.series.segments.values():
                track = segment.track(axis)
                column = track.axis(axis)
                at = column.search(origin, "right")
                if at < len(track):
                    least = min(least, float(column.at(at)) - origin)
        floor = last / 10.0**_DECADES if last > 0 else 1e-6
        return max(least, floor) if math.isfinite(least) else max(floor, 1e-12)

    def choose_y(self, drawing: Drawing, view: DrawnView, height: float) -> Range:
        """The y range for a view: held, by hand, or fitted; a draft is in sight either way."""
        spec = self._content.spec
        if self.held_y is not None:
            return self.held_y
        if self.drafted is not None:
            view.reach(*self.drafted)
        if spec.y_range is not None and not drawing.rows:
            low, high = spec.y_range
            if self.drafted is not None:
                low, high = min(low, self.drafted[0]), max(high, self.drafted[1])
            if not spec.log_y:
                return low, high
            if high > 0:
                top = math.log10(high)
                return (math.log10(low) if low > 0 else top - _DECADES), top
        self._y = drawing.fit(view, self._y, height)
        return self._y

    def standing(self, ends: Range | None) -> float | None:
        """Where the run stands."""
        if self._now is not None:
            return self._now
        if self._reach is not None and self._content.on_steps:
            return self._reach[1]
        return ends[1] if ends else None

    # Between the content's numbers and the axis's ---------------------------------------------------

    def to_axis(self, x: Range, *, own: bool) -> Range:
        """As the axis has it."""
        if own or not self._content.spec.log_x:
            return x
        return math.log10(max(x[0], 1e-300)), math.log10(max(x[1], 1e-300))

    def from_axis(self, x: Range, *, own: bool) -> Range:
        """As the content has it."""
        if own or not self._content.spec.log_x:
            return x
        return 10.0 ** max(-300.0, min(300.0, x[0])), 10.0 ** max(-300.0, min(300.0, x[1]))


def _around(ends: Range | None) -> Range:
    if ends is None:
        return 0.0, 1.0
    away = abs(ends[0]) * 0.1 or 1.0
    return ends[0] - away, ends[0] + away
