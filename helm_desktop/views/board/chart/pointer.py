"""What the pointer and the arrow keys do on a chart: crosshair, tooltip, zoom, rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from helm_desktop.actions import places
from helm_desktop.views.board.canvas.marks import REACH_PX
from helm_desktop.views.board.chart.key_cursor import ChartKeyCursor
from helm_desktop.views.board.content.tooltip import ChartTooltip
from helm_desktop.widgets import handle_key

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.shown_chart import ShownChart


class ChartPointer:
    """Belongs to one chart."""

    def __init__(self, chart: ShownChart) -> None:
        self._chart = chart
        self._crosshair: float | None = None
        self._tip: ChartTooltip | None = None
        self._row = ""
        plot = chart.plot
        plot.hovered.connect(self._hover)
        plot.left_hovered.connect(self._beside)
        plot.left_clicked.connect(self._click_left)
        chart.drawn.connect(self.place)
        chart.drawing_changed.connect(self.leave)
        chart.crosshair_set.connect(self.set_crosshair)
        self._walk = ChartKeyCursor(chart)

    # Crosshair ---------------------------------------------------------------------------------

    def set_crosshair(self, x: float | None) -> None:
        """A line at an x of the board, and the value there in the header."""
        if x != self._crosshair:
            self._crosshair = x
            self.place()

    @property
    def step(self) -> int | None:
        """The step under the crosshair."""
        on_steps = self._chart.content.on_steps and not self._chart.drawing.own_x
        return round(self._crosshair) if on_steps and self._crosshair is not None else None

    def note_step(self) -> int | None:
        """The step that a note is meant for: that of a note close by, the crosshair's, or the last."""
        chart, x = self._chart, self._crosshair
        if chart.drawing.own_x or chart.drawing.cells:
            return None
        if x is None:
            ends = chart.content.extent()
            return chart.content.places.step_at(ends[1]) if ends is not None else None
        near = [mark.step for mark in chart.content.marks_near(x, self._reach(x)) if mark.own]
        here = chart.content.places.step_at(x)
        return min(near, key=lambda step: abs(step - (here or 0)), default=here)

    def _reach(self, x: float) -> float:
        """How far from x a mark is still meant."""
        chart = self._chart
        low, high = chart.x_range
        wide = max(1.0, chart.plot.canvas.inner().width())
        if chart.spec.log_x:
            return x * (10 ** (REACH_PX * math.log10(high / low) / wide) - 1)
        return (high - low) * REACH_PX / wide

    def place(self) -> None:
        """Puts the line where it belongs in the present range."""
        chart, x = self._chart, self._crosshair
        low, high = chart.x_range
        content = chart.content
        inside = x is not None and low <= x <= high and not chart.drawing.own_x
        place = None
        if inside and x is not None:
            place = chart.plot.place_of(chart.ranges.to_axis((x, x), own=False)[0])
        chart.plot.canvas.set_line(place)
        if x is None or not inside:
            chart.header.figure.set_text(chart.drawing.summary())
        elif len(content.strands()) == 1:
            _, readings = content.readings(x, chart.theme)
            if len(readings) == 1:
                chart.header.figure.set_text(readings[0].text)

    def _hover(self, at: float | None, y: float) -> None:
        chart = self._chart
        if chart.drawing.cells:
            self._hover_cells(at, y)
            return
        own = chart.drawing.own_x
        x = None if at is None else chart.ranges.from_axis((at, at), own=own)[0]
        if not own:
            self.set_crosshair(x)
        if x is None:
            self.hide_tip()
        else:
            self._tell(x, y)
        if not own:
            chart.crosshair_moved.emit(x)

    def _hover_cells(self, at: float | None, y: float) -> None:
        if at is None:
            self.hide_tip()
            return
        chart, plot = self._chart, self._chart.plot
        low, high = chart.y_range
        place = plot.place_of(at), (high - y) / (high - low) * plot.canvas.inner().height()
        told = chart.drawing.told_at(*place)
        if told.heading:
            spot = (plot.picture_rect().topLeft() + QPointF(*place)).toPoint()
            tip, window = self._tip_of(), chart.window()
            tip.tell(told.heading, list(told.readings), list(told.notes), plot.mapTo(window, spot))
        else:
            self.hide_tip()

    def _tip_of(self) -> ChartTooltip:
        window = self._chart.window()
        if self._tip is None or self._tip.parentWidget() is not window:
            self._tip = ChartTooltip(window)
            self._chart.destroyed.connect(self._tip.deleteLater)
        return self._tip

    def _tell(self, x: float, y: float) -> None:
        chart, plot = self._chart, self._chart.plot
        told = chart.drawing.told(x, y, chart.theme)
        notes = list(told.notes)
        if not chart.drawing.own_x:
            near = chart.content.marks_near(x, self._reach(x))
            notes += [f"step {mark.step:,}: {mark.text}" for mark in near]
        if chart.notice:
            notes.append(chart.notice)
        notes += chart.content.source.problems
        axis = chart.ranges.to_axis((x, x), own=chart.drawing.own_x)[0]
        rect = plot.picture_rect()
        place = QPointF(rect.left() + plot.place_of(axis), rect.center().y())
        if not told.heading and not told.readings:
            self.hide_tip()
            return
        tip, spot = self._tip_of(), plot.mapTo(chart.window(), place.toPoint())
        tip.tell(told.heading, list(told.readings), notes, spot, chart.content.lit)

    def tip_text(self) -> str:
        """What the tooltip says; empty while there is none."""
        return self._tip.text() if self._tip is not None and self._tip.isVisible() else ""

    def leave(self) -> None:
        """What was read is no longer there."""
        self.hide_tip()
        self.set_crosshair(None)

    def hide_tip(self) -> None:
        """Takes the tooltip away."""
        if self._tip is not None:
            self._tip.hide()

    # Rows --------------------------------------------------------------------------------------

    def _beside(self, y: float | None) -> None:
        chart = self._chart
        value = chart.drawing.row_at(y) if y is not None and chart.drawing.rows else ""
        self._light_row(value if chart.rows_are_buttons else "")

    def _light_row(self, value: str) -> None:
        chart = self._chart
        if value == self._row:
            return
        self._row = value
        chart.plot.left.hover = chart.drawing.row_place(value) if value else None
        chart.plot.left.update()
        chart.plot.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if value else Qt.CursorShape.ArrowCursor
        )
        chart.plot.viewport().setToolTip(chart.row_words.format(value=value) if value else "")

    def _click_left(self, y: float) -> None:
        chart = self._chart
        value = chart.drawing.row_at(y) if chart.drawing.rows else ""
        if value and chart.rows_are_buttons:
            chart.row_clicked.emit(value)

    # Keys --------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was one of the range's, the crosshair's or a row's."""
        moves: dict[str, Callable[[], object]] = {
            "pan_back": partial(self._move_range, -1 / 10, -1 / 10),
            "pan_on": partial(self._move_range, 1 / 10, 1 / 10),
            "zoom_in": partial(self._move_range, 1 / 8, -1 / 8),
            "zoom_out": partial(self._move_range, -1 / 6, 1 / 6),
            "follow": self._chart.follow,
        }
        open_row = partial(self._chart.row_clicked.emit, self._row) if self._row else None
        return (
            self._walk.key(event)
            or handle_key(event, places.CHART_RANGE, moves)
            or handle_key(event, places.CHART_ROW, {"open_row": open_row})
        )

    def _move_range(self, low_by: float, high_by: float) -> None:
        """Move the ends of the range on x, each by a part of the range."""
        chart, own = self._chart, self._chart.drawing.own_x
        low, high = chart.ranges.to_axis(chart.x_range, own=own)
        span = high - low
        chart.zoom(*chart.ranges.from_axis((low + low_by * span, high + high_by * span), own=own))
