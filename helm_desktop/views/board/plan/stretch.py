"""Growth of the y range while a keyframe is dragged beyond the edge of the picture."""

from __future__ import annotations

from helm_desktop.views.board.canvas.ranges import Range

TICK_MS = 33
_SHARE = 0.03  # of the range, added in each tick while the pointer is at the edge
_MAX_FACTOR = 5.0  # at most so many times _SHARE, far beyond the edge
_FAR_PX = 15.0  # each so many pixels beyond the edge add _SHARE once more


def grown(shown: Range, beyond: float) -> Range:
    """Return the y range after one tick, with the pointer `beyond` pixels above the picture; below: < 0."""
    low, high = shown
    more = (high - low) * _SHARE * min(_MAX_FACTOR, 1.0 + abs(beyond) / _FAR_PX)
    return (low, high + more) if beyond > 0 else (low - more, high)
