"""The picture inside the axes: painted when a chart is renewed, only copied when the window repaints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from helm_desktop.theme import Theme, mix, text_font
from helm_desktop.views.board.marks import Placed, paint_marks, paint_odd

Numbers = NDArray[np.float64]
Height = TypeVar("Height", float, Numbers)
# In widths of the picture: a longer way is noise, where soft edges cost much and show nothing.
_SMOOTH_TRAVEL = 3.0
_FAR = 30_000.0
_INSET_PX = 1.5  # above and below, so that a line along the edge of the range is seen whole


@dataclass(slots=True)
class Curve:
    """A polyline in the numbers of the axes."""

    x: Numbers
    y: Numbers
    colour: str
    faint: bool = False
    dashed: bool = False


@dataclass(slots=True)
class Picture:
    """All that a canvas shows, in the numbers of the axes."""

    x0: float = 0.0
    x1: float = 1.0
    y0: float = 0.0
    y1: float = 1.0
    grid: list[float] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    marks: list[tuple[str, float]] = field(default_factory=list)
    odd: list[float] = field(default_factory=list)
    notice: str = ""  # "3 not finite"
    now: float | None = None
    label: tuple[float, float, str] | None = None  # beside the planned line
    empty: str = ""


def polygon(x: Numbers, y: Numbers) -> QPolygonF:
    """Numbers as Qt wants them, copied once."""
    made = pg.functions.create_qpolygonf(len(x))
    if len(x):
        room = pg.functions.ndarray_from_qpolygonf(made)
        room[:, 0] = x
        room[:, 1] = y
    return made  # type: ignore[no-any-return]


class Canvas(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Lies in the view box and covers it."""

    def __init__(self, box: pg.ViewBox, theme: Theme) -> None:
        super().__init__(box)
        self.drawn_points = 0
        self._box = box
        self._theme = theme
        self._font = text_font(11)
        self._pixmap = QPixmap()
        self._ground = QPixmap()
        self._ground_key: object = None
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def dress(self, theme: Theme) -> None:
        """Takes the colours of a theme; the next picture wears them."""
        self._theme = theme
        self._ground_key = None

    def size(self) -> QSizeF:
        """The room inside the axes, in logical pixels."""
        return QSizeF(self._box.size())

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        if self._pixmap.isNull():
            return
        ratio = self._pixmap.devicePixelRatio()
        part = option.exposedRect.intersected(self.boundingRect())
        source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
        painter.drawPixmap(part, self._pixmap, source)

    def show_picture(self, picture: Picture, ratio: float) -> None:
        """Paints a picture for a screen of that many device pixels a pixel."""
        size = self.size()
        if size.width() < 2 or size.height() < 2:
            return
        wide, high = round(size.width() * ratio), round(size.height() * ratio)
        self._prepare(picture, wide, high, ratio)
        painter = QPainter(self._pixmap)
        self._curves(painter, picture, wide, high, ratio)
        painter.scale(ratio, ratio)
        painter.setFont(self._font)
        self._notes(painter, picture, size.width(), size.height())
        painter.end()
        self._pixmap.setDevicePixelRatio(ratio)
        self.update()

    def _prepare(self, picture: Picture, wide: int, high: int, ratio: float) -> None:
        """Starts from the ground with its grid lines, which is painted only when they move."""
        key = (wide, high, ratio, picture.y0, picture.y1, tuple(picture.grid), self._theme.name)
        if key != self._ground_key:
            self._ground_key = key
            ground = QPixmap(wide, high)
            ground.fill(QColor(self._theme.card))
            painter = QPainter(ground)
            line = QColor(mix(self._theme.card, self._theme.line, 0.9))
            thick = max(1, round(ratio))
            for value in picture.grid:
                y = round(_height_of(value, picture, high, ratio) - thick / 2)
                painter.fillRect(0, y, wide, thick, line)
            painter.end()
            self._ground = ground
        self._pixmap = self._ground.copy()

    def _curves(self, painter: QPainter, picture: Picture, wide: int, high: int, ratio: float) -> None:
        self.drawn_points = 0
        kx = wide / (picture.x1 - picture.x0)
        for curve in picture.curves:
            x = (curve.x - picture.x0) * kx
            y = _height_of(curve.y, picture, high, ratio)
            self.drawn_points += int(np.searchsorted(x, wide + 1e-6, "right") - np.searchsorted(x, -1e-6))
            x, y = _clipped(x, y, wide)
            if len(x):
                self._stroke(painter, curve, x, y, wide, ratio)

    def _stroke(
        self, painter: QPainter, curve: Curve, x: Numbers, y: Numbers, wide: int, ratio: float
    ) -> None:
        colour = QColor(mix(self._theme.card, curve.colour, 0.4) if curve.faint else curve.colour)
        if len(x) == 1:
            painter.fillRect(QRectF(x[0] - 1.5 * ratio, y[0] - 1.5 * ratio, 3 * ratio, 3 * ratio), colour)
            return
        travel = float(np.abs(y[1:] - y[:-1]).sum())
        soft = curve.dashed or travel < _SMOOTH_TRAVEL * wide
        pen = QPen(colour, 1.5 * ratio if soft else 0)
        pen.setCosmetic(True)
        if curve.dashed:
            pen.setDashPattern([3, 2.5])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
        line = polygon(x, y)
        painter.drawPolyline(line)
        if not soft and ratio >= 1.5:  # twice one pixel is far cheaper than a pen of two
            painter.translate(0, 1)
            painter.drawPolyline(line)
            painter.translate(0, -1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _notes(self, painter: QPainter, picture: Picture, width: float, height: float) -> None:
        theme = self._theme
        kx = width / (picture.x1 - picture.x0)
        if picture.now is not None and picture.x0 <= picture.now <= picture.x1:
            painter.setPen(QPen(QColor(mix(theme.card, theme.quiet, 0.45)), 1))
            x = min(round((picture.now - picture.x0) * kx), int(width) - 1) + 0.5
            painter.drawLine(QLineF(x, 0, x, height))
        if picture.label is not None:
            self._label(painter, picture, picture.label, width, height)
        places = [Placed(kind, (step - picture.x0) * kx) for kind, step in picture.marks]
        paint_marks(painter, [mark for mark in places if -5 <= mark.x <= width + 5], height, theme)
        if picture.odd or picture.notice:
            paint_odd(painter, [(x - picture.x0) * kx for x in picture.odd], picture.notice, width, theme)
        if picture.empty:
            painter.setPen(QColor(theme.quiet))
            painter.drawText(QRectF(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, picture.empty)

    def _label(
        self,
        painter: QPainter,
        picture: Picture,
        label: tuple[float, float, str],
        width: float,
        height: float,
    ) -> None:
        x, y, text = label
        px = (x - picture.x0) * width / (picture.x1 - picture.x0)
        py = float(_height_of(y, picture, height, 1.0))
        box = QRectF(px - 50, py - 22, 100, 16)
        box.moveLeft(min(max(box.left(), 0.0), width - 100))
        box.moveTop(max(box.top(), 0.0))
        painter.setPen(QColor(self._theme.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _height_of(y: Height, picture: Picture, high: float, ratio: float) -> Height:
    inset = _INSET_PX * ratio
    return inset + (picture.y1 - y) * ((high - 2 * inset) / (picture.y1 - picture.y0))


def _clipped(x: Numbers, y: Numbers, wide: int) -> tuple[Numbers, Numbers]:
    """Cuts a line at the sides, so that no coordinate is beyond what a rasteriser takes."""
    left, right = -4.0, wide + 4.0
    if x.size and (x[0] < left or x[-1] > right):
        first = max(int(np.searchsorted(x, left)) - 1, 0)
        last = min(int(np.searchsorted(x, right, "right")) + 1, len(x))
        x, y = x[first:last].copy(), y[first:last].copy()
        if len(x) > 1:
            for end, beside, edge in ((0, 1, left), (-1, -2, right)):
                beyond = x[end] < edge if end == 0 else x[end] > edge
                if beyond and x[end] != x[beside]:
                    y[end] += (y[beside] - y[end]) * ((edge - x[end]) / (x[beside] - x[end]))
                    x[end] = edge
    return x, np.clip(y, -_FAR, _FAR)
