"""The parts of a chart that show it, for those that the reader uses on it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QFrame

from helm_desktop.views.board.canvas.plot import PlotView
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.crosshair import Crosshair
from helm_desktop.views.board.chart.header import ChartHeader
from helm_desktop.views.board.chart.renderer import ChartRenderer
from helm_desktop.views.board.content.content import ChartContent


@dataclass(frozen=True)
class ChartParts:
    """Of one chart, made once and kept as long as it."""

    frame: QFrame  # the card with all of it
    content: ChartContent  # what is shown
    ranges: ChartRanges  # which window of it
    renderer: ChartRenderer  # draws it
    plot: PlotView  # the axes with the picture between them: what the mouse is used on
    header: ChartHeader
    crosshair: Crosshair

    def point_at(self, x: float) -> QPoint:
        """Where an x is on the card, half way up the picture."""
        rect = self.plot.pixels.picture_rect()
        place = self.plot.pixels.place_of(self.ranges.x.to_axis((x, x))[0])
        return QPoint(self.plot.mapTo(self.frame, QPointF(rect.left() + place, rect.center().y()).toPoint()))
