"""Curves as pixels: computed when a chart is renewed, painted as often as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from helm_desktop.theme import mix
from helm_desktop.views.board.canvas.picture import Band, Curve, Numbers, PlotFrame

# In widths of the picture: a longer way is a block of noise, where soft edges cost and show nothing.
_SOFT_TRAVEL = 12.0
_TWICE_TRAVEL = 4.0
_FEW = 12
_FAR = 30_000.0
_DOT_PX = 4.0
_LARGE_PEN = 1.25


@dataclass(slots=True)
class Stroke:
    """A polyline in pixels, and how it is drawn."""

    line: QPolygonF | QPainterPath
    pen: QPen
    soft: bool
    again: bool  # drawn once more, a little apart: far cheaper than a pen of two pixels
    dots: bool = False


def polygon(x: Numbers, y: Numbers) -> QPolygonF:
    """Return numbers as Qt wants them, copied once."""
    made, room = _room(len(x))
    if len(x):
        room[:, 0] = x
        room[:, 1] = y
    return made


def _room(size: int) -> tuple[QPolygonF, Numbers]:
    made = pg.functions.create_qpolygonf(size)
    return made, pg.functions.ndarray_from_qpolygonf(made) if size else np.empty((0, 2))


@cache
def _pen(colour: str, strength: float, card: str, dashed: bool) -> QPen:
    pen = QPen(QColor(mix(card, colour, strength) if strength < 1 else colour), 0)
    if dashed:
        pen.setDashPattern([4, 3])
    return pen


def strokes_of(curves: list[Curve], frame: PlotFrame, *, tame: bool) -> tuple[list[Stroke], int]:
    """Return what to draw, and how many points of the polylines are inside of the room."""
    if tame and all(_within(curve, frame) for curve in curves):
        return _strokes_of(curves, frame, tame=True)
    with np.errstate(over="ignore", invalid="ignore"):  # far outside of the range is far enough
        return _strokes_of(curves, frame, tame=tame)


def _within(curve: Curve, frame: PlotFrame) -> bool:
    x = curve.x
    return not curve.broken and bool(len(x)) and bool(x[0] >= frame.x0 and x[-1] <= frame.x1)


def _strokes_of(curves: list[Curve], frame: PlotFrame, *, tame: bool) -> tuple[list[Stroke], int]:
    made, points = [], 0
    few = len(curves) <= _FEW
    card, kx, wide = frame.theme.card, frame.kx, frame.wide
    for curve in curves:
        x, size = curve.x, len(curve.x)
        pen = _pen(curve.colour, curve.strength, card, curve.dashed)
        if curve.broken:
            made.append(_broken(curve, frame, pen))
            points += int(((x >= frame.x0) & (x <= frame.x1)).sum())
            continue
        if not size:
            continue
        first, last = float(x[0] - frame.x0) * kx, float(x[-1] - frame.x0) * kx
        if first < -1e-6 or last > wide + 1e-6:
            px, py = (x - frame.x0) * kx, frame.y(curve.y)
            points += int(np.searchsorted(px, wide + 1e-6, "right") - np.searchsorted(px, -1e-6))
            px, py = _clipped(px, py, wide)
            line, room = _room(len(px))
            if not len(px):
                continue
            room[:, 0] = px
            np.clip(py, -_FAR, _FAR, out=room[:, 1])
        else:
            points += size
            line, room = _room(size)
            np.multiply(x - frame.x0, kx, out=room[:, 0])
            np.multiply(
                frame.y1 / 2 - curve.y / 2, frame.high / (frame.y1 / 2 - frame.y0 / 2), out=room[:, 1]
            )
            if not tame:
                np.clip(room[:, 1], -_FAR, _FAR, out=room[:, 1])
        made.append(_stroke(curve, line, room[:, 1], pen, wide, few))
    return made, points


def _stroke(curve: Curve, line: QPolygonF, y: Numbers, pen: QPen, wide: float, few: bool) -> Stroke:
    if len(y) == 1:
        return Stroke(line, pen, False, False, True)
    if not few:
        return Stroke(line, pen, curve.dashed, curve.lit, curve.dots)
    travel = float(np.abs(y[1:] - y[:-1]).sum())
    most = _SOFT_TRAVEL if len(y) < 1.5 * wide else _TWICE_TRAVEL  # a dense envelope is solid
    soft = curve.dashed or travel < most * wide
    again = (soft and travel <= _TWICE_TRAVEL * wide) or curve.lit
    return Stroke(line, pen, soft, again and curve.strength == 1, curve.dots)


def _broken(curve: Curve, frame: PlotFrame, pen: QPen) -> Stroke:
    path = pg.functions.arrayToQPath((curve.x - frame.x0) * frame.kx, frame.y(curve.y), connect="finite")
    return Stroke(path, pen, False, False)


def paint_strokes(painter: QPainter, strokes: list[Stroke], ratio: float) -> None:
    """Draw them in order."""
    if painter.deviceTransform().m11() > 1.01 * max(ratio, painter.device().devicePixelRatioF()):
        _paint_large(painter, strokes)
        return
    soft = False
    for stroke in strokes:
        if stroke.soft != soft:
            soft = stroke.soft
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
        painter.setPen(stroke.pen)
        line = stroke.line
        if isinstance(line, QPainterPath):
            painter.drawPath(line)
            continue
        if line.size() > 1:
            painter.drawPolyline(line)
        if stroke.again or ratio >= 1.5:
            for dx, dy in _apart(stroke, ratio):
                painter.translate(dx, dy)
                painter.drawPolyline(line)
                painter.translate(-dx, -dy)
        if stroke.dots:
            _dots(painter, stroke, line)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
    if soft:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_large(painter: QPainter, strokes: list[Stroke]) -> None:
    """For a picture larger than on the screen: lines grow with it, and time does not matter."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for stroke in strokes:
        pen = QPen(stroke.pen)
        pen.setWidthF(_LARGE_PEN)
        painter.setPen(pen)
        if isinstance(stroke.line, QPainterPath):
            painter.drawPath(stroke.line)
        elif stroke.line.size() > 1:
            painter.drawPolyline(stroke.line)
        if stroke.dots and not isinstance(stroke.line, QPainterPath):
            _dots(painter, stroke, stroke.line)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _apart(stroke: Stroke, ratio: float) -> list[tuple[float, float]]:
    """Return the width of a pen in pixels of the screen: a cosmetic pen does not scale."""
    if ratio < 1.5:
        return [(0.0, 0.5)]
    one = 1 / ratio
    return [(0.0, one), (one, 0.0)] if stroke.again and stroke.soft else [(0.0, one)]


