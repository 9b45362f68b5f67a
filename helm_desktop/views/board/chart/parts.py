"""The parts of a chart that show it, for those that the reader uses on it."""

from __future__ import annotations

from weakref import ref

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QFrame

from helm_desktop.views.board.canvas.plot import PlotView
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.crosshair import Crosshair
from helm_desktop.views.board.chart.header import ChartHeader
from helm_desktop.views.board.chart.renderer import ChartRenderer
from helm_desktop.views.board.content.content import ChartContent


class ChartParts:
    """Of one chart, made once and kept as long as it.

    The card is referred to weakly: a chart that somebody drops is then destroyed at once and as a whole. The
    garbage collector would take its parts one by one, and the scene of the plot before the plot.
    """

    def __init__(
        self,
        frame: QFrame,
        content: ChartContent,
        ranges: ChartRanges,
        renderer: ChartRenderer,
        header: ChartHeader,
        crosshair: Crosshair,
    ) -> None:
        self._frame = ref(frame)
        self.content = content  # what is shown
        self.ranges = ranges  # which window of it
        self.renderer = renderer  # draws it
        self.plot: PlotView = renderer.plot  # axes and picture: what the mouse is used on
        self.header = header
        self.crosshair = crosshair

    @property
    def frame(self) -> QFrame:
        """The card with all of it."""
        frame = self._frame()
        assert frame is not None, "a part is used after its chart was destroyed"
        return frame

    def point_at(self, x: float) -> QPoint:
        """Return where an x is on the card, half way up the picture."""
        rect = self.plot.pixels.picture_rect()
        place = self.plot.pixels.place_of(self.ranges.x.to_axis((x, x))[0])
        return QPoint(self.plot.mapTo(self.frame, QPointF(rect.left() + place, rect.center().y()).toPoint()))
