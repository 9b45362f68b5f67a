"""Which window of the data a chart shows, and who is told when it changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.chart.x_range import XRange
from helm_desktop.views.board.chart.y_range import YRange
from helm_desktop.views.board.content.content import ChartContent


class ChartRanges(QObject):
    """`set_…` are for the board, which knows what it sets; `zoom` and `follow` are for the reader."""

    changed = Signal()  # another window is to be drawn when there is time
    chosen = Signal()  # the reader chose another window: it is to be drawn at once
    zoomed = Signal(float, float)  # by the reader; x in steps, seconds or what else the axis counts
    follow_requested = Signal()  # by the reader

    def __init__(self, content: ChartContent, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.x = XRange(content)
        self.y = YRange(content)
        content.replaced.connect(self._on_replaced)
        content.live_changed.connect(self._on_live)
        content.visibility.changed.connect(self._on_visibility)

    def _on_replaced(self, before: ChartSpec) -> None:
        """Another x or another way to draw begins anew."""
        spec = self._content.spec
        if spec.x != before.x:
            self.x.forget()
        if spec.draw != before.draw:
            self.x.forget_own()
        self.y.forget()

    def _on_live(self) -> None:
        self.x.fit_again()

    def _on_visibility(self) -> None:
        self.y.forget()

    # By the board ------------------------------------------------------------------------------

    def set_x(self, x0: float, x1: float) -> None:
        """Stay at this range until it is to follow again."""
        if self.x.stay(x0, x1, own=False):
            self.y.forget()
            self.changed.emit()

    def set_follow(self) -> None:
        """Cover the data from now on."""
        self.x.follow()
        self.y.forget()
        self.changed.emit()

    def set_now(self, x: float | None) -> None:
        """Where the run is; without it the last point is taken."""
        if self.x.set_now(x):
            self.changed.emit()

    def set_reach(self, first: float, last: float) -> None:
        """How far the run goes in steps: every chart that follows covers it, so that all show the same."""
        if self.x.set_reach(first, last):
            self.changed.emit()

    def set_drafted(self, values: Range | None, until: float | None = None) -> None:
        """Keep a draft in sight: its least and greatest value, and the x that it may reach."""
        if (values, until) != (self.y.drafted, self.x.drafted_until):
            self.x.set_drafted_until(until)
            self.y.drafted = values
            self.changed.emit()

    def lock_y(self, y: Range | None) -> None:
        """Keep the y range as a hand needs it while it drags, in the axis's numbers; None: fit it again."""
        if y != self.y.held:
            self.y.held = y
            self.chosen.emit()

    # By the reader -----------------------------------------------------------------------------

    def zoom(self, x0: float, x1: float) -> None:
        """Show a range and tell the board, unless x is the drawing's own."""
        own = self.x.own
        if self.x.stay(x0, x1, own=own):
            self.y.forget()
            self.chosen.emit()
            if not own:
                self.zoomed.emit(x0, x1)

    def follow(self) -> None:
        """Show the whole run again, and tell the board."""
        self.set_follow()
        self.chosen.emit()
        self.follow_requested.emit()
