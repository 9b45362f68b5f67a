"""The waveform of a sound."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from helm_desktop.format import duration
from helm_desktop.model.media.content import AudioContent
from helm_desktop.theme import figure_font, theme_of

_FOOT = 20


class WaveformView(QWidget):
    """A band a channel from the lowest to the highest sample, seconds below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: AudioContent | None = None
        self.setMinimumHeight(90)
        self.setAccessibleName("Waveform")

    def set_content(self, content: AudioContent) -> None:
        """Another sound."""
        self._content = content
        self.setAccessibleDescription(f"{duration(content.seconds)} of sound")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's."""
        held = self._content
        if held is None:
            return
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = (self.height() - _FOOT) / len(held.low)
        for channel, (low, high) in enumerate(zip(held.low, held.high, strict=True)):
            middle = room * (channel + 0.5)
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
            painter.setPen(QColor(theme.curve(channel)))
            painter.setBrush(QColor(theme.curve(channel)))
            painter.drawPolygon(self._band(low, high, middle, room))
        painter.setFont(figure_font(11))
        painter.setPen(QColor(theme.quiet))
        last = duration(held.seconds)
        width = QFontMetrics(painter.font()).horizontalAdvance(last)
        painter.drawText(QPointF(0, self.height() - 5), "0 s")
        painter.drawText(QPointF(self.width() - width, self.height() - 5), last)
        painter.end()

    def _band(self, low: np.ndarray, high: np.ndarray, middle: float, room: float) -> QPolygonF:
        """Along the highest samples and back along the lowest, one point a pixel column."""
        columns = max(1, min(len(low), self.width()))
        parts = np.linspace(0, len(low), columns, endpoint=False).astype(np.int64)
        tops = np.maximum.reduceat(high, parts)
        bottoms = np.minimum.reduceat(low, parts)
        x = np.linspace(0, self.width(), columns)
        half = room / 2 - 3
        upper = [QPointF(a, middle - float(b) * half) for a, b in zip(x, tops, strict=True)]
        lower = [QPointF(a, middle - float(b) * half) for a, b in zip(x, bottoms, strict=True)]
        return QPolygonF(upper + lower[::-1])
