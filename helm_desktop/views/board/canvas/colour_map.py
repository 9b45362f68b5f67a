"""Numbers as colours: viridis, whose lightness rises evenly from dark violet to yellow, in both themes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPaintEngine, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop.format import number
from helm_desktop.theme import figure_font, theme_of
from helm_desktop.views.board.canvas.picture import Numbers

_MAP = "viridis"  # pyqtgraph ships it
_COLOURS = 256
_HIGH_PX, _WIDE_PX = 16, 32


@cache
def table() -> NDArray[np.uint32]:
    """The map as opaque 32 bit colours; the first call reads it from pyqtgraph's file, later ones do not."""
    lookup = pg.colormap.get(_MAP).getLookupTable(nPts=_COLOURS, alpha=False)
    red, green, blue = (lookup[:, at].astype(np.uint32) for at in range(3))
    return np.asarray(np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue)


def colour_at(share: float) -> str:
    """Return the colour at a fraction of the scale, 0 to 1."""
    return f"#{int(table()[round(max(0.0, min(1.0, share)) * (_COLOURS - 1))]) & 0xFFFFFF:06x}"


def shares(values: Numbers, low: float, high: float, *, log: bool) -> Numbers:
    """Return how far each value is between two ends, 0 to 1; nan where there is none."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if log:
            values = np.log10(np.where(values > 0, values, np.nan))
            low, high = float(np.log10(low)), float(np.log10(high))
        if not high > low:
            return np.where(np.isnan(values), np.nan, 0.5)
        return np.asarray(np.clip((values / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0))


def colours(part: Numbers, ground: str) -> NDArray[np.uint32]:
    """Return the colours of shares; the ground where there is none."""
    empty = np.isnan(part)
    index = (np.where(empty, 0.0, part) * (_COLOURS - 1)).round().astype(np.intp)
    return np.where(empty, np.uint32(int(QColor(ground).rgba())), table()[index])


def image_of(pixels: NDArray[np.uint32]) -> QImage:
    """Return an array of rows of colours as an image of its own."""
    held = np.ascontiguousarray(pixels)
    high, wide = held.shape
    return QImage(held.data, wide, high, wide * 4, QImage.Format.Format_RGB32).copy()


def draw(painter: QPainter, room: QRectF, image: QImage) -> None:
    """Cells of colour with edges, however much larger than the image the room is."""
    engine = painter.paintEngine()
    if engine.type() == QPaintEngine.Type.SVG:  # what shows it later would blur it
        size = QSize(
            *(
                max(have, round(2 * want))
                for have, want in zip(
                    (image.width(), image.height()), (room.width(), room.height()), strict=True
                )
            )
        )
        image = image.scaled(size)
    smooth = painter.testRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(room, image)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)


class ScaleBar(QWidget):
    """Which colour stands for what: least value, the colours, greatest value. A wide one has them below."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None, *, wide: bool = False) -> None:
        super().__init__(parent)
        self._ends: tuple[float, float] | None = None
        self._log = False
        self._wide = wide
        self._elsewhere = False
        self._font = figure_font(11)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_WIDE_PX if wide else _HIGH_PX)
        self.hide()

    @property
    def ends(self) -> tuple[float, float] | None:
        """The values at both ends."""
        return self._ends

    @property
    def log(self) -> bool:
        """Whether the colours are spread by magnitude."""
        return self._log

    def show_elsewhere(self) -> None:
        """Another bar shows what this one would."""
        self._elsewhere = True
        self.hide()

    def set_ends(self, ends: tuple[float, float] | None, *, log: bool = False) -> None:
        """The values at both ends; without them there is no bar."""
        if (ends, log) != (self._ends, self._log):
            self._ends, self._log = ends, log
            self.setVisible(ends is not None and not self._elsewhere)
            if ends is not None:
                words = f"Colours from {number(ends[0])} to {number(ends[1])}"
                self.setAccessibleName(words + (", logarithmic" if log else ""))
            self.update()
            self.changed.emit()

    def sizeHint(self) -> QSize:
        return QSize(120, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._ends is None:
            return
        theme, metrics = theme_of(self), QFontMetrics(self._font)
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.quiet))
        low, high = number(self._ends[0]), number(self._ends[1])
        if self._wide:
            painter.drawImage(QRectF(0, 1, self.width(), 10), image_of(table()[None, :]))
            words = (low, "log" if self._log else "linear", high)
            sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
            for text, side in zip(words, sides, strict=True):
                painter.drawText(QRectF(0, 15, self.width(), 16), side | Qt.AlignmentFlag.AlignVCenter, text)
            return
        high += "  log" if self._log else ""
        left = metrics.horizontalAdvance(low) + 6
        wide = max(20.0, min(120.0, self.width() - left - metrics.horizontalAdvance(high) - 6))
        painter.drawText(QRectF(0, 0, left, 16), Qt.AlignmentFlag.AlignVCenter, low)
        painter.drawImage(QRectF(left, 5, wide, 6), image_of(table()[None, :]))
        painter.drawText(QRectF(left + wide + 6, 0, 200, 16), Qt.AlignmentFlag.AlignVCenter, high)
