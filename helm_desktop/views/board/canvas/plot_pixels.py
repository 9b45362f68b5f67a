"""Between the pixels of a plot and the numbers of its axes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF

from helm_desktop.views.board.canvas.canvas import INSET_PX, Canvas


class PlotPixels:
    """Positions are those of the plot, in pixels; ranges are in the numbers of the axes."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.x = (0.0, 1.0)  # the ranges that are shown
        self.y = (0.0, 1.0)

    def x_at(self, position: QPointF) -> float:
        """Return the x under a position."""
        low, high = self.x
        return low + (high - low) * self.across(position) / max(1, self._canvas.inner().width())

    def y_at(self, position: QPointF) -> float:
        """Return the y under a position."""
        low, high = self.y
        share = (position.y() - self.picture_rect().top()) / max(1, self._canvas.inner().height())
        return float(high - (high - low) * share)

    def place_of(self, x: float) -> float:
        """Return where an x is inside the picture, from its left edge."""
        low, high = self.x
        return (x - low) / (high - low) * self._canvas.inner().width()

    def picture_rect(self) -> QRectF:
        """Return the rectangle inside the axes."""
        return QRectF(QPointF(self._canvas.pos() + QPoint(INSET_PX, INSET_PX)), self._canvas.inner())

    def across(self, position: QPointF) -> float:
        """Return how far a position is from the picture's left edge."""
        return float(position.x()) - self._canvas.x() - INSET_PX

    def over(self, position: QPointF) -> bool:
        """Return True when a position is over the picture."""
        return self.picture_rect().adjusted(0, -4, 1, 4).contains(position)

    def beside(self, position: QPointF) -> bool:
        """Return True when a position is over the left axis."""
        rect = self.picture_rect()
        return position.x() < rect.left() and rect.top() <= position.y() <= rect.bottom()
