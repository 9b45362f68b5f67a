"""The picture inside the axes: painted straight onto the window, and kept once it is shown again."""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QLine, QMargins, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from helm_desktop.theme import Theme, mix, text_font
from helm_desktop.views.board.canvas.marks import PlacedMark, paint_marks, paint_odd
from helm_desktop.views.board.canvas.picture import Numbers, Picture, PlotFrame
from helm_desktop.views.board.canvas.strokes import Stroke, paint_band, paint_strokes, polygon, strokes_of

__all__ = ["INSET_PX", "Canvas", "Numbers", "Picture", "polygon"]

_log = logging.getLogger(__name__)
INSET_PX = 2  # around the room inside the axes, so that a line along its edge is seen whole


class Canvas(QWidget):
    """Lies over the view box. A plain widget: going through the scene costs as much again as the curves.

    A picture that is replaced before it is shown twice is never kept as pixels; one that the window asks
    for again (a crosshair, a tooltip above it) is kept then, and only copied from there on.
    """

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.drawn_points = 0
        self.paints = 0  # how often curves were painted, for tests and figures
        self.paint_cost = 0.0  # seconds that painting took the last time
        self._font = text_font(11)
        self._picture: Picture | None = None
        self._frame: PlotFrame | None = None
        self._strokes: list[Stroke] = []
        self._shown = False
        self._kept: QPixmap | None = None
        self._line: int | None = None
        self._band: QRect | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; the next picture wears them."""
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

    def inner(self) -> QSize:
        """Return the rectangle inside the axes."""
        return self.size().shrunkBy(QMargins(INSET_PX, INSET_PX, INSET_PX, INSET_PX))

    def show_picture(self, picture: Picture) -> None:
        """Show a picture from now on."""
        size = self.inner()
        if size.width() < 2 or size.height() < 2:
            return
        self._picture = picture
        self._frame = picture.frame(size.width(), size.height(), self._theme)
        self._strokes, self.drawn_points = strokes_of(list(picture.curves), self._frame, tame=picture.tame)
        self._shown, self._kept = False, None
        self.update()

    def forget_pixels(self) -> None:
        """Paint curves anew the next time, at whatever scale that is."""
        self._shown, self._kept = False, None

    # Painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        # A painter that an exception leaves active ends the whole app.
        painter = QPainter(self)
        try:
            self._paint_part(painter, event)
        except Exception as error:
            _log.exception("A chart could not be painted")
            painter.resetTransform()
            painter.setClipping(False)
            painter.fillRect(self.rect(), self._card_colour)
            painter.setPen(QColor(self._theme.quiet))
            painter.setFont(self._font)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            text = f"This chart could not be painted: {type(error).__name__}: {error}"
            painter.drawText(QRectF(self.rect()).adjusted(8, 0, -8, 0), flags, text)
        finally:
            painter.end()

    def _paint_part(self, painter: QPainter, event: QPaintEvent) -> None:
        part, ratio = event.rect(), self.devicePixelRatioF()
        if ratio % 1:  # at 1.25 or 1.5 the widget ends inside a pixel, and that pixel is ours too
            painter.fillRect(self.rect().adjusted(-1, -1, 1, 1), self._card_colour)
        if self._kept is not None and self._kept.devicePixelRatio() != ratio:
            self._kept = None
        if self._kept is None and self._shown:
            self._kept = self._pixels(ratio)
        if self._kept is not None:
            source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            painter.drawPixmap(QRectF(part), self._kept, source)
        else:
            began = time.perf_counter()
            painter.save()
            self.paint(painter, ratio)
            painter.restore()
            self.paint_cost = time.perf_counter() - began
            self._shown = self._picture is not None and part == self.rect()
        if self._band is not None:
            accent = QColor(self._theme.accent)
            accent.setAlphaF(0.18)
            painter.fillRect(self._band, accent)
        elif self._line is not None:
            accent = QColor(self._theme.quiet)
            painter.fillRect(QRect(self._line + INSET_PX, INSET_PX, 1, self.inner().height()), accent)

    def _pixels(self, ratio: float) -> QPixmap:
        made = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        made.setDevicePixelRatio(ratio)
        painter = QPainter(made)
        try:
            self.paint(painter, ratio)
        finally:
            painter.end()
        return made

    def paint(self, painter: QPainter, ratio: float) -> None:
        """The picture, on any paint device, without crosshair."""
        painter.fillRect(self.rect(), self._card_colour)
        picture, frame = self._picture, self._frame
        if picture is None or frame is None:
            return
        self.paints += 1
        painter.setClipRect(self.rect())
        painter.translate(INSET_PX, INSET_PX)
        self._ground(painter, picture, frame, ratio)
        for layer in picture.layers:
            layer.paint(painter, frame)
        for band in picture.bands:
            paint_band(painter, band, frame)
        paint_strokes(painter, self._strokes, ratio)
        self._notes(painter, picture, frame)

    def _ground(self, painter: QPainter, picture: Picture, frame: PlotFrame, ratio: float) -> None:
        """Grid lines, and where the run stands, below the curves."""
        thick = max(1, round(ratio)) / ratio
        if ratio == 1:
            painter.setPen(self._grid_colour)
            wide = int(frame.wide) - 1
            heights = [round(frame.y(value) - 0.5) for value in picture.grid]
            painter.drawLines([QLine(0, y, wide, y) for y in heights])
        else:
            for value in picture.grid:
                y = round((frame.y(value) - thick / 2) * ratio) / ratio
                painter.fillRect(QRectF(0, y, frame.wide, thick), self._grid_colour)
        if picture.now is not None and picture.x0 <= picture.now <= picture.x1:
            x = round(frame.x(picture.now) * ratio) / ratio
            painter.fillRect(QRectF(x, 0, thick, frame.high), self._now_colour)

    def _notes(self, painter: QPainter, picture: Picture, frame: PlotFrame) -> None:
        if not (picture.label or picture.marks or picture.odd or picture.notice or picture.empty):
            return
        theme, kx = self._theme, frame.kx
        painter.setFont(self._font)
        if picture.label is not None:
            self._label(painter, picture.label, frame)
        places = [PlacedMark(kind, (step - picture.x0) * kx) for kind, step in picture.marks]
        paint_marks(painter, [mark for mark in places if -5 <= mark.x <= frame.wide + 5], frame.high, theme)
        if picture.odd or picture.notice:
            paint_odd(
                painter, [(x - picture.x0) * kx for x in picture.odd], picture.notice, frame.wide, theme
            )
        if picture.empty:
            painter.setPen(QColor(theme.quiet))
            room = QRectF(8, 0, frame.wide - 16, frame.high)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, flags, picture.empty)

    def _label(self, painter: QPainter, label: tuple[float, float, str], frame: PlotFrame) -> None:
        x, y, text = label
        box = QRectF(frame.x(x) - 50, frame.y(y) - 22, 100, 16)
        box.moveLeft(min(max(box.left(), 0.0), frame.wide - 100))
        box.moveTop(max(box.top(), 0.0))
        painter.setPen(QColor(self._theme.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
