"""What a chart shows, without a chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helm_desktop.views.board.content.content import ChartContent


def series_of(name: str, values: Sequence[float], *processes: str, first: int = 0) -> Series:
    """A series of these processes, a point a step and each half second from second 100 on."""
    series = Series(name)
    steps = np.arange(first, first + len(values))
    for process in processes or ("rank-0",):
        series.append(process, 1, steps, 100 + steps * 0.5, np.asarray(values, float))
    return series


def content_of(spec: ChartSpec, *series: Series) -> ChartContent:
    """What a chart of a run with these series shows."""
    made = ChartContent()
    made.set_spec(spec, {one.name: one for one in series})
    made.refresh()
    return made
