"""What a chart was handed to show, as far as its parts need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from helm_desktop.model.chart.chart_source import ChartSource
from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import STEP, ChartSpec
from helm_desktop.model.media.histograms import Histograms
from helm_desktop.views.board.canvas.picture import Numbers


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """What is planned for a curve: linear between its points."""

    x: Numbers
    y: Numbers
    label: str
    axis: str = STEP  # what x counts


class ShownData(Protocol):
    """The data of a chart; other data may take their place at any time."""

    spec: ChartSpec
    source: ChartSource  # the series that the spec asks for
    marks: Sequence[Mark]
    histograms: Sequence[Histograms]  # what the run logged as histograms under the chart's names
