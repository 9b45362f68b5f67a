"""The picture inside the axes: painted when a chart is renewed, only copied when the window repaints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QMargins, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from helm_desktop.theme import Theme, mix, text_font
from helm_desktop.views.board.marks import Placed, paint_marks, paint_odd

Numbers = NDArray[np.float64]
Height = TypeVar("Height", float, Numbers)
# In widths of the picture: a longer way is a block of noise, where soft edges cost and show nothing.
_SOFT_TRAVEL = 12.0
_TWICE_TRAVEL = 4.0
_FEW = 12
_FAR = 30_000.0
INSET_PX = 2  # around the room inside the axes, so that a line along its edge is seen whole


@dataclass(slots=True)
class Curve:
    """A polyline in the numbers of the axes."""

    x: Numbers
    y: Numbers
    colour: str
    faint: bool = False
    dashed: bool = False
    broken: bool = False  # nan between parts


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


class Canvas(QWidget):
    """Lies over the view box. A plain widget: going through the scene costs as much again as the curves."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.drawn_points = 0
        self._font = text_font(11)
        self._pixmap = QPixmap()
        self._line: int | None = None
        self._band: QRect | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.dress(theme)

    def dress(self, theme: Theme) -> None:
        """Takes the colours of a theme; the next picture wears them."""
        self._theme = theme
        self._card_colour = QColor(theme.card)
        self._grid_colour = QColor(mix(theme.card, theme.line, 0.9))
        self._now_colour = QColor(mix(theme.card, theme.quiet, 0.45))

    def set_line(self, x: float | None) -> None:
        """The crosshair's place in pixels."""
        line = None if x is None else round(x)
        if line != self._line:
            for old in (self._line, line):
                if old is not None:
                    self.update(old + INSET_PX, 0, 1, self.height())
            self._line = line

    def set_band(self, a: float | None, b: float = 0.0) -> None:
        """The stretch between two places in pixels, while it is dragged."""
        low, high = sorted((round(a or 0.0), round(b)))
        self._band = (
            None if a is None else QRect(low + INSET_PX, INSET_PX, max(1, high - low), self.inner().height())
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        part = event.rect()
        if self._pixmap.isNull():
            painter.fillRect(part, QColor(self._theme.card))
            return
        ratio = self._pixmap.devicePixelRatio()
        source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
        painter.drawPixmap(QRectF(part), self._pixmap, source)
        if self._band is not None:
            accent = QColor(self._theme.accent)
            accent.setAlphaF(0.18)
            painter.fillRect(self._band, accent)
        elif self._line is not None:
            accent = QColor(self._theme.quiet)
            painter.fillRect(QRect(self._line + INSET_PX, INSET_PX, 1, self.inner().height()), accent)

    def inner(self) -> QSize:
        """The room inside the axes."""
        return self.size().shrunkBy(QMargins(INSET_PX, INSET_PX, INSET_PX, INSET_PX))

    def show_picture(self, picture: Picture, ratio: float) -> None:
        """Paints a picture for a screen of that many device pixels a pixel."""
        size = self.inner()
        if size.width() < 2 or size.height() < 2:
            return
        wide, high = size.width() * ratio, size.height() * ratio
        room = QSize(round(self.width() * ratio), round(self.height() * ratio))
        if self._pixmap.size() != room:
            self._pixmap = QPixmap(room)
        self._pixmap.setDevicePixelRatio(1)
        painter = QPainter(self._pixmap)
        self._ground(painter, picture, wide, high, ratio)
        self._now(painter, picture, wide, high, ratio)
        self._curves(painter, picture, wide, high, ratio)
        painter.scale(ratio, ratio)
        painter.setFont(self._font)
        self._notes(painter, picture, size.width(), size.height())
        painter.end()
        self._pixmap.setDevicePixelRatio(ratio)
        self.update()

    def _ground(self, painter: QPainter, picture: Picture, wide: float, high: float, ratio: float) -> None:
        """The card's colour and the grid lines. Filling is cheaper than copying a picture of them."""
        painter.fillRect(self._pixmap.rect(), self._card_colour)
        painter.translate(INSET_PX * ratio, INSET_PX * ratio)
        thick = max(1, round(ratio))
        for value in picture.grid:
            y = round(_height_of(value, picture, high) - thick / 2)
            painter.fillRect(0, y, round(wide), thick, self._grid_colour)

    def _now(self, painter: QPainter, picture: Picture, wide: float, high: float, ratio: float) -> None:
        """Where the run stands, below the curves."""
        if picture.now is not None and picture.x0 <= picture.now <= picture.x1:
            x = (picture.now - picture.x0) * wide / (picture.x1 - picture.x0)
            painter.fillRect(round(x), 0, max(1, round(ratio)), round(high), self._now_colour)

    def _curves(self, painter: QPainter, picture: Picture, wide: float, high: float, ratio: float) -> None:
        self.drawn_points = 0
        kx = wide / (picture.x1 - picture.x0)
        few = len(picture.curves) <= _FEW
        for curve in picture.curves:
            if curve.broken:
                self._broken(painter, curve, picture, wide, high)
                continue
            x = (curve.x - picture.x0) * kx
            y = _height_of(curve.y, picture, high)
            if len(x) and (x[0] < -1e-6 or x[-1] > wide + 1e-6):
                self.drawn_points += int(np.searchsorted(x, wide + 1e-6, "right") - np.searchsorted(x, -1e-6))
                x, y = _clipped(x, y, wide)
            else:
                self.drawn_points += len(x)
            y = np.minimum(np.maximum(y, -_FAR), _FAR)
            if len(x):
                self._stroke(painter, curve, x, y, wide, ratio, few)

    def _broken(self, painter: QPainter, curve: Curve, picture: Picture, wide: float, high: float) -> None:
        x = (curve.x - picture.x0) * (wide / (picture.x1 - picture.x0))
        y = _height_of(curve.y, picture, high)
        self.drawn_points += int(((x >= -1e-6) & (x <= wide + 1e-6)).sum())
        painter.setPen(QPen(QColor(curve.colour), 0))
        painter.drawPath(pg.functions.arrayToQPath(x, y, connect="finite"))

    def _stroke(
        self, painter: QPainter, curve: Curve, x: Numbers, y: Numbers, wide: float, ratio: float, few: bool
    ) -> None:
        colour = QColor(mix(self._theme.card, curve.colour, 0.4) if curve.faint else curve.colour)
        if len(x) == 1:
            painter.fillRect(QRectF(x[0] - 1.5 * ratio, y[0] - 1.5 * ratio, 3 * ratio, 3 * ratio), colour)
            return
        travel = float(np.abs(y[1:] - y[:-1]).sum())
        most = (
            _SOFT_TRAVEL if len(x) < 1.5 * wide else _TWICE_TRAVEL
        )  # an envelope is solid where it is dense
        soft = curve.dashed or (few and travel < most * wide)
        pen = QPen(colour, 0)
        if curve.dashed:
            pen.setDashPattern([4 * ratio, 3 * ratio])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
        line = polygon(x, y)
        painter.drawPolyline(line)
        again = [(0.0, 0.5)] if soft else []
        if ratio >= 1.5:
            again = [(0.0, 1.0), (1.0, 0.0)] if soft else [(0.0, 1.0)]
        if not few or (ratio < 1.5 and travel > _TWICE_TRAVEL * wide):
            again = []
        for dx, dy in again:  # one pixel, and again a little apart, is far cheaper than a pen of two
            painter.translate(dx, dy)
            painter.drawPolyline(line)
            painter.translate(-dx, -dy)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _notes(self, painter: QPainter, picture: Picture, width: float, height: float) -> None:
        theme = self._theme
        kx = width / (picture.x1 - picture.x0)
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
        py = float(_height_of(y, picture, height))
        box = QRectF(px - 50, py - 22, 100, 16)
        box.moveLeft(min(max(box.left(), 0.0), width - 100))
        box.moveTop(max(box.top(), 0.0))
        painter.setPen(QColor(self._theme.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _height_of(y: Height, picture: Picture, high: float) -> Height:
    # In halves: a value may lie as far outside of the range as a float reaches.
    return (picture.y1 / 2 - y / 2) * (high / (picture.y1 / 2 - picture.y0 / 2))


def _clipped(x: Numbers, y: Numbers, wide: float) -> tuple[Numbers, Numbers]:
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
    return x, y
