"""The value in a chart's header: it changes often, so it moves no layout and paints only itself."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop.theme import figure_font, theme_of

_STEP_PX = 8  # its room grows by this


class ValueFigure(QWidget):
    """A number, set to the right; its room grows and never shrinks while values change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._font = figure_font()
        self._metrics = QFontMetrics(self._font)
        self._room = 0
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """Return what stands there."""
        return self._text

    def set_text(self, text: str) -> None:
        """Say this from now on."""
        if text == self._text:
            return
        self._text = text
        self.setAccessibleName(text)
        needed = self._metrics.horizontalAdvance(text)
        if needed > self._room:
            self._room = -(-needed // _STEP_PX) * _STEP_PX
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._room, self._metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.card))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._text)
