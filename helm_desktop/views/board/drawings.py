"""The ways to draw a chart, by the name that its spec has for them."""

from __future__ import annotations

from helm_desktop.model.chart_spec import Draw
from helm_desktop.views.board.bars import Bars
from helm_desktop.views.board.content import Content
from helm_desktop.views.board.drawing import Drawing
from helm_desktop.views.board.heatmap import Heatmap
from helm_desktop.views.board.histogram import HistogramOverTime
from helm_desktop.views.board.lines import Lines
from helm_desktop.views.board.multiples import Multiples
from helm_desktop.views.board.scatter import Scatter

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
