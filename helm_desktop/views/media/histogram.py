"""Bars of a histogram."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from helm_desktop.format import number
from helm_desktop.model.media.content import HistogramContent
from helm_desktop.theme import figure_font, theme_of

_FOOT = 20
_HEAD = 18


class HistogramView(QWidget):
    """Edges below, the highest count above; the count of a bar under the mouse."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: HistogramContent | None = None
        self.setMinimumHeight(90)
        self.setMouseTracking(True)
        self.setAccessibleName("Histogram")

    def set_content(self, content: HistogramContent) -> None:
        """Other counts."""
        self._content = content
        self.setAccessibleDescription(f"{_count(sum(content.counts))} values, {len(content.counts)} bins")
        self.update()

    def bars(self) -> list[QRectF]:
        """Return where each bar is; a bar with anything in it is a pixel high at least."""
        held = self._content
        if held is None:
            return []
        top, room = max(held.counts) or 1.0, self.height() - _FOOT - _HEAD
        left, right = held.edges[0], held.edges[-1]
        reach = (right / 4 - left / 4) or 1.0  # of finite ends even where their distance is not
        bars = []
        for place, count in enumerate(held.counts):
            x0, x1 = ((edge / 4 - left / 4) / reach * self.width() for edge in held.edges[place : place + 2])
            high = max(1.0, count / top * room) if count else 0.0
            bars.append(QRectF(x0, self.height() - _FOOT - high, max(1.0, x1 - x0), high))
        return bars

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's."""
        held = self._content
        if held is None:
            return
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.curve(0)))
        for bar in self.bars():
            gap = 1.0 if bar.width() >= 4 else 0.0
            painter.drawRect(bar.adjusted(0, 0, -gap, 0))
        base = self.height() - _FOOT
        painter.setPen(QColor(theme.line))
        painter.drawLine(0, base, self.width(), base)
        painter.setFont(figure_font(11))
        painter.setPen(QColor(theme.quiet))
        metrics = QFontMetrics(painter.font())
        first, last = number(held.edges[0]), number(held.edges[-1])
        painter.drawText(QPointF(0, self.height() - 5), first)
        painter.drawText(QPointF(self.width() - metrics.horizontalAdvance(last), self.height() - 5), last)
        painter.drawText(QPointF(0, metrics.ascent()), f"most {_count(max(held.counts))}")
        painter.end()

    def bin_words(self, x: float) -> str:
        """Return what the bar at this place holds."""
        held = self._content
        if held is None:
            return ""
        for place, bar in enumerate(self.bars()):
            if bar.left() <= x <= bar.right():
                left, right = number(held.edges[place]), number(held.edges[place + 1])
                return f"{_count(held.counts[place])} from {left} to {right}"
        return ""

    def event(self, event: object) -> bool:
        """Qt's: the tooltip follows the mouse."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.bin_words(event.pos().x()), self)
            return True
        return super().event(event)  # type: ignore[arg-type]


def _count(value: float) -> str:
    return f"{int(value):,}" if value.is_integer() else number(value)
