"""The specification of a chart, as it is stored with a board."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

Draw = Literal["lines", "heatmap", "multiples", "bars", "histogram", "scatter"]
Ranks = Literal["each", "mean", "band", "max", "min"]

DRAWS: tuple[Draw, ...] = get_args(Draw)
RANKS: tuple[Ranks, ...] = get_args(Ranks)
RANKS_LABELS = {
    "mean": "mean of ranks",
    "band": "mean of ranks with band",
    "max": "greatest of ranks",
    "min": "least of ranks",
}
DRAW_LABELS: dict[Draw, str] = {
    "lines": "Lines",
    "heatmap": "Heatmap rows",
    "multiples": "Small multiples",
    "bars": "Bars of the last",
    "histogram": "Histogram over time",
    "scatter": "Scatter",
}
STEP, RELATIVE, WALL, ACTIVE = "step", "relative", "wall", "active"
TIMES = (RELATIVE, WALL, ACTIVE)
X_LABELS = {STEP: "step", RELATIVE: "relative time", ACTIVE: "active time", WALL: "wall time"}


class DerivedCurve(msgspec.Struct, frozen=True, omit_defaults=True):
    """A curve that is computed from others by an expression, such as `"train/loss" - "eval/loss"`."""

    expression: str
    name: str = ""


class ChartSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a chart shows and how. A series is a name, or a pattern with variables: `loss/{source}`."""

    series: tuple[str, ...] = ()
    derived: tuple[DerivedCurve, ...] = ()
    left_out: tuple[str, ...] = ()  # names that match a pattern and are not drawn
    draw: Draw = "lines"
    title: str = ""
    unit: str = ""
    x: str = STEP  # step, relative, wall, active, or the name of an axis or a metric
    log_x: bool = False
    log_y: bool = False
    smoothing: float = 0.0  # the weight of the average so far: 0 or more and less than 1
    ignore_outliers: bool = False
    y_range: tuple[float, float] | None = None
    ranks: Ranks = "each"
    marks: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.smoothing < 1:
            raise ValueError(f"smoothing is {self.smoothing}, it must be 0 or more and less than 1")
        if self.y_range is not None and not self.y_range[0] < self.y_range[1]:
            raise ValueError("the lower end of the y range must be below the upper end")

    @property
    def heading(self) -> str:
        """The title; without one the first names that the chart shows."""
        if self.title:
            return self.title
        names = (*self.series, *(one.name or one.expression for one in self.derived))
        return ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")

    @property
    def drawing_text(self) -> str:
        """How it is drawn, such as "heatmap rows" or "mean of ranks"; empty for single lines over steps."""
        over = "" if self.x == STEP else f"over {X_LABELS.get(self.x, self.x)}"
        drawing = over if self.draw == "lines" else DRAW_LABELS[self.draw].lower()
        return ", ".join(part for part in (drawing, RANKS_LABELS.get(self.ranks, "")) if part)

    @property
    def over_time(self) -> bool:
        """Whether the x axis is a time."""
        return self.x in TIMES

    def with_(self, **changes: object) -> ChartSpec:
        """Return a copy with some parts changed."""
        return msgspec.structs.replace(self, **changes)

    def encode(self) -> bytes:
        """Return the JSON of it, without parts that have their default."""
        return msgspec.json.encode(self)

    @staticmethod
    def decode(data: bytes | str) -> ChartSpec:
        """Read it from JSON; parts that this version does not know are ignored."""
        return msgspec.json.decode(data, type=ChartSpec)
