"""The marks on the x axis, and × where values are not finite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from helm_desktop.theme import Theme
from helm_desktop.widgets.mark_glyph import mark_colour, paint_mark

REACH_PX = 5.0
_SIZE = 9.0


@dataclass(frozen=True, slots=True)
class PlacedMark:
    """A mark and its place on the picture, in pixels."""

    kind: str
    x: float


def paint_marks(painter: QPainter, marks: Iterable[PlacedMark], height: float, theme: Theme) -> None:
    """Draw marks on the lower edge; a change has a dashed line up to the top."""
    for mark in marks:
        colour = QColor(mark_colour(theme, mark.kind))
        centre = QPointF(round(mark.x) + 0.5, height - _SIZE / 2 - 1)
        if mark.kind == "change":
            line = QColor(colour)
            line.setAlphaF(0.6)
            pen = QPen(line, 1)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            painter.drawLine(QLineF(centre.x(), 0, centre.x(), height - _SIZE - 2))
        paint_mark(painter, mark.kind, centre, _SIZE, colour)


def paint_odd(painter: QPainter, places: Iterable[float], text: str, width: float, theme: Theme) -> None:
    """× at the upper edge where values are not finite, and how many."""
    lines: list[QLineF] = []
    taken = -1e9
    for x in places:
        if x - taken >= 7:
            taken = x
            x = round(x) + 0.5
            lines += [QLineF(x - 2, 1.5, x + 2, 5.5), QLineF(x - 2, 5.5, x + 2, 1.5)]
    painter.setPen(QPen(QColor(theme.bad), 1))
    painter.drawLines(lines)
    if text:
        wide = painter.fontMetrics().horizontalAdvance(text)
        box = QRectF(width - wide - 8, 9, wide + 8, 15)
        painter.fillRect(box, QColor(theme.card))
        painter.setPen(QColor(theme.bad if "not finite" in text else theme.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
