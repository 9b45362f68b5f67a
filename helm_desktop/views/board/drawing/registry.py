"""The ways to draw a chart, by the name that its spec has for them."""

from __future__ import annotations

from helm_desktop.model.chart.spec import Draw
from helm_desktop.views.board.content.content import Content
from helm_desktop.views.board.drawing.bars import Bars
from helm_desktop.views.board.drawing.drawing import Drawing
from helm_desktop.views.board.drawing.heatmap import Heatmap
from helm_desktop.views.board.drawing.histogram import HistogramOverTime
from helm_desktop.views.board.drawing.lines import Lines
from helm_desktop.views.board.drawing.multiples import Multiples
from helm_desktop.views.board.drawing.scatter import Scatter

_DRAWINGS: dict[Draw, type[Drawing]] = {
    "lines": Lines,
    "heatmap": Heatmap,
    "multiples": Multiples,
    "bars": Bars,
    "histogram": HistogramOverTime,
    "scatter": Scatter,
}


def drawing_of(draw: Draw, content: Content) -> Drawing:
    """A drawing of a content."""
    return _DRAWINGS[draw](content)