def _dots(painter: QPainter, stroke: Stroke, line: QPolygonF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    pen = QPen(stroke.pen.color(), _DOT_PX)
    pen.setCapStyle(pen.capStyle().RoundCap)
    painter.setPen(pen)
    painter.drawPoints(line)


def paint_band(painter: QPainter, band: Band, frame: PlotFrame) -> None:
    """Fill the room between two lines."""
    if not len(band.low_x) or not len(band.high_x):
        return
    x = np.concatenate((band.low_x, band.high_x[::-1]))
    y = np.concatenate((band.low_y, band.high_y[::-1]))
    colour = QColor(band.colour)
    colour.setAlphaF(band.strength)
    painter.setBrush(colour)
    painter.setPen(QPen(colour, 0) if len(x) < 4 else QPen(QColor(0, 0, 0, 0)))
    with np.errstate(over="ignore", invalid="ignore"):
        px = np.clip((x - frame.x0) * frame.kx, -_FAR, _FAR)
        py = np.clip(frame.y(y), -_FAR, _FAR)
    painter.drawPolygon(polygon(px, py))
    painter.setBrush(QColor(0, 0, 0, 0))


def cross(x: float, y: float, size: float) -> list[QLineF]:
    """Return an × about a place."""
    return [QLineF(x - size, y - size, x + size, y + size), QLineF(x - size, y + size, x + size, y - size)]


def dot(x: float, y: float, size: float) -> QRectF:
    """Return a square about a place."""
    return QRectF(x - size / 2, y - size / 2, size, size)


def _clipped(x: Numbers, y: Numbers, wide: float) -> tuple[Numbers, Numbers]:
    """Cut a line at the sides, so that no coordinate is beyond what a rasteriser takes."""
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
