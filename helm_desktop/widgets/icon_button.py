"""A button that shows a small painted picture: no font of the app has these characters."""

import math
from collections.abc import Callable
from typing import Final, Literal

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolButton, QWidget

from helm_desktop.theme import Theme, set_look, theme_of

IconKind = Literal["edit", "full-window", "gear", "more"]

GRID: Final = 16.0  # the pictures are drawn in a square of this size
_PEN: Final = 1.3
_TEETH: Final = 8


def _edit() -> QPainterPath:
    """Return the path of a pencil."""
    path = QPainterPath()
    outline = [(2.6, 13.4), (3.4, 10.2), (10.9, 2.7), (13.3, 5.1), (5.8, 12.6)]
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in outline]))
    path.closeSubpath()
    path.moveTo(9.1, 4.5)
    path.lineTo(11.5, 6.9)
    return path


def _full_window() -> QPainterPath:
    """Two arrows from the middle to two corners."""
    path = QPainterPath()
    for strokes in (
        [(9.4, 6.6), (13.2, 2.8)],
        [(9.6, 2.6), (13.4, 2.6), (13.4, 6.4)],
        [(6.6, 9.4), (2.8, 13.2)],
        [(2.6, 9.6), (2.6, 13.4), (6.4, 13.4)],
    ):
        path.moveTo(*strokes[0])
        for x, y in strokes[1:]:
            path.lineTo(x, y)
    return path


def _gear() -> QPainterPath:
    """Return the path of a gear wheel."""
    path, middle = QPainterPath(), GRID / 2
    corners = []
    for tooth in range(_TEETH):
        for degrees, radius in ((-15, 4.7), (-10, 6.5), (10, 6.5), (15, 4.7)):
            angle = math.radians(tooth * 360 / _TEETH + degrees)
            corners.append(QPointF(middle + radius * math.cos(angle), middle + radius * math.sin(angle)))
    path.addPolygon(QPolygonF(corners))
    path.closeSubpath()
    path.addEllipse(QPointF(middle, middle), 2.0, 2.0)
    return path


def _more() -> QPainterPath:
    """Three dots in a row."""
    path = QPainterPath()
    for x in (3.0, 8.0, 13.0):
        path.addEllipse(QPointF(x, GRID / 2), 0.6, 0.6)
    return path


_PICTURES: Final[dict[IconKind, Callable[[], QPainterPath]]] = {
    "edit": _edit,
    "full-window": _full_window,
    "gear": _gear,
    "more": _more,
}


class IconButton(QToolButton):
    """A tool button with a picture in the theme's colours, with tooltip and accessible name."""

    def __init__(
        self, kind: IconKind, name: str, look: str = "", *, pixels: int = 14, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._path = _PICTURES[kind]()
        self.setIconSize(QSize(pixels, pixels))  # the room that the style leaves for it
        self.setToolTip(name)
        self.setAccessibleName(name)
        if look:
            set_look(self, look)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # the ground, and the line around it that shows the focus
        side = self.iconSize().width()
        scale = side / GRID
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate((self.width() - side) / 2, (self.height() - side) / 2)
        painter.scale(scale, scale)
        pen = QPen(QColor(self._colour(theme_of(self))), _PEN / scale)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(self._path)
        painter.end()

    def _colour(self, theme: Theme) -> str:
        if not self.isEnabled():
            return theme.faint
        flat = str(self.property("look") or "").startswith("flat")
        return theme.quiet if flat and not self.underMouse() else theme.text
