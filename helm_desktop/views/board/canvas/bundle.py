"""Very many short curves as a few broken polylines, joined once and moved as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.picture import Curve, Numbers

FROM_CURVES = 48
_LONGEST = 2_000  # points of a series; longer ones need their own envelope
_ZOOM_MOST = 40.0  # beyond this the ends are too far out for the rasteriser


class Bundle:
    """Whole series by colour: nothing is computed for a pan but the place of each point."""

    def __init__(self) -> None:
        self.curves: list[Curve] = []
        self.non_finite = 0
        self.points = 0
        self._key: object = None
        self._x: Numbers = np.empty(0)
        self._y: Numbers = np.empty(0)
        self._extent = (0.0, 0.0)

    @staticmethod
    def serves(series: Sequence[Series], axis: str) -> bool:
        """Return True when these are many, short, and of one attempt each."""
        return (
            len(series) >= FROM_CURVES
            and axis == "step"
            and all(len(one.segments) == 1 and one.count <= _LONGEST for one in series)
        )

    def refresh(self, series: Sequence[Series], theme: Theme, *, log: bool) -> None:
        """Join the series anew where one of them has changed."""
        key = ([(id(one), one.count) for one in series], theme.name, log)
        if key == self._key:
            return
        self._key = key
        by_colour: dict[str, list[Series]] = {}
        for at, one in enumerate(series):
            by_colour.setdefault(theme.curves[at % len(theme.curves)], []).append(one)
        self.curves = [self._join(group, colour, log=log) for colour, group in by_colour.items()]
        self._x = np.concatenate([curve.x for curve in self.curves])
        self._y = np.concatenate([curve.y for curve in self.curves])
        self.points = sum(one.count for one in series)
        self.non_finite = sum(one.non_finite for one in series)
        self._extent = (float(np.nanmin(self._x)), float(np.nanmax(self._x))) if self.points else (0.0, 0.0)

    def fits(self, x0: float, x1: float) -> bool:
        """Return True when a window is wide enough for whole polylines."""
        return self._extent[1] - self._extent[0] <= _ZOOM_MOST * (x1 - x0)

    @property
    def extent(self) -> tuple[float, float]:
        """First and last x."""
        return self._extent

    def reach(self, x0: float, x1: float) -> tuple[float, float]:
        """Least and greatest y in a window."""
        seen = self._y[(self._x >= x0) & (self._x <= x1)]
        return (float(seen.min()), float(seen.max())) if len(seen) else (float("nan"), float("nan"))

    @staticmethod
    def _join(group: Sequence[Series], colour: str, *, log: bool) -> Curve:
        xs, ys = [], []
        gap = np.array([np.nan])
        for one in group:
            (segment,) = one.segments.values()
            track = segment.pyramid("step")
            x = track.step.slice(0, len(track)).astype(np.float64)
            y = track.value.slice(0, len(track))
            kept = np.isfinite(y) & (y > 0) if log else np.isfinite(y)
            xs += [x[kept], gap]
            ys += [np.log10(y[kept]) if log else y[kept], gap]
        return Curve(np.concatenate(xs), np.concatenate(ys), colour, broken=True)
