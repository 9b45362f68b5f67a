"""What the picture of a chart leaves out."""

from __future__ import annotations

from helm_desktop.views.board.content.shown_data import ShownData
from helm_desktop.views.board.content.x_axis import XAxis


def hidden_points(data: ShownData, x: XAxis) -> int:
    """Return how many finite points logarithmic axes cannot show."""
    spec, shown = data.spec, data.source.shown
    count = sum(one.series.non_positive for one in shown) if spec.log_y else 0
    if spec.log_x:
        origin, column = x.origin(), x.column
        for one in shown:
            for segment in one.series.segments.values():
                track = segment.pyramid(column)
                count += track.axis(column).search(origin, "right") if len(track) else 0
    return count


def notice(data: ShownData, x: XAxis, non_finite: int) -> str:
    """Return what is left out, in words: "3 not finite, 2 hidden"."""
    hidden, unplaced = hidden_points(data, x), data.source.unplaced
    parts = [f"{non_finite:,} not finite"] if non_finite else []
    parts += [f"{hidden:,} hidden"] if hidden else []
    parts += [f"{unplaced:,} without {data.spec.x}"] if unplaced else []
    return ", ".join(parts)
