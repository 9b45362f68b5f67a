"""The y range while a hand drags: it grows where the hand pulls at its edge, and the handle stays with it."""

from __future__ import annotations

from helm_desktop.views.board.canvas.ranges import Range

TICK_MS = 33
_PART = 0.03  # of the range a tick, at its edge
_MOST = 5.0  # times that, far beyond it
_FAR_PX = 15.0  # beyond the edge: once more that part


def grown(held: Range, beyond: float) -> Range:
    """A little more range for a hand so many pixels above the upper edge; below the lower one negative."""
    low, high = held
    more = (high - low) * _PART * min(_MOST, 1.0 + abs(beyond) / _FAR_PX)
    return (low, high + more) if beyond > 0 else (low - more, high)
