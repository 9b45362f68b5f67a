"""The crosshair of a chart: a line at an x, and the value there in the header."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.header import ChartHeader
from helm_desktop.views.board.chart.renderer import ChartRenderer
from helm_desktop.views.board.content.content import ChartContent


class Crosshair(QObject):
    """Shared by the charts of a board: `set_x` takes another chart's, `move` is the reader's here."""

    moved = Signal(object)  # by the reader to this x, or None: away

    def __init__(
        self,
        content: ChartContent,
        ranges: ChartRanges,
        renderer: ChartRenderer,
        header: ChartHeader,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._ranges = ranges
        self._renderer = renderer
        self._header = header
        self.x: float | None = None
        renderer.drawn.connect(self._place)
        renderer.drawing_changed.connect(self._clear)

    def set_x(self, x: float | None) -> None:
        """Show the line at an x, or nowhere."""
        if x != self.x:
            self.x = x
            self._place()

    def move(self, x: float | None) -> None:
        """Show the line where the reader points, and tell the board."""
        self.set_x(x)
        self.moved.emit(x)

    @property
    def step(self) -> int | None:
        """The step under the crosshair, where x is the step."""
        on_steps = self._content.x.on_steps and not self._ranges.x.own
        return round(self.x) if on_steps and self.x is not None else None

    def _clear(self) -> None:
        self.set_x(None)

    def _place(self) -> None:
        """Put the line where it belongs in the window that is drawn."""
        x, axis, plot = self.x, self._ranges.x, self._renderer.plot
        low, high = axis.shown
        inside = x is not None and low <= x <= high and not axis.own
        place = None
        if inside and x is not None:
            place = plot.pixels.place_of(axis.to_axis((x, x))[0])
        plot.canvas.set_line(place)
        if x is None or not inside:
            self._header.figure.set_text(self._renderer.drawing.summary())
        elif len(self._content.curves.all()) == 1:
            _, readings = self._content.readings.at(x, self._renderer.theme)
            if len(readings) == 1:
                self._header.figure.set_text(readings[0].text)
