"""The ways to draw a chart, by the name that its spec has for them."""

from __future__ import annotations

from helm_desktop.model.chart.spec import Draw
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.drawing.bars import BarsDrawing
from helm_desktop.views.board.drawing.drawing import Drawing
from helm_desktop.views.board.drawing.heatmap import HeatmapDrawing
from helm_desktop.views.board.drawing.histogram import HistogramOverTime
from helm_desktop.views.board.drawing.lines import LinesDrawing
from helm_desktop.views.board.drawing.multiples import MultiplesDrawing
from helm_desktop.views.board.drawing.scatter import ScatterDrawing

_DRAWINGS: dict[Draw, type[Drawing]] = {
    "lines": LinesDrawing,
    "heatmap": HeatmapDrawing,
    "multiples": MultiplesDrawing,
    "bars": BarsDrawing,
    "histogram": HistogramOverTime,
    "scatter": ScatterDrawing,
}


def drawing_of(draw: Draw, content: ChartContent) -> Drawing:
    """Return a drawing of a content."""
    return _DRAWINGS[draw](content)
