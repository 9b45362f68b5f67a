"""An axis of fixed size with our own ticks: text is all it draws."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from helm_desktop.theme import Theme, figure_font

TICK_PX = 11
LEFT_PX = 50
BOTTOM_PX = 20
_AIR = 4

Labelled = list[tuple[float, str]]
Choose = Callable[[float, float, float], Labelled]


class FixedAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Never asks its labels how much room they want."""

    def __init__(self, side: str, choose: Choose) -> None:
        super().__init__(side, showValues=True)
        self._choose = choose
        self._font = figure_font(TICK_PX)
        self._metrics = QFontMetricsF(self._font)
        self._colour = QColor("#a0abba")
        self._labelled: Labelled = []
        self._text_colour = self._colour
        self.buttons = False  # labels are names of rows
        self.hover: float | None = None  # the height of the row under the pointer
        self.setStyle(hideOverlappingLabels=False)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        if side == "left":
            self.setWidth(LEFT_PX)
        else:
            self.setHeight(BOTTOM_PX)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._colour = QColor(theme.quiet)
        self._text_colour = QColor(theme.text)
        self.update()

    def chosen(self, length: float) -> Labelled:
        """Ticks of the present range for an axis this long."""
        low, high = self.range
        self._labelled = self._choose(low, high, length)
        return self._labelled

    def shown(self) -> list[str]:
        """Return the labels that were drawn last."""
        return [text for _, text in self._labelled]

    def paint(self, painter: QPainter, _option: object, _widget: QWidget | None = None) -> None:
        """Labels beside their ticks, none beyond the picture."""
        low, high = self.range
        if high <= low:
            return
        painter.setFont(self._font)
        painter.setPen(self._colour)
        size = self.size()
        if self.orientation == "left":
            for value, text in self.chosen(size.height()):
                y = size.height() * (1 - (value - low) / (high - low))
                box = QRectF(-20, y - 8, size.width() + 20 - _AIR, 16)
                if self.buttons:
                    text = self._metrics.elidedText(
                        text, Qt.TextElideMode.ElideMiddle, size.width() - _AIR - 2
                    )
                    lit = self.hover is not None and abs(self.hover - value) < 1e-9
                    painter.setPen(self._text_colour if lit else self._colour)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            return
        taken = -1e9
        for value, text in self.chosen(size.width()):
            wide = self._metrics.horizontalAdvance(text)
            left = min(size.width() * (value - low) / (high - low) - wide / 2, size.width() - wide + 4)
            if left < taken + 8:
                continue
            taken = left + wide
            painter.drawText(QRectF(left, 4, wide + 2, 16), Qt.AlignmentFlag.AlignLeft, text)
