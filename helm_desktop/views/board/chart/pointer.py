"""What the mouse does on the picture of a chart: crosshair, tooltip, zoom."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF

from helm_desktop.views.board.chart.nearby_marks import NearbyMarks
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.content.tooltip import ChartTooltip


class ChartPointer(QObject):
    """Read the chart under the pointer; what the reader asks for by wheel and drag goes to the ranges."""

    def __init__(self, parts: ChartParts, marks: NearbyMarks) -> None:
        super().__init__(parts.frame)
        self._parts = parts
        self._marks = marks
        self._tip: ChartTooltip | None = None
        parts.plot.hovered.connect(self._hover)
        parts.plot.range_requested.connect(self._zoom)
        parts.plot.follow_requested.connect(parts.ranges.follow)
        parts.renderer.drawing_changed.connect(self.hide_tip)

    def _zoom(self, a: float, b: float) -> None:
        if not self._parts.renderer.drawing.cells:
            self._parts.ranges.zoom(*self._parts.ranges.x.from_axis((a, b)))

    def _hover(self, at: float | None, y: float) -> None:
        parts = self._parts
        if parts.renderer.drawing.cells:
            self._hover_cells(at, y)
            return
        x = None if at is None else parts.ranges.x.from_axis((at, at))[0]
        if not parts.ranges.x.own:
            parts.crosshair.move(x)
        if x is None:
            self.hide_tip()
        else:
            self._show_tip(x, y)

    def _hover_cells(self, at: float | None, y: float) -> None:
        if at is None:
            self.hide_tip()
            return
        plot = self._parts.plot
        low, high = self._parts.ranges.y.shown
        place = plot.pixels.place_of(at), (high - y) / (high - low) * plot.canvas.inner().height()
        reported = self._parts.renderer.drawing.pointer_report_at(*place)
        if reported.heading:
            spot = (plot.pixels.picture_rect().topLeft() + QPointF(*place)).toPoint()
            position = plot.mapTo(plot.window(), spot)
            self._made_tip().show_readings(
                reported.heading, list(reported.readings), list(reported.notes), position
            )
        else:
            self.hide_tip()

    # Tooltip -----------------------------------------------------------------------------------

    def _show_tip(self, x: float, y: float) -> None:
        content, plot, renderer = self._parts.content, self._parts.plot, self._parts.renderer
        axis = self._parts.ranges.x
        reported = renderer.drawing.pointer_report(x, y, renderer.theme)
        notes = list(reported.notes)
        if not axis.own:
            notes += [f"step {mark.step:,}: {mark.text}" for mark in self._marks.at(x)]
        if renderer.notice:
            notes.append(renderer.notice)
        notes += content.source.problems
        if not reported.heading and not reported.readings:
            self.hide_tip()
            return
        rect = plot.pixels.picture_rect()
        place = QPointF(rect.left() + plot.pixels.place_of(axis.to_axis((x, x))[0]), rect.center().y())
        position = plot.mapTo(plot.window(), place.toPoint())
        highlighted = content.visibility.highlighted
        self._made_tip().show_readings(
            reported.heading, list(reported.readings), notes, position, highlighted
        )

    def _made_tip(self) -> ChartTooltip:
        """Return the tooltip, above all of the window that the chart is in now."""
        window = self._parts.frame.window()
        if self._tip is None or self._tip.parentWidget() is not window:
            self._tip = ChartTooltip(window)
            self._parts.frame.destroyed.connect(self._tip.deleteLater)
        return self._tip

    def tip_text(self) -> str:
        """Return what the tooltip says; empty while there is none."""
        return self._tip.text() if self._tip is not None and self._tip.isVisible() else ""

    def hide_tip(self) -> None:
        """Take the tooltip away."""
        if self._tip is not None:
            self._tip.hide()
