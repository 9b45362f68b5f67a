"""What the legend of a chart names: its curves with their colours, hidden ones too."""

from __future__ import annotations

from helm_desktop.theme import Theme
from helm_desktop.views.board.content.curves import ChartCurves
from helm_desktop.views.board.content.legend import LegendEntry
from helm_desktop.views.board.content.visibility import CurveVisibility


class LegendEntries:
    """Made anew only where curves, their visibility or the theme changed."""

    def __init__(self, curves: ChartCurves, visibility: CurveVisibility) -> None:
        self._curves = curves
        self._visibility = visibility
        self._key: object = None
        self._all: list[LegendEntry] = []

    def all(self, theme: Theme) -> list[LegendEntry]:
        """Return an entry for each curve, in the order of the curves."""
        curves = self._curves.all()
        key = (id(curves), theme.name, self._visibility.key)
        if key != self._key:
            self._key = key
            self._all = [
                LegendEntry(
                    curve.key,
                    curve.name,
                    self._curves.colour(theme, at),
                    self._visibility.is_hidden(curve.key),
                )
                for at, curve in enumerate(curves)
            ]
        return self._all
